// Releases a planned run, supersedes older ones, reopens finished ones.
import { sql } from 'kysely';
import { NotNowError, onRun, StorageError } from '../../core/errors.ts';
import { heldReason, type Trip } from '../../core/guards/trip.ts';
import { say } from '../../core/words/say.ts';
import { type Database, changed, countOf, isThere, theRow, toJson } from '../database/database.ts';
import { asPlanning } from '../database/reconnect.ts';
import { canariesOf, stageOf, takeAsSeen, planDeliveries } from './plan-deliveries.ts';
import { isDelivered } from './feed.ts';
import { countHeld, isSent, isStopped } from '../runs/holds.ts';
import { keysLeaving } from '../planning/absent.ts';
import { noteRoster } from '../planning/departed.ts';
import { learnEmployeeIds } from '../planning/resolving.ts';
import { writeSearchTexts } from '../people/search-texts.ts';
import type { Rate } from '../../core/pace/pacing.ts';
import { mayMove } from '../../core/run/states.ts';
import { type FailureFilter, isFailure } from '../runs/failures.ts';
import { countOutcomes } from '../runs/reading.ts';
import { moveRun, renewDeadline, takeTurn } from './move-run.ts';
import {
  closeOlderHolds,
  closeOvertaken,
  letGoMoved,
  supersedeByNewer,
  supersedeCalled,
  supersedeLeaving,
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
 * @param options.leaving the kinds of events that say that people leave: whom those named while the run was planned is not sent
 * @returns the states of the deliveries, and which older runs were closed
 * @throws StorageError when this process was taken for dead while it planned: then nothing is released
 */
export async function releaseRun(
  db: Database,
  runId: string,
  all: boolean,
  trips: readonly Trip[] = [],
  { canary = false, leaving }: { canary?: boolean; leaving?: readonly string[] | undefined } = {},
) {
  const isSentNow = sql<boolean>`(${isSent(all)} and not ${isStopped(trips)})`;
  const stage = stageOf(canary ? await canariesOf(db, runId, isSentNow) : undefined);
  await asPlanning(async () => {
    await planDeliveries(db, runId, { isSent: isSent(all), isStopped: isStopped(trips), stage });
    await writeSearchTexts(db, runId);
  });
  const released = await db.transaction().execute(async (transaction) => {
    await takeTurn(transaction, runId);
    const { status } = await lockRun(transaction, runId);
    if (status === 'failed') {
      throw new StorageError(say('givenUpRun', 1, { runId }));
    }
    // The first attempt may have succeeded although its answer was lost.
    if (status !== 'planning') return { due: 0, held: await countHeld(transaction, runId), closed: [] };
    await supersedeRenamedSince(transaction, runId);
    await supersedeLeaving(transaction, runId, leaving);
    const { due, held } = await theRow<{ due: number; held: number }>(transaction)`
      select count(*) filter (where state = 'due') as due, count(*) filter (where state = 'held') as held
      from deliveries where run_id = ${runId}`;
    // Whoever is asked whether it may replace an older hold may still want that one; so may one whose roster is the newer one.
    const isAsked = trips.some(({ guard, scope }) => guard === 'replaced' || (guard === 'time' && scope === 'all'));
    const isLook = trips.some(({ guard }) => guard === 'brought');
    // Nobody is asked about a file that would change nothing, so nobody has said yes to it: it counts as no roster, and closes no hold.
    if (isLook && held === 0 && trips.length === 1 && !(await tellsMore(transaction, runId))) {
      await moveRun(transaction, runId, 'endLook');
      return { due: 0, held: 0, closed: [] };
    }
    const closed = isAsked ? [] : await closeOlderHolds(transaction, runId, isLook);
    await keepTrips(transaction, runId, trips, held > 0);
    // That somebody was left out of an approval says nothing against this roster: it tells who is missing all the same.
    const isDoubted = held > 0 && due === 0 && trips.some(({ guard }) => guard !== 'withheld');
    if (isDoubted || trips.some(({ scope }) => scope === 'all')) {
      await moveRun(transaction, runId, 'hold', { by: 'guard', reason: heldReason(held) });
      return { due: 0, held, closed };
    }
    closed.push(...(await takeEffect(transaction, runId)));
    await moveRun(transaction, runId, 'release');
    // A newer one may have been planned and released while this one was planned: both plan at once where events began this one.
    await supersedeByNewer(transaction, runId);
    return { due, held, closed };
  });
  await analyzeIfGrown(db, 'deliveries', released.due + released.held);
  await tidyUp(db, runId);
  return { ...released, closed: [...released.closed, ...(await closeOvertaken(db, runId))] };
}

/** Whether a roster lacks somebody, says that they left, or gives them fewer groups: that counts once somebody has said that it is right. */
const tellsMore = (db: Database, runId: string): Promise<boolean> =>
  isThere(db)`select 1 from departures where run_id = ${runId} and is_fresh
    union all select 1 from members where run_id = ${runId} and left_behind limit 1`;

async function keepTrips(db: Database, runId: string, trips: readonly Trip[], holds: boolean): Promise<void> {
  if (trips.length === 0) return;
  const whole = trips.some(({ scope }) => scope === 'all');
  const heldAt = holds || whole ? sql`clock_timestamp()` : null;
  await sql`update runs set trips = ${toJson(trips)}, held_at = ${heldAt} where id = ${runId}`.execute(db);
}

/** In the transaction of a release: nobody may send any more what it has overtaken. Returns the runs in which nobody is left by that. */
export async function takeEffect(transaction: Database, runId: string): Promise<string[]> {
  await sql`
    update runs set released_at = coalesce(released_at, clock_timestamp()) where id = ${runId}`.execute(transaction);
  await supersedeOlder(transaction, runId, ['delivering']);
  return letGoMoved(transaction, runId);
}

/**
 * After a release: what can be done in ranges, and again. If a crash comes in between, older runs stay stopped until they go
 * on, which asks what has overtaken them, and the next roster brings the employee ids, what is left behind and who is missing.
 * A whole roster supersedes everybody of its source, so its people who are not sent need not be kept.
 */
export async function tidyUp(db: Database, runId: string): Promise<void> {
  await supersedeOlder(db, runId);
  await supersedeCalled(db, runId);
  await noteRoster(db, runId);
  await learnEmployeeIds(db, runId);
  await sql`
    delete from members m using runs r
    where m.run_id = ${runId} and r.id = m.run_id and r.released_at is not null and m.action = 'unchanged'
      and not (r.roster->>'partial')::boolean
      and not exists (select 1 from deliveries d
        where d.run_id = m.run_id and d.person_key = m.person_key)`.execute(db);
  await sql`
    delete from unchanged_people u using runs r
      where u.run_id = ${runId} and r.id = u.run_id and r.released_at is not null`.execute(db);
}

/**
 * Ends a run in which nothing is left to be sent; what guards stopped of it is decided by a person, however the rest of
 * it went. One transaction that nobody can come into: what is approved at this moment is sent first. Returns whether
 * it did.
 */
export async function closeRun(db: Database, runId: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    await lockRun(transaction, runId);
    if (!(await isDelivered(transaction, runId))) return false;
    const held = await countHeld(transaction, runId);
    if (held > 0) {
      return moveRun(transaction, runId, 'holdRest', { by: 'guard', reason: heldReason(held) });
    }
    const { partial = 0, failed = 0, unknown = 0 } = await countOutcomes(transaction, runId);
    return moveRun(transaction, runId, partial + failed + unknown > 0 ? 'finishWithFailures' : 'finish');
  });
}

