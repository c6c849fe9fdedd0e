import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * How long, ms, a service has asked not to be called, by the `Retry-After` of throttled calls that wait for their time; 0
 * when it has not. For a pace that does not know: it begins, or Redis has lost it.
 */
export async function throttledFor(db: Database, service: string): Promise<number> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from max(d.due_at) - clock_timestamp()) * 1000)::double precision as ms
    from deliveries d join receipts r on r.delivery_id = d.id and r.call = d.calls
    where d.service = ${service} and d.state = 'due' and d.due_at > clock_timestamp()
      and d.alike like 'throttled%' and r.headers ? 'retry-after'`.execute(db);
  return Math.max(0, rows[0]?.ms ?? 0);
}
