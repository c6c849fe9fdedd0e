// The runs that deliver, as the feeder sees them.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

export interface DeliveringRun {
  id: string;
  /** A few people whom an event named. */
  urgent: boolean;
  deadlineMs: number;
  /** The time it has delivered so far, ms, by the clock of the ledger. */
  spentMs: number;
  /** Its clock stands: its process ended without signing off, and nobody has continued it. */
  stands: boolean;
  /** Counts the changes of its state. */
  turn: number;
}

/** The runs of a service that are delivering, the oldest first; or only those named. */
export async function deliveringRuns(
  db: Database,
  service: string,
  only?: readonly string[],
): Promise<DeliveringRun[]> {
  const { rows } = await sql<DeliveringRun>`
    select id, beside as urgent, (settings->>'deadlineMs')::bigint as "deadlineMs", delivering_since is null as stands, state_changes as turn,
      delivered_ms - deadline_from
        + coalesce(greatest(0, extract(epoch from clock_timestamp() - delivering_since) * 1000)::bigint, 0) as "spentMs"
    from runs where status = 'delivering' and service = ${service} and (${only ?? null}::text[] is null or id = any(${only ?? null}::text[]))
    order by number`.execute(db);
  return rows;
}

/** Whether every delivery of a run has ended, but those that wait for an approval. */
export async function isDelivered(db: Database, runId: string): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select exists (select 1 from deliveries where run_id = ${runId} and state = 'due')
      or exists (select 1 from deliveries where run_id = ${runId} and state = 'waiting') as open`.execute(db);
  return rows[0]?.open === false;
}

/** How many calls of a run are in flight, or about to be. */
export async function countInFlight(db: Database, runId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from in_hand where run_id = ${runId} and called_at is not null`.execute(db);
  return rows[0]?.count ?? 0;
}
