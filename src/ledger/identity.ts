import { sql } from 'kysely';
import type { Database } from './database.ts';

/** The identity of this ledger, 32 hexadecimal characters; part of the queue's prefix. */
export async function ledgerId(db: Database): Promise<string> {
  const { id } = await db.selectFrom('ledger').select('id').executeTakeFirstOrThrow();
  return id;
}

/** Gives a ledger that was made from the template an identity and a secret key of its own; one that has them keeps them. */
export async function ensureIdentity(db: Database): Promise<void> {
  await sql`
    insert into ledger (id) select replace(gen_random_uuid()::text, '-', '') where not exists (select 1 from ledger)`.execute(
    db,
  );
}
