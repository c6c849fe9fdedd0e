// Who is signed in to the pages: sessions, the links that begin one, and sign-ins under way.
import { sql } from 'kysely';
import { type Back, type Role, scopesOf } from '../../core/access/roles.ts';
import type { Scope } from '../../core/secrets/token.ts';
import { type Database, changed, rowOf } from '../database/database.ts';

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
  /** The key of the account that began it; null where none did. */
  account: string | null;
  createdAt: Date;
  expiresAt: Date;
}

const columns = sql`
  id, hash, s.name, scopes, is_link as "isLink", account, s.created_at as "createdAt", expires_at as "expiresAt"`;

export type NewSession = Omit<PageSession, 'account' | 'createdAt' | 'expiresAt'> & { account?: string };

/** Adds a session or a link, for a time in ms; those that are over are removed. */
export async function addSession(
  db: Database,
  { id, hash, name, scopes, isLink, account = '' }: NewSession,
  forMs: number,
): Promise<void> {
  await sql`delete from sessions where expires_at < clock_timestamp()`.execute(db);
  await sql`
    insert into sessions (id, hash, name, scopes, is_link, account, expires_at)
    values (${id}, ${hash}, ${name}, ${JSON.stringify(scopes)}, ${isLink}, ${account === '' ? null : account},
      clock_timestamp() + ${forMs} * interval '1 millisecond')
    on conflict do nothing`.execute(db);
}

/** The session of an id, unless it is over; a link is none. What an account may do is what its role is now. */
export async function findSession(db: Database, id: string): Promise<PageSession | undefined> {
  const found = await rowOf<PageSession & { role: Role | null }>(db)`
    select ${columns}, role from sessions s left join accounts on accounts.key = s.account
    where id = ${id} and not is_link and expires_at > clock_timestamp()`;
  if (!found) return undefined;
  const { role, ...session } = found;
  if (session.account === null) return session;
  // Its account was removed while somebody signed in.
  return role === null ? undefined : { ...session, scopes: scopesOf(role) };
}

/** Uses a link up: only one request gets it, and only in its time. The caller checks its secret. */
export async function takeLink(db: Database, id: string): Promise<PageSession | undefined> {
  return rowOf<PageSession>(db)`
    delete from sessions s
      where id = ${id} and is_link and expires_at > clock_timestamp() returning ${columns}`;
}

/** Ends every session and link of an account, or of somebody of that name. Returns how many there were. */
export async function endSessionsOf(
  db: Database,
  { account, name }: { account: string; name: string },
): Promise<number> {
  return changed(db)`
    delete from sessions where account = ${account} or name = ${name}`;
}

export async function endSession(db: Database, id: string): Promise<void> {
  await sql`delete from sessions where id = ${id}`.execute(db);
}

export interface SignIn {
  /** SHA-256 of what the cookie of that browser holds, hexadecimal. */
  id: string;
  state: string;
  nonce: string;
  /** Of PKCE: whoever has the code alone cannot use it. */
  verifier: string;
  back: Back;
}

/** Keeps a sign-in for a time in ms; those that are over are removed. */
export async function keepSignIn(
  db: Database,
  { id, state, nonce, verifier, back }: SignIn,
  forMs: number,
): Promise<void> {
  await sql`delete from sign_ins where expires_at < clock_timestamp()`.execute(db);
  await sql`
    insert into sign_ins (id, state, nonce, verifier, back, expires_at)
    values (${id}, ${state}, ${nonce}, ${verifier}, ${JSON.stringify(back)}, clock_timestamp() + ${forMs} * interval '1 millisecond')
    on conflict do nothing`.execute(db);
}

/** Takes a sign-in, once and in its time. */
export async function takeSignIn(db: Database, id: string): Promise<SignIn | undefined> {
  return rowOf<SignIn>(db)`
    delete from sign_ins where id = ${id} and expires_at > clock_timestamp()
    returning id, state, nonce, verifier, back`;
}
