// Keeps whom nobody may send, as keyed hashes.
import { sql } from 'kysely';
import { forgottenDigest, forgottenTest } from '../../core/person/forgotten.ts';
import type { Forgotten } from '../directory/backup.ts';
import type { Database } from '../database/database.ts';

/** The key under which a ledger remembers whom nobody may send, and that it tells nobody. */
export async function forgetKey(db: Database): Promise<string> {
  const { forget_key } = await db.selectFrom('ledger').select('forget_key').executeTakeFirstOrThrow();
  return forget_key;
}

/** Keyed hashes of the people who must not be sent to a service. */
export async function forgottenAt(db: Database, service: string): Promise<string[]> {
  const rows = await db.selectFrom('forgotten').select('digest').where('service', '=', service).execute();
  return rows.map(({ digest }) => digest);
}

/** Everybody who must not be sent, for a backup: without this they would be sent again by a ledger made of it. */
export async function allForgotten(db: Database): Promise<Forgotten> {
  const people = await db.selectFrom('forgotten').select(['service', 'digest']).orderBy('forgotten_at').execute();
  return { key: await forgetKey(db), people };
}

/** When the person with this key was first erased, who is kept out since; null where they are not. */
export async function whenForgotten(db: Database, key: string): Promise<Date | null> {
  const found = await db
    .selectFrom('forgotten')
    .select('forgotten_at')
    .where('digest', '=', forgottenDigest(await forgetKey(db), key))
    .orderBy('forgotten_at')
    .executeTakeFirst();
  return found?.forgotten_at ?? null;
}

/** Says about a key whether the person must not be sent to a service. Until the transaction ends, nobody else is erased. */
export async function keptOutTest(transaction: Database, service: string): Promise<(key: string) => boolean> {
  await sql`lock table forgotten in share mode`.execute(transaction);
  return forgottenTest(await forgetKey(transaction), await forgottenAt(transaction, service));
}

/** Records keyed hashes of people who must not be sent. */
export async function blockPeople(db: Database, people: readonly { service: string; digest: string }[]): Promise<void> {
  if (people.length === 0) return;
  await db
    .insertInto('forgotten')
    .values([...people])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
