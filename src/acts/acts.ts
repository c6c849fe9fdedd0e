// The table of acts: everything that a person or a program can ask for.
import type { Act } from './act.ts';
import * as access from './access.ts';
import * as changes from './changes.ts';
import * as leftBehind from './left-behind.ts';
import * as looking from './looking.ts';
import * as people from './people.ts';
import * as runFiles from './run-files.ts';
import * as runs from './runs.ts';
import * as sources from './sources.ts';
import * as starting from './starting.ts';
import * as stories from './stories.ts';
import * as upkeep from './upkeep.ts';
import * as uploads from './uploads.ts';

const groups = [
  looking,
  runFiles,
  runs,
  starting,
  changes,
  uploads,
  people,
  sources,
  access,
  stories,
  upkeep,
  leftBehind,
];

/** Whatever else a file of acts exports helps to ask for them. */
const isAct = (exported: unknown): exported is Act =>
  typeof exported === 'object' && exported !== null && 'id' in exported;

export const acts: readonly Act[] = groups.flatMap((group) => Object.values<unknown>(group)).filter(isAct);
