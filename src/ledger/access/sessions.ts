// Who is signed in to the pages: sessions, and the links that begin one.
import { sql } from 'kysely';
import type { Scope } from '../../core/secrets/token.ts';
import type { Database } from '../database/database.ts';

/** A session of the pages, or a link that begins one; its secret is not kept. */
export interface PageSession {
  id: string;
  /** SHA-256 of its secret, hexadecimal. */
  hash: string;
  /** As the audit names them. */
  name: string;
  scopes: Scope[];
  /** A link works once, and makes a session. */
  isLink: boolean;
  createdAt: Date;
  expiresAt: Date;
}

const columns = [
  'id',
  'hash',
  'name',
  'scopes',
  'is_link as isLink',
  'created_at as createdAt',
  'expires_at as expiresAt',
] as const;

/** Adds a session or a link, for a time in ms; those that are over are removed. */
export async function addSession(
  db: Database,
  { id, hash, name, scopes, isLink }: Omit<PageSession, 'createdAt' | 'expiresAt'>,
  forMs: number,
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('expires_at', '<', sql<Date>`clock_timestamp()`)
    .execute();
  await db
    .insertInto('sessions')
    .values({
      ...{ id, hash, name, scopes: JSON.stringify(scopes), is_link: isLink },
      expires_at: sql<Date>`clock_timestamp() + ${forMs} * interval '1 millisecond'`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The session of an id, unless it is over; a link is none. */
export async function findSession(db: Database, id: string): Promise<PageSession | undefined> {
  return db
    .selectFrom('sessions')
    .select(columns)
    .where('id', '=', id)
    .where('is_link', '=', false)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
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

/** Ends a session. */
export async function endSession(db: Database, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute();
}
