// Finds whom events since the time of a roster say to leave, or not to come.
import { sql } from 'kysely';
import { countOf, type Database, rowsOf, valuesOf } from '../database/database.ts';

/** The kinds of the events of a source since a time, ISO 8601. */
export async function eventKindsSince(db: Database, { source, time }: { source: string; time: string }) {
  const rows = await rowsOf<{ kind: string }>(db)`
    select distinct kind from events where source = ${source} and received_at > ${time}::timestamptz`;
  return rows.map(({ kind }) => kind);
}

/** That a member `m` of a run has an id that events of these kinds name, which came since the time of its roster. */
const isNamed = (runId: string, kinds: readonly string[]) => sql<boolean>`(
  m.run_id = ${runId} and lower(m.employee_id) in (
    select lower(n.employee) from events e join runs r on r.source = e.source
    cross join lateral jsonb_array_elements_text(e.employees) as n (employee)
    where r.id = ${runId} and e.received_at > (r.roster->>'time')::timestamptz and e.kind = any (${kinds}::text[])))`;

/** Whom they name is not sent by an older roster: a newer one says what has become of them (R13). */
export async function leaveOutLeaving(db: Database, runId: string, kinds: readonly string[]): Promise<void> {
  await sql`
    update members m set action = 'later', left_behind = false, resend = false
    where ${isNamed(runId, kinds)}`.execute(db);
}

/** How many people of a planned run such events name. */
export async function countLeaving(db: Database, runId: string, kinds: readonly string[]): Promise<number> {
  return countOf(db)`select count(*) as count from members m where ${isNamed(runId, kinds)}`;
}

/** The keys of the people of a run whom such events name. */
export async function keysLeaving(db: Database, runId: string, kinds: readonly string[]): Promise<string[]> {
  return valuesOf<string>(db)`
    select m.person_key from members m join runs r on r.id = m.run_id and not r.beside
    where ${isNamed(runId, kinds)}`;
}
