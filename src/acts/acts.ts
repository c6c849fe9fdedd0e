// The table of acts: everything that a person or a program can ask for.
import type { Act } from './act.ts';
import { listLeftBehind, markLeftBehind } from './left-behind.ts';
import * as looking from './looking.ts';
import { getPerson, listInvited, personFile } from './people.ts';
import * as runFiles from './run-files.ts';
import * as runs from './runs.ts';

export const acts: readonly Act[] = [
  ...Object.values(looking),
  ...Object.values(runFiles),
  ...Object.values(runs),
  ...[getPerson, personFile, listInvited],
  ...[listLeftBehind, markLeftBehind],
];
