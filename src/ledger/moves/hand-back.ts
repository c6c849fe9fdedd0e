// Hand back: what a worker claimed and did not call is due again.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { lanesOf, isMine } from './in-hand.ts';
import { supersedeOvertaken } from './supersede.ts';

export async function handBack(
  db: Database,
  worker: string,
  handed: readonly { id: number; waitMs: number }[],
): Promise<void> {
  const inOrder = handed.toSorted((a, b) => a.id - b.id);
  const ids = inOrder.map(({ id }) => id);
  await sql`
    with handed as (
      select * from jsonb_to_recordset(${JSON.stringify(inOrder)}::jsonb) as h (id bigint, "waitMs" double precision)
    ), given as (
      delete from in_hand h using ${lanesOf(sql`handed`, { locked: true })} mine
      where ${isMine(worker)} returning h.delivery_id as id
    )
    update deliveries d
    set state = 'due', feeds = d.feeds + 1, due_at = clock_timestamp() + h."waitMs" * interval '1 millisecond'
    from given g join handed h on h.id = g.id
    where d.id = any (${ids}::bigint[]) and d.id = g.id and d.state in ('due', 'waiting')`.execute(db);
  await supersedeOvertaken(db, ids);
}
