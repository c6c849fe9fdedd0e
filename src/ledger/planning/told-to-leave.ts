// Finds whom events since the time of a roster say to leave, or not to come.
import { sql } from 'kysely';
import { type Database, rowsOf, theRow } from '../database/database.ts';
import type { RunOfSource } from '../runs/runs.ts';

/** The kinds of the events of a source since a time, ISO 8601. */
export async function eventKindsSince(db: Database, { source, time }: { source: string; time: string }) {
  const rows = await rowsOf<{ kind: string }>(db)`
    select distinct kind from events where source = ${source} and received_at > ${time}::timestamptz`;
  return rows.map(({ kind }) => kind);
}

/** The events of these kinds since the time of the roster of a run. */
const leavingSince = (runId: string, kinds: readonly string[]) => sql`(
  select e.id, e.body, e.employees from events e join runs r on r.source = e.source
  where r.id = ${runId} and e.received_at > (r.roster->>'time')::timestamptz and e.kind = any (${kinds}::text[]))`;

/** The ids of whom they name. */
const named = (runId: string, kinds: readonly string[]) => sql`(
  select l.id as event, lower(n.employee) as employee
  from ${leavingSince(runId, kinds)} l cross join lateral jsonb_array_elements_text(l.employees) as n (employee))`;

/** Whom they name is not sent by an older roster: a newer one says what has become of them (R13). */
export async function leaveOutLeaving(db: Database, runId: string, kinds: readonly string[]): Promise<void> {
  await sql`
    update members m set action = 'later', left_behind = false, resend = false
    where m.run_id = ${runId} and lower(m.employee_id) in (select n.employee from ${named(runId, kinds)} n)`.execute(
    db,
  );
}

/** How many people of a planned run such events name, and how many of the events name somebody whose id nobody of the source has. */
export async function countLeaving(db: Database, { runId, service, source }: RunOfSource, kinds: readonly string[]) {
  return theRow<{ people: number; unknown: number }>(db)`
    with named as materialized (${named(runId, kinds)}), unknown as (
      select employee from named
      except select lower(employee_id) from members where run_id = ${runId}
      except select lower(employee_id) from rejects where run_id = ${runId}
      except select lower(employee_id) from people where service = ${service} and source = ${source})
    select (select count(*) from members m where m.run_id = ${runId} and lower(m.employee_id) in (select employee from named)) as people,
      count(*) filter (where case when jsonb_array_length(l.employees) > 0
        then l.id in (select n.event from named n join unknown u on u.employee = n.employee)
        -- Where it was erased of whom it speaks, nothing is left of what it said.
        else l.body is not null end) as unknown
    from ${leavingSince(runId, kinds)} l`;
}
