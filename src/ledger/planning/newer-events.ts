// Keeps an older roster from undoing what a newer event has set.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/**
 * Time does not run backwards for a person (R13): of whom an event has told since the time of this roster, it says nothing
 * new, whatever is in it. They count as unchanged, also while what the event told is still to be sent. Returns how many.
 */
export async function leaveToNewerEvents(
  db: Database,
  { runId, source, service }: { runId: string; source: string; service: string },
): Promise<number> {
  const { rows: newer } = await sql<{ id: string }>`
    select e.id from runs e, runs r
    where r.id = ${runId} and not r.beside and e.beside and e.service = ${service} and e.source = ${source}
      and e.released_at is not null and e.status <> 'cancelled'
      and (e.roster->>'time')::timestamptz > (r.roster->>'time')::timestamptz`.execute(db);
  if (newer.length === 0) return 0;
  const events = JSON.stringify(newer.map(({ id }) => id));
  const { numAffectedRows = 0n } = await sql`
    update members m set action = 'unchanged', left_behind = false, resend = false
    where m.run_id = ${runId} and m.action <> 'unchanged' and exists (
      select 1 from members e left join deliveries d on d.run_id = e.run_id and d.person_key = e.person_key
      where e.person_key = m.person_key and e.run_id in (select jsonb_array_elements_text(${events}::jsonb))
        and (d.outcome is null or d.outcome = 'succeeded')
    )`.execute(db);
  return Number(numAffectedRows);
}
