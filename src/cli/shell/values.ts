// Says which values options and arguments take, for completion in shells.
import type { Argument, Option } from 'commander';
import { roles } from '../../core/access/roles.ts';
import { guardNames } from '../../core/run/trip.ts';
import { rosterFormats } from '../../core/rows/row.ts';
import { sentActions } from '../../core/run/run.ts';
import { scopes } from '../../core/secrets/token.ts';
import { completionStatuses } from '../../core/story/completion.ts';
import { planKinds } from '../../report/plan/plan-row.ts';
import { shells } from './scripts.ts';

export interface Wanted {
  choices?: readonly string[];
  files?: boolean;
  /** Sources of the config, with this before their names. */
  sources?: string;
}

/** By what stands between `<` and `>`, wherever it does. */
const placeholders: Record<string, Wanted> = {
  file: { files: true },
  'file|source': { files: true, sources: '' },
  source: { sources: '' },
  run: { choices: ['latest'] },
  role: { choices: roles },
  shell: { choices: shells },
};

/** By option, in all commands. */
const everywhere: Record<string, Wanted> = {
  '--source': { sources: '' },
  '--kind': { choices: planKinds },
  '--guard': { choices: guardNames },
  '--format': { choices: rosterFormats },
  '--group-split': { choices: ['none', 'newline'] },
};

/** By command and option or argument; goes first. */
export const special: Readonly<Record<string, Wanted>> = {
  'approve --only': { choices: sentActions },
  'answers --format': { choices: ['csv', 'ndjson', 'json', 'html'] },
  'completion --format': { choices: ['csv', 'ndjson', 'json', 'html'] },
  'completion --people': { choices: completionStatuses },
  'token create --scope': { choices: scopes, sources: 'scim:' },
  'user add --role': { choices: roles },
};

export function optionValues(command: string, { long, flags }: Option): Wanted {
  const [, placeholder = ''] = /[<[]([^<[>\]]+)[>\]]/.exec(flags) ?? [];
  return special[`${command} ${long}`] ?? everywhere[long ?? ''] ?? placeholders[placeholder] ?? {};
}

/** What an argument may be; nothing for one that the command does not have. */
export function argumentValues(command: string, argument: Argument | undefined): Wanted {
  const name = argument?.name() ?? '';
  return special[`${command} ${name}`] ?? placeholders[name] ?? {};
}