export interface GoingOn {
  /** `retry` tries its failures again. */
  move: 'resume' | 'retry';
  /** Which failures; all of them unless given. */
  only?: FailureFilter;
  /** Another rate of its own. */
  rate?: Rate;
  /** The kinds of events that say that people leave: whom those named since is not sent. */
  leaving?: readonly string[] | undefined;
}

/**
 * Continues a run: what a newer roster has overtaken is taken out, its failures are tried again where that is
 * asked for, and it is `delivering`. One transaction: of two processes that ask, one does it, and where the run must not
 * go on now nothing of it is changed.
 * @returns how many deliveries were overtaken; undefined when the run is in no state from which it may
 * @throws BusyError while another run of its source plans or delivers; NotNowError when its people are no longer kept, no
 *   failure is the one that `only` means, others would be sent besides, or a newer roster has overtaken all of a retry
 */
export async function continueRun(
  db: Database,
  runId: string,
  { move, only, rate, leaving }: GoingOn,
): Promise<number | undefined> {
  return db.transaction().execute(async (transaction) => {
    await takeTurn(transaction, runId);
    const { status, rosterRemovedAt, receiptsRemovedAt } = await lockRun(transaction, runId);
    if (!mayMove(move, status)) return undefined;
    if (rosterRemovedAt ?? receiptsRemovedAt) throw new NotNowError(say('removedPeople', 1, { runId }));
    if (status === 'paused') await takeAsSeen(transaction, runId);
    if (only !== undefined) await refuseOthers(transaction, runId);
    const gone = await keysLeaving(transaction, runId, leaving);
    if (move === 'retry' && (await reopenFailures(transaction, runId, gone, only)) === 0 && only !== undefined) {
      throw new NotNowError(say('noSuchFailure', 1, { runId }));
    }
    const overtaken = await supersedeByNewer(transaction, runId);
    // It would count as delivered, although nobody was sent.
    if (move === 'retry' && overtaken > 0 && (await isDelivered(transaction, runId)))
      throw new NotNowError(say('allOvertaken', overtaken, { runId }));
    if (rate !== undefined) await setRate(transaction, runId, rate);
    await hastenRun(transaction, runId);
    await moveRun(transaction, runId, move);
    await supersedeLeaving(transaction, runId, leaving);
    return overtaken;
  });
}

