// Releases a planned run, supersedes older ones, reopens finished ones.
import { sql } from 'kysely';
import { NotNowError, StorageError } from '../../core/errors.ts';
import { heldReason, type Trip } from '../../core/guards/trip.ts';
import { type Database, changed, theRow, toJson } from '../database/database.ts';
import { canariesOf, stageOf, takeAsSeen, planDeliveries } from './plan-deliveries.ts';
import { isDelivered } from './feed.ts';
import { countHeld, isSent, isStopped } from '../runs/holds.ts';
import { noteRoster } from '../planning/departed.ts';
import { learnEmployeeIds } from '../planning/resolving.ts';
import { writeSearchTexts } from '../people/search-texts.ts';
import type { Rate } from '../../core/pace/pacing.ts';
import { mayMove } from '../../core/run/states.ts';
import { type FailureFilter, isFailure } from '../runs/failures.ts';
import { countOutcomes } from '../runs/reading.ts';
import { moveRun, takeTurn } from './move-run.ts';
import {
  closeOlderHolds,
  closeOvertaken,
  supersedeByNewer,
  supersedeCalled,
  supersedeOlder,
  supersedeRenamedSince,
} from './supersede.ts';
import { lockRun, setRate } from '../runs/runs.ts';
import { analyzeIfGrown } from '../database/vacuum.ts';

/**
 * Releases a planned run: its deliveries become due, what older runs of its source had not sent for the same
 * people is superseded, and the run is `delivering`. What guards stop of it is held. When that is all of it, nothing is
 * released, and the run is `held`. With care, the deliveries of later stages wait. Either closes what older runs of the source hold.
 * Its deliveries are written while it is in `planning`, where nobody sends them, and released by one short transaction: after a crash
 * that happened or it did not.
 * @returns the states of the deliveries, and which older runs were closed
 * @throws StorageError when this process was taken for dead while it planned: then nothing is released
 */
export async function releaseRun(
  db: Database,
  runId: string,
  all: boolean,
  trips: readonly Trip[] = [],
  { canary = false }: { canary?: boolean } = {},
) {
  const isSentNow = sql<boolean>`(${isSent(all)} and not ${isStopped(trips)})`;
  const stage = stageOf(canary ? await canariesOf(db, runId, isSentNow) : undefined);
  await planDeliveries(db, runId, { isSent: isSent(all), isStopped: isStopped(trips), stage });
  await writeSearchTexts(db, runId);
  const released = await db.transaction().execute(async (transaction) => {
    await takeTurn(transaction, runId);
    const { status } = await lockRun(transaction, runId);
    if (status === 'failed') {
      throw new StorageError(
        `Run ${runId} was given up by another process, which took this one for dead. Nothing was sent; start it again.`,
      );
    }
    // The first attempt may have succeeded although its answer was lost.
    if (status !== 'planning') return { due: 0, held: await countHeld(transaction, runId), closed: [] };
    await supersedeRenamedSince(transaction, runId);
    const { due, held } = await theRow<{ due: number; held: number }>(transaction)`
      select count(*) filter (where state in ('due', 'waiting')) as due, count(*) filter (where state = 'held') as held
      from deliveries where run_id = ${runId}`;
