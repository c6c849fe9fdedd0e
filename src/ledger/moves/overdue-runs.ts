// The moves that time makes: a deadline passed, a hold that nobody approved, a process that died while planning.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { recordBaseline } from '../planning/baseline.ts';
import { moveRuns } from './move-run.ts';
import { isDead } from './workers.ts';

/**
 * Ends a run that has spent its time in `delivering`; what it has not sent stays unsent. Returns whether it did.
 * @param deadlineMs the time a run may spend in `delivering`
 */
export async function endAtDeadline(db: Database, id: string, deadlineMs: number): Promise<boolean> {
  const spent = sql<number>`delivered_ms - deadline_from + extract(epoch from clock_timestamp() - delivering_since) * 1000`;
  const reason = 'its deadline has passed; `retry` sends what is left';
  const ended = await moveRuns(db, 'runOutOfTime', sql`id = ${id} and ${spent} > ${deadlineMs}`, {
    by: 'service',
    reason,
  });
  return ended.length > 0;
}

/** Ends holds that nobody has decided within `afterMs`. Returns the runs that ended. */
export async function expireHolds(db: Database, afterMs: number): Promise<string[]> {
  const isOver = sql<boolean>`held_at < clock_timestamp() - ${afterMs} * interval '1 millisecond'`;
  const reason = `held for ${Math.round(afterMs / 3_600_000)} hours and not approved; what was held was not sent`;
  return moveRuns(db, 'expire', isOver, { by: 'guard', reason });
}

/** What is written with a run whose process died before there was a plan. */
export const diedWhilePlanning = 'the process ended while planning; nothing was sent';

/**
 * Ends the runs that a process was still planning when it died: nothing of them was sent. Those whose people it was recording
 * as given elsewhere are recorded to the end.
 * @param witness who asks again and again; see `isDead`
 */
export async function failOrphanedPlans(db: Database, deadAfterMs: number, witness?: string): Promise<void> {
  const isOrphaned = isDead(sql`runs.worker`, { worker: witness, deadAfterMs });
  const { rows } = await sql<{ id: string }>`
    select id from runs where status = 'planning' and baseline and ${isOrphaned}`.execute(db);
  for (const { id } of rows) await recordBaseline(db, id);
  await moveRuns(db, 'fail', isOrphaned, { by: 'service', reason: diedWhilePlanning });
}
