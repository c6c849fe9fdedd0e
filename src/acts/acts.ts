// The table of acts: everything that a person or a program can ask for.
import type { Act } from './act.ts';
import * as access from './access.ts';
import { watchChanges } from './changes.ts';
import * as following from './following.ts';
import * as forgetting from './forgetting.ts';
import { listLeftBehind, markLeftBehind } from './left-behind.ts';
import * as looking from './looking.ts';
import { resolveMoves } from './moves.ts';
import { getPerson, listInvited, personFile } from './people.ts';
import * as runFiles from './run-files.ts';
import * as runs from './runs.ts';
import * as sources from './sources.ts';
import { startRun, uploadRun } from './starting.ts';
import * as stories from './stories.ts';
import * as upkeep from './upkeep.ts';
import { correctReject, inspectUpload, planUpload } from './uploads.ts';

export const acts: readonly Act[] = [
  ...Object.values(looking),
  ...Object.values(runFiles),
  ...Object.values(runs),
  ...[startRun, uploadRun, watchChanges, inspectUpload, planUpload, correctReject],
  ...[getPerson, personFile, listInvited, resolveMoves],
  ...Object.values(forgetting),
  ...Object.values(sources),
  ...Object.values(access),
  ...Object.values(following),
  ...Object.values(stories),
  ...Object.values(upkeep),
  ...[listLeftBehind, markLeftBehind],
];
