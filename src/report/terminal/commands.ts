// What to do next: the commands and flags that take a step, and the last line of a result.
import { fieldWords } from '../../core/mapping/fields.ts';
import { bySettings, type Wording } from '../../core/mapping/mapping-rules.ts';
import type { ActStep, NextStep } from '../../core/errors.ts';
import { count, figure, quote } from '../../core/text/format.ts';
import { say } from '../../core/words/say.ts';
import { countUndelivered } from '../../core/call/outcome.ts';
import { rejectsToCorrect } from '../plan/plan-sentences.ts';
import type { Problem, RunReport } from '../run/run-report.ts';

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
  merging: (from, to) => `use --map-group ${quote(`${from}=${to}`)}`,
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

/** What to do about deliveries that ended so; only a run that has ended can be retried. */
export function nextStepFor(outcome: Problem['outcome'], { run, pending }: Pick<RunReport, 'run' | 'pending'>): string {
  const retry = `${pending > 0 ? '; once the run has ended' : ', then'}: roster-sync retry ${run}`;
  switch (outcome) {
    case 'failed':
      return `fix the cause${retry}`;
    case 'partial':
      return `some of their groups were not accepted; fix the cause${retry}`;
    case 'unknown':
      return `the call may have arrived; check the answers with roster-sync show ${run}${retry}`;
  }
}

/** The last line of every result: how many rejects there are, and what to do next. */
export function nextLine(report: RunReport): string {
  const rejects = rejectsToCorrect(report.roster);
  const changes = report.rejectSamples.flatMap(({ identityChange }) => identityChange ?? []);
  const all = changes.includes('moved') ? ` (roster-sync resolve --run ${report.run})` : '';
  const first =
    rejects === 0
      ? `no rejects${report.roster.rejects > 0 ? ' to correct' : ''}`
      : `${count(rejects, 'reject')} to ${changes.length > 0 ? `resolve${all}, or to ` : ''}correct and import`;
  return `${first}; ${todo(report)}`;
}

function whoGoesOn({ mode }: RunReport): string {
  return mode === 'production'
    ? 'no worker runs, so start one: roster-sync worker; or deliver it here: '
    : 'nobody delivers; to continue: ';
}

function todo(report: RunReport): string {
  const { run, status, supersededBy, dryRun, pending, outcome } = report;
  const undelivered = countUndelivered(outcome);
  const waiting = `${figure(pending)} not sent yet`;
  if (status === 'failed') return 'nothing was sent: fix the roster and run it again';
  if (dryRun) {
    if (status === 'held') return 'a guard would hold this; nothing was sent';
    return 'to send it, run it again without --dry-run';
  }
  switch (status) {
    case 'held':
      return `${pending === 0 ? 'nobody to send' : waiting}; check the plan, then: roster-sync approve ${run}, or roster-sync cancel ${run}`;
    case 'halted':
      return `${waiting}; fix the cause, then: roster-sync resume ${run}`;
    case 'paused':
      return `${waiting}; to continue: roster-sync resume ${run}`;
    case 'planning':
    case 'delivering':
      if (report.isAbandoned) return `${waiting}; ${whoGoesOn(report)}roster-sync resume ${run}`;
      return `${waiting}; to see how it goes: roster-sync show ${run}`;
    case 'finished':
    case 'finished-with-failures':
      return undelivered > 0 ? `${figure(undelivered)} not delivered: roster-sync retry ${run}` : 'nothing else to do';
    case 'cancelled':
      // The people it did not deliver are in the plan of the newer one.
      if (supersededBy !== undefined) return 'a newer run has taken its place';
      if (undelivered > 0) return `${figure(undelivered)} not delivered: the next roster that names them sends them`;
      return 'nothing else to do';
  }
}
