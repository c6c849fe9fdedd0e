// Which process feeds the queue of a service.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/**
 * Makes a process the one that feeds the queue of a service, for a time from now, or for that time again; unless another
 * one is. It is a lease and no lock of a session: a machine that was stopped, or cut off silently, would hold a
 * lock for hours. A lease that ends later than any can was taken before the clock was set back: it has ended.
 * Returns whether it is the one.
 */
export async function leadFeeding(
  db: Database,
  { service, worker, forMs }: { service: string; worker: string; forMs: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into feeders (service, worker, until)
    values (${service}, ${worker}, clock_timestamp() + ${forMs} * interval '1 millisecond')
    on conflict (service) do update set worker = excluded.worker, until = excluded.until
      where feeders.worker = excluded.worker or feeders.until < clock_timestamp()
        or feeders.until > clock_timestamp() + ${forMs + 60_000} * interval '1 millisecond'
    returning service`.execute(db);
  return rows.length > 0;
}