/** Whom a deadline left out would be sent too, whichever failures are meant. */
async function refuseOthers(db: Database, runId: string): Promise<void> {
  const unsent = await countOf(db)`select count(*) as count from deliveries where run_id = ${runId} and state = 'due'`;
  if (unsent > 0)
    throw new NotNowError(say('othersUnsent', unsent, { runId, unsent }), { next: onRun(runId, 'retry') });
}

/**
 * Makes due at once what of a run waits only for a back-off or for the probe of an outage: a person who resumes a run
 * does not wait a quarter of an hour for a service that is back. What waits because the service named a time, or
 * because a call may still be in flight, stays.
 */
export async function hastenRun(db: Database, runId: string): Promise<void> {
  await sql`
    update deliveries d set due_at = clock_timestamp()
    where d.run_id = ${runId} and d.state = 'due' and d.due_at > clock_timestamp() and not d.repeated
      and not exists (select 1 from paces p
        where p.service = d.service and p.throttled_until > clock_timestamp())`.execute(db);
}

/**
 * Makes the deliveries of a run that did not succeed due again, or those that a filter means, with fresh attempts and the
 * whole of its deadline. A call whose outcome is unknown is repeated by that (R7). Returns how many.
 */
async function reopenFailures(
  db: Database,
  runId: string,
  gone: readonly string[],
  filter: FailureFilter = {},
): Promise<number> {
  await renewDeadline(db, runId);
  // Nobody who was erased or leaves is sent again, nor at an address that was renamed at the service. The job of the last call may still be in the queue for a moment: this is another one.
  return changed(db)`
    update deliveries d
    set state = 'due', stage = 0, outcome = null, ended_at = null, attempts = 0, due_at = now(), reason = '', answer_kind = null, answer_status = null,
      feeds = feeds + 1, repeated = repeated or outcome = 'unknown'
    where d.run_id = ${runId} and ${isFailure(filter)} and d.person_key <> all (${gone}::text[])
      and exists (select 1 from members m where m.run_id = d.run_id and m.person_key = d.person_key)
      and not exists (select 1 from resolutions x where x.service = d.service and x.old_key = d.person_key
        and x.new_key <> x.old_key and x.decision = 'renamed-there' and x.decided_at > d.ended_at)`;
}
