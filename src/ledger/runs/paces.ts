// What is remembered of the pace of a service: its calls of the last while, and the share of the rate that it bears.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** When the service was called within the last `withinMs`, oldest first, as ms ago: at most `limit` calls. */
export async function recentCalls(db: Database, service: string, withinMs: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ ago: number }>`
    select (extract(epoch from clock_timestamp() - called_at) * 1000)::double precision as ago from (
      (select r.called_at from receipts r join deliveries d on d.id = r.delivery_id
        where d.service = ${service} and r.called_at > clock_timestamp() - ${withinMs} * interval '1 millisecond'
        order by r.called_at desc limit ${limit})
      union all
      select called_at from in_hand where service = ${service} and called_at is not null
    ) calls order by called_at desc limit ${limit}`.execute(db);
  return rows.map(({ ago }) => ago).toReversed();
}

/** The share of the configured rate that a service bore when it was last called; 1 for a service never called. */
export async function rememberedShare(db: Database, service: string): Promise<number> {
  const pace = await db.selectFrom('paces').select('share').where('service', '=', service).executeTakeFirst();
  return pace?.share ?? 1;
}

/** Remembers the share of the configured rate that a service bears. */
export async function rememberShare(db: Database, service: string, share: number): Promise<void> {
  await sql`
    insert into paces (service, share) values (${service}, ${share})
    on conflict (service) do update set share = excluded.share`.execute(db);
}
