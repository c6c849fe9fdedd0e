// Begins a run; ends one that was recorded as given elsewhere, ran out of time, expired, or lost its process.
import { sql } from 'kysely';
import type { RunSettings, Trigger } from '../../core/run/run.ts';
import { type Database, rowsOf, toJson, changed, type KeyRange, keyRanges } from '../database/database.ts';
import { moveRuns, oneAtATime, moveRun } from './move-run.ts';
import { isDead } from './workers.ts';
import { lockRun, type SourceAt } from '../runs/runs.ts';
import { closeOlderHolds } from './supersede.ts';
import { isRecorded, leaveByBaseline } from '../people/left-behind.ts';
import { orReplaced } from './record.ts';
