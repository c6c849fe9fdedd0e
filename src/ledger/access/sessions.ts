// Who is signed in to the pages: sessions, and the links that begin one.
import { type Selection, sql } from 'kysely';
import { scopesOf } from '../../core/access/roles.ts';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/schema.ts';

const columns = [
  'id',
  'hash',
  'name',
  'scopes',
  'is_link as isLink',
  'account',
  'created_at as createdAt',
  'expires_at as expiresAt',
] as const;

/** A session of the pages, or a link that begins one; its secret is not kept. */
export type PageSession = Selection<Tables, 'sessions', (typeof columns)[number]>;

export type NewSession = Omit<PageSession, 'account' | 'createdAt' | 'expiresAt'> & { account?: string };

/** Adds a session or a link, for a time in ms; those that are over are removed. */
export async function addSession(
  db: Database,
  { id, hash, name, scopes, isLink, account = '' }: NewSession,
  forMs: number,
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('expires_at', '<', sql<Date>`clock_timestamp()`)
    .execute();
  await db
    .insertInto('sessions')
    .values({
      id,
      hash,
      name,
      scopes: JSON.stringify(scopes),
      is_link: isLink,
      account: account === '' ? null : account,
      expires_at: sql<Date>`clock_timestamp() + ${forMs} * interval '1 millisecond'`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The session of an id, unless it is over; a link is none. What an account may do is what its role is now. */
export async function findSession(db: Database, id: string): Promise<PageSession | undefined> {
  const found = await db
    .selectFrom('sessions')
    .leftJoin('accounts', 'accounts.key', 'sessions.account')
    .select(['id', 'hash', 'sessions.name', 'scopes', 'is_link as isLink', 'account', 'role'])
    .select(['sessions.created_at as createdAt', 'expires_at as expiresAt'])
    .where('id', '=', id)
    .where('is_link', '=', false)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  if (!found) return undefined;
  const { role, ...session } = found;
  if (session.account === null) return session;
  // Its account was removed while somebody signed in.
  return role === null ? undefined : { ...session, scopes: scopesOf(role) };
}

/** Uses a link up: only one request gets it, and only in its time. The caller checks its secret. */
export async function takeLink(db: Database, id: string): Promise<PageSession | undefined> {
  return db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('is_link', '=', true)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .returning(columns)
    .executeTakeFirst();
}

/** Ends every session and link of an account, or of somebody of that name. Returns how many there were. */
export async function endSessionsOf(
  db: Database,
  { account, name }: { account: string; name: string },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where((where) => where.or([where('account', '=', account), where('name', '=', name)]))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export async function endSession(db: Database, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute();
}
