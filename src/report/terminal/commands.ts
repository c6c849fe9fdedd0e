// The commands and flags that take a next step: what the terminal, its files and messages call it.
import { fieldWords } from '../../core/mapping/fields.ts';
import { bySettings, type Wording } from '../../core/mapping/mapping-rules.ts';
import type { ActStep, NextStep } from '../../core/errors.ts';
import { quote } from '../../core/text/format.ts';
import { say } from '../../core/words/say.ts';

/** Where those are named who keep groups, and those who have left. */
export const whereNamed = {
  seeKept: ' (roster-sync left-behind)',
  seeLeft: ' (`show` with `--departed FILE` names them)',
};

/** `roster-sync resume 4f2a`. */
export function commandOf({ act, ...about }: ActStep): string {
  const given = about as Readonly<Partial<Record<string, string>>>;
  const words = say(`command-${act}`, 1).replaceAll(/\b[A-Z]{3,}\b/g, (word) =>
    inShell(given[word.toLowerCase()] ?? word),
  );
  return `roster-sync ${words}`;
}

/** A word as a shell takes it: quoted unless it is plain. */
export function inShell(word: string): string {
  return /^[\p{L}\p{N}\p{M}@.+_-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command or a flag, as sentences have it. */
export function nameAtTerminal(step: NextStep): string {
  // Of what was only planned there is no run to ask.
  if ('act' in step && step.act === 'runs.rejects' && step.run === undefined) return '`--verbose`';
  if ('act' in step) return `\`${commandOf(step)}\``;
  const flag = flagOf(step.setting);
  return step.value === undefined ? flag : `${flag} ${step.value}`;
}

/** The flag of a setting, or of an option as the program has it: `--max-invitations`. */
export function flagOf(name: string): string {
  const last = name.slice(name.lastIndexOf('.') + 1);
  return `--${last.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** How messages about columns name what to set. */
export const byFlags: Wording = {
  asker: (field) => `--map names for the ${fieldWords[field]}`,
  setting: (field, text) => `--map ${field}=${text ?? '"COLUMN"'}`,
  template: (field, text) => `--map ${field}=${text}`,
  keeper: (text) => (text === undefined ? '--allow-value' : `--allow-value ${quote(text)}`),
  naming: (code) => `--map-group ${code}=NAME gives one a name, --map-group-file FILE all of them`,
  groupsBy: (kind) => `--group-${kind} names`,
  noGroups:
    'name one with --group NAME, columns that hold them with --group-column COLUMN, or columns that are a group each with ' +
    '--group-matrix COLUMNS',
  severalGroups: 'say which with --group-column COLUMN.',
  records: (at) => `--records ${at}`,
  members: '--map',
  headerLine: '--header-line NUMBER',
};

/** Of a source with settings: where no flag names a column of a person, flags are for its groups only. */
export function besideSettings(isMapped: boolean): Wording {
  const { groupsBy, noGroups, severalGroups } = byFlags;
  const groups = { groupsBy, severalGroups, noGroups: `${noGroups}, or set groups of the source` };
  return { ...(isMapped ? byFlags : bySettings), ...groups };
}
