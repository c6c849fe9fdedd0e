// Records people as enrolled elsewhere, without a delivery.
import { sql } from 'kysely';
import { lockRun } from '../runs/runs.ts';
import { type Database, changed } from '../database/database.ts';
import { closeOlderHolds } from '../moves/supersede.ts';
import { leaveByBaseline } from '../people/left-behind.ts';
import { takeEffect, tidyUp } from '../moves/release.ts';
import { moveRun } from '../moves/move-run.ts';
import { type KeyRange, keyRanges } from './key-ranges.ts';

/** What is written with a run whose people were given everything elsewhere. */
const baselineReason = 'recorded as given already, elsewhere; nothing was sent';

/**
 * Records the people of a planned run as given already, without a delivery or a receipt; its roster counts as the newest
 * of its source. Others get their turn after each range of them. If the process dies in between, the next one does the rest
 * (`failOrphanedPlans`): a half of them would be sent to by mistake. Returns how many were recorded: those who are unchanged were known.
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
    select r.service, r.source, m.person_key, m.fingerprint, m.firstname, m.lastname, m.email, m.telephone, m.groups,
      (r.settings->>'forceSync')::boolean, clock_timestamp(), r.id, 'succeeded', r.id, m.employee_id
    from members m join runs r on r.id = m.run_id
    where m.run_id = ${runId} and m.action <> 'unchanged' and ${isInRange(sql`m.person_key`)}
    on conflict (service, person_key, source) do update set fingerprint = excluded.fingerprint,
      firstname = excluded.firstname, lastname = excluded.lastname, email = excluded.email, telephone = excluded.telephone,
      groups = excluded.groups, force_sync = excluded.force_sync, given_at = excluded.given_at, given_run = excluded.given_run,
      last_outcome = excluded.last_outcome, last_run = excluded.last_run, refusals = 0,
      employee_id = coalesce(excluded.employee_id, people.employee_id)`;
}
