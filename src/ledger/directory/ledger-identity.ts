// Stores the ledger's id, secret key and count of backups.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Which ledger this is, and how many backups it has written. */
export interface LedgerIdentity {
  /** 32 hexadecimal characters; part of the queue's prefix. */
  id: string;
  backups: number;
}

export async function ledgerIdentity(db: Database): Promise<LedgerIdentity> {
  return db.selectFrom('ledger').select(['id', 'backups']).executeTakeFirstOrThrow();
}

export async function ledgerId(db: Database): Promise<string> {
  return (await ledgerIdentity(db)).id;
}

/** Counts a backup that is about to be written, and the people who will be in it. */
export async function beginBackup(db: Database): Promise<LedgerIdentity & { people: number }> {
  const { id, backups } = await db
    .updateTable('ledger')
    .set(({ eb }) => ({ backups: eb('backups', '+', 1) }))
    .returning(['id', 'backups'])
    .executeTakeFirstOrThrow();
  const { people } = await db
    .selectFrom(db.selectFrom('people').select(['service', 'person_key']).distinct().as('known'))
    .select(({ fn }) => fn.countAll<number>().as('people'))
    .executeTakeFirstOrThrow();
  return { id, backups, people };
}

/** Gives a ledger that was made from the template an identity and a secret key of its own; one that has them keeps them. */
export async function ensureIdentity(db: Database): Promise<void> {
  // A ledger that may only be read just now has them, and must not be asked to write.
  if (await db.selectFrom('ledger').select('id').executeTakeFirst()) return;
  await sql`
    insert into ledger (id) select replace(gen_random_uuid()::text, '-', '') where not exists (select 1 from ledger)`.execute(
    db,
  );
}
