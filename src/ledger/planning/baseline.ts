// Records people as enrolled elsewhere, without a delivery.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { closeOlderHolds } from '../runs/holds.ts';
import { learnEmployeeIds } from './identities.ts';
import { leaveByBaseline } from '../people/left-behind.ts';
import { forgetUnchanged } from '../moves/release.ts';
import { supersedeOlder } from '../moves/supersede.ts';
import { moveRun } from '../moves/move-run.ts';

/** What is written with a run whose people were given everything elsewhere. */
const baselineReason = 'recorded as given already, elsewhere; nothing was sent';

/**
 * Records the people of a planned run as given already, without a delivery or a receipt; its roster counts as the newest
 * of its source. One transaction. Returns how many were recorded: those who are unchanged were known.
 */
export async function recordBaseline(db: Database, runId: string): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { status } = await transaction
      .selectFrom('runs')
      .select('status')
      .where('id', '=', runId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (status !== 'planning') return 0;
    await leaveByBaseline(transaction, runId);
    const { numAffectedRows } = await sql`
      insert into people (service, source, person_key, fingerprint, firstname, lastname, email, telephone, groups, force_sync,
        given_at, given_run, last_outcome, last_run, employee_id)
      select r.service, r.source, m.person_key, m.fingerprint, m.firstname, m.lastname, m.email, m.telephone, m.groups,
        (r.settings->>'forceSync')::boolean, clock_timestamp(), r.id, 'succeeded', r.id, m.employee_id
      from members m join runs r on r.id = m.run_id
      where m.run_id = ${runId} and m.action <> 'unchanged'
      on conflict (service, person_key, source) do update set fingerprint = excluded.fingerprint,
        firstname = excluded.firstname, lastname = excluded.lastname, email = excluded.email, telephone = excluded.telephone,
        groups = excluded.groups, force_sync = excluded.force_sync, given_at = excluded.given_at, given_run = excluded.given_run,
        last_outcome = excluded.last_outcome, last_run = excluded.last_run, refusals = 0,
        employee_id = coalesce(excluded.employee_id, people.employee_id)`.execute(transaction);
    await supersedeOlder(transaction, runId);
    await closeOlderHolds(transaction, runId);
    await learnEmployeeIds(transaction, runId);
    await forgetUnchanged(transaction, runId);
    await sql`update runs set baseline = true, released_at = clock_timestamp() where id = ${runId}`.execute(
      transaction,
    );
    await moveRun(transaction, runId, 'baseline', { by: 'person', reason: baselineReason });
    return Number(numAffectedRows ?? 0n);
  });
}
