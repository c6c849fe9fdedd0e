// Begins a run; ends one that was recorded as given elsewhere, ran out of time, expired, or lost its process.
import { sql } from 'kysely';
import type { RunSettings, Trigger } from '../../core/run/run.ts';
import { say } from '../../core/words/say.ts';
import {
  type Database,
  isThere,
  valuesOf,
  toJson,
  changed,
  type KeyRange,
  keyRanges,
  rangesOf,
} from '../database/database.ts';
import { deliveredMs, moveRuns, oneAtATime, moveRun } from './move-run.ts';
import { isDead } from './workers.ts';
import { countHeld } from '../runs/holds.ts';
import { lockRun, type SourceAt } from '../runs/runs.ts';
import { closeOlderHolds } from './supersede.ts';
import { isRecorded, leaveByBaseline } from '../people/left-behind.ts';
import { orReplaced, withOtherRows } from './record.ts';
import { takeEffect, tidyUp } from './release.ts';

export interface NewRun extends SourceAt {
  id: string;
  trigger: Trigger;
  settings: RunSettings;
  /** The process that plans it. */
  worker: string;
  /** It holds only a few people, and may plan and deliver at the same time as another run of its source. */
  beside?: boolean;
  /** Who brought its roster or started it, as the audit names them; null where a schedule or an event did. */
  begunBy?: string | null;
}

/**
 * Begins a run in `planning`.
 * @throws BusyError while another run of its source plans or delivers, in any process
 */
export async function createRun(db: Database, run: NewRun): Promise<void> {
  // Asked again after the first answer was lost, it is there already.
  await oneAtATime(
    sql`
      insert into runs (${columns}, status, status_reason) values (${valuesOfRun(run)}, 'planning', '')
      on conflict (id) do nothing`.execute(db),
  );
}

const columns = sql`id, source, service, trigger, worker, settings, beside, begun_by`;

function valuesOfRun({ id, source, service, trigger, worker, settings, beside = false, begunBy = null }: NewRun) {
  return sql.join([id, source, service, trigger, worker, toJson(settings), beside, begunBy]);
}

/** Ends a run that could not be planned, whether or not anything is left of it: nothing of it was sent. */
export async function failRun(db: Database, run: NewRun, reason: string): Promise<void> {
  await sql`
    insert into runs (${columns}, status, status_reason, stopped_by, finished_at)
    values (${valuesOfRun(run)}, 'failed', ${reason}, 'service', clock_timestamp())
    on conflict (id) do update set (status, status_reason, stopped_by, finished_at)
      = (excluded.status, excluded.status_reason, excluded.stopped_by, excluded.finished_at)
      where runs.status = 'planning'`.execute(db);
}

/**
 * Ends a run that has spent its time in `delivering`; what it has not sent stays unsent. A run of which guards stop something
 * is held, and an approval sends the rest too. Returns whether it did.
 * @param deadlineMs the time a run may spend in `delivering`
 */
export async function endAtDeadline(db: Database, id: string, deadlineMs: number): Promise<boolean> {
  const isOver = sql<boolean>`id = ${id} and delivering_since is not null and ${deliveredMs} - deadline_from > ${deadlineMs}`;
  return db.transaction().execute(async (transaction) => {
    await lockRun(transaction, id);
    if (!(await isThere(transaction)`select 1 from runs where ${isOver}`)) return false;
    const isHeld = (await countHeld(transaction, id)) > 0;
    const [move, by, verb] = isHeld
      ? (['holdRest', 'guard', 'approve'] as const)
      : (['runOutOfTime', 'service', 'retry'] as const);
    // It is told, and may be decided for as long, as a hold of its own.
    if (isHeld) await sql`update runs set held_at = clock_timestamp() where id = ${id}`.execute(transaction);
    return moveRun(transaction, id, move, { by, reason: `its deadline has passed; \`${verb}\` sends what is left` });
  });
}

