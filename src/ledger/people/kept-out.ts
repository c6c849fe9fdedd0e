// Keeps whom nobody may send, as keyed hashes.
import { sql } from 'kysely';
import { forgottenDigest, forgottenTest } from '../../core/person/forgotten.ts';
import { type Database, inserting, rowsOf, theRow, valuesOf } from '../database/database.ts';
import { keysIn } from '../../core/person/spellings.ts';

/** The key under which a ledger remembers whom nobody may send, and that it tells nobody. */
export async function forgetKey(db: Database): Promise<string> {
  const { key } = await theRow<{ key: string }>(db)`select forget_key as key from ledger`;
  return key;
}

/** Keyed hashes of the people who must not be sent to a service. */
export async function forgottenAt(db: Database, service: string): Promise<string[]> {
  return valuesOf<string>(db)`select digest from forgotten where service = ${service}`;
}

/** When the person with this key was first erased, who is kept out since; null where they are not. */
export async function whenForgotten(db: Database, key: string): Promise<Date | null> {
  const digest = forgottenDigest(await forgetKey(db), key);
  const { at } = await theRow<{ at: Date | null }>(db)`
    select min(forgotten_at) as at from forgotten where digest = ${digest}`;
  return at;
}

/** Says about a key whether the person must not be sent to a service. Until the transaction ends, nobody else is erased. */
export async function keptOutTest(transaction: Database, service: string): Promise<(key: string) => boolean> {
  await sql`lock table forgotten in share mode`.execute(transaction);
  return forgottenTest(await forgetKey(transaction), await forgottenAt(transaction, service));
}

/** Records keyed hashes of people who must not be sent. */
export async function blockPeople(db: Database, people: readonly { service: string; digest: string }[]): Promise<void> {
  if (people.length > 0) await sql`${inserting('forgotten', people)} on conflict do nothing`.execute(db);
}

/** An event can be about somebody who was forgotten before it came: of the given ones, erases the bodies that hold such an address. */
export async function eraseForgottenBodies(db: Database, ids: readonly number[]): Promise<void> {
  const digests = await valuesOf<string>(db)`select distinct digest from forgotten`;
  if (digests.length === 0) return;
  const isForgotten = forgottenTest(await forgetKey(db), digests);
  const rows = await rowsOf<{ id: number; body: string }>(db)`
    select id, body from events where id = any (${ids}::bigint[]) and body is not null`;
  for (const { id, body } of rows) {
    const keys = keysIn(body).filter(isForgotten);
    if (keys.length > 0)
      await sql`
        update events set body = null, people = null, leavers = leavers - ${keys}::text[] where id = ${id}`.execute(db);
  }
}
