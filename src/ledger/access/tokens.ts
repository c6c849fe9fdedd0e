// Stores the API tokens, as hashes.
import { type Selection, sql } from 'kysely';
import { InputError } from '../../core/errors.ts';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/schema.ts';

const columns = [
  'id',
  'name',
  'hash',
  'scopes',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'revoked_at as revokedAt',
  'last_used_at as lastUsedAt',
] as const;

/** A token of the API, as far as it is known here: not the token itself. */
export type Token = Selection<Tables, 'tokens', (typeof columns)[number]>;

const usedEvery = sql`interval '1 minute'`;

/** @throws InputError when there is one of that name that was not revoked */
export async function addToken(
  db: Database,
  token: Pick<Token, 'id' | 'name' | 'hash' | 'scopes' | 'expiresAt'>,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('tokens')
    .values({
      id: token.id,
      name: token.name,
      hash: token.hash,
      scopes: JSON.stringify(token.scopes),
      expires_at: token.expiresAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 0n) return;
  // The first attempt may have succeeded although its answer was lost.
  if (await findToken(db, token.id)) return;
  throw new InputError(
    `There is a token ${token.name} already: choose another name, or \`roster-sync token revoke ${token.name}\` first.`,
  );
}

/** All tokens, the newest first. */
export async function listTokens(db: Database): Promise<Token[]> {
  return db.selectFrom('tokens').select(columns).orderBy('created_at', 'desc').execute();
}

/** The token of an id, whether or not it is still good. */
export async function findToken(db: Database, id: string): Promise<Token | undefined> {
  return db.selectFrom('tokens').select(columns).where('id', '=', id).executeTakeFirst();
}

/** Ends the token of a name. Returns whether there was one. */
export async function revokeToken(db: Database, name: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tokens')
    .set({ revoked_at: sql<Date>`clock_timestamp()` })
    .where('name', '=', name)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Records that a token was used; at most once a minute. */
export async function noteTokenUse(db: Database, id: string): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ last_used_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where('last_used_at', 'is', null),
        where('last_used_at', '<', sql<Date>`clock_timestamp() - ${usedEvery}`),
      ]),
    )
    .execute();
}