/** Ends holds that nobody has decided within `afterMs`. Returns the runs that ended. */
export async function expireHolds(db: Database, afterMs: number): Promise<string[]> {
  const isOver = sql<boolean>`held_at < clock_timestamp() - ${afterMs} * interval '1 millisecond'`;
  const reason = say('holdExpired', Math.round(afterMs / 3_600_000));
  return moveRuns(db, 'expire', isOver, { by: 'guard', reason });
}

/** What is written with a run whose process died before there was a plan. */
export const diedWhilePlanning = (): string => say('diedWhilePlanning', 1);

/**
 * Ends the runs that a process was still planning when it died: nothing of them was sent. Those whose people it was recording
 * as given elsewhere are recorded to the end.
 * @param witness who asks again and again; see `isDead`
 */
export async function failOrphanedPlans(db: Database, deadAfterMs: number, witness?: string): Promise<void> {
  const isOrphaned = isDead(sql`runs.worker`, { worker: witness, deadAfterMs });
  const baselines = await valuesOf<string>(db)`
    select id from runs where status = 'planning' and baseline and ${isOrphaned}`;
  for (const id of baselines) await recordBaseline(db, id);
  const failed = await moveRuns(db, 'fail', isOrphaned, { by: 'service', reason: diedWhilePlanning() });
  for (const id of failed) await dropDeliveries(db, id);
}

/** Takes out what a run that was never released was to send, so that nobody takes it for cancelled, or for sent perhaps. */
async function dropDeliveries(db: Database, runId: string): Promise<void> {
  for (const isInRange of await rangesOf(db, sql`id`, sql`deliveries where run_id = ${runId}`))
    await sql`delete from deliveries where run_id = ${runId} and ${isInRange(sql`id`)}`.execute(db);
}

/** What is written with a run whose people were given everything elsewhere. */
const baselineReason = 'recorded as given already, elsewhere; nothing was sent';

/**
 * Records the people of a planned run as given already, without a delivery or a receipt; its roster counts as the newest
 * of its source. Others get their turn after each range of them. If the process dies in between, the next one does the rest
 * (`failOrphanedPlans`): a half of them would be sent to by mistake. Returns how many were recorded: those who are unchanged were known,
 * and who has not started, or has left, was not given what the roster says.
 */
export async function recordBaseline(db: Database, runId: string): Promise<number> {
  await sql`update runs set baseline = true where id = ${runId} and status = 'planning'`.execute(db);
  let recorded = 0;
  for (const range of await keyRanges(db, runId)) {
    recorded += await whilePlanning(db, runId, (transaction) => record(transaction, runId, range));
  }
  await whilePlanning(db, runId, async (transaction) => {
    await closeOlderHolds(transaction, runId);
    await takeEffect(transaction, runId);
    await moveRun(transaction, runId, 'baseline', { by: 'person', reason: baselineReason });
    return 0;
  });
  await tidyUp(db, runId);
  return recorded;
}

async function whilePlanning(
  db: Database,
  runId: string,
  act: (transaction: Database) => Promise<number>,
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { status } = await lockRun(transaction, runId);
    return status === 'planning' ? act(transaction) : 0;
  });
}

async function record(db: Database, runId: string, isInRange: KeyRange): Promise<number> {
  await leaveByBaseline(db, runId, isInRange);
  return changed(db)`
    insert into people (service, source, person_key, fingerprint, firstname, lastname, email, telephone, groups, force_sync,
      given_at, given_run, last_outcome, last_run, employee_id)
    select r.service, r.source, m.person_key, given.fingerprint, m.firstname, m.lastname, m.email, m.telephone, given.groups,
      (r.settings->>'forceSync')::boolean, clock_timestamp(), r.id, 'succeeded', r.id, m.employee_id
    from members m join runs r on r.id = m.run_id cross join lateral ${withOtherRows} given
    where m.run_id = ${runId} and ${isRecorded} and ${isInRange(sql`m.person_key`)}
    ${orReplaced}`;
}
