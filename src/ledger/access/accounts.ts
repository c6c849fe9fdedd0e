// Stores accounts of people, and who is signed in to the pages: sessions, links that begin one, sign-ins.
import { type RawBuilder, sql } from 'kysely';
import { type Role, type Back, scopesOf } from '../../core/access/roles.ts';
import { InputError } from '../../core/errors.ts';
import { type Database, rowOf, rowsOf, valuesOf, changed } from '../database/database.ts';
import type { Scope } from '../../core/secrets/token.ts';

export interface Account {
  /** By what it is found: `accountKey` of its name. */
  key: string;
  /** As the audit names them. */
  name: string;
  role: Role;
  /** scrypt with its parameters; the password itself is not kept. */
  password: string;
  createdAt: Date;
  lastSignInAt: Date | null;
}

const listed = sql`key, name, role, created_at, last_sign_in_at`;

/** @throws InputError when there is one of that name */
export async function addAccount(
  db: Database,
  account: Pick<Account, 'key' | 'name' | 'role' | 'password'>,
): Promise<void> {
  const { key, name, role, password } = account;
  const added = await changed(db)`
    insert into accounts (key, name, role, password) values (${key}, ${name}, ${role}, ${password})
    on conflict do nothing`;
  if (added > 0) return;
  // The first attempt may have succeeded although its answer was lost; no two hashes are alike.
  if ((await findAccount(db, account.key))?.password === account.password) return;
  throw new InputError(`There is an account ${name} already.`, {
    next: [
      { act: 'access.changePassword', name },
      { act: 'access.changeRole', name },
    ],
  });
}

export async function listAccounts(db: Database): Promise<Omit<Account, 'password'>[]> {
  return rowsOf<Omit<Account, 'password'>>(db)`select ${listed} from accounts order by key`;
}

export async function findAccount(db: Database, key: string): Promise<Account | undefined> {
  return rowOf<Account>(db)`select ${listed}, password from accounts where key = ${key}`;
}

export async function noteSignIn(db: Database, key: string): Promise<void> {
  await sql`update accounts set last_sign_in_at = clock_timestamp() where key = ${key}`.execute(db);
}

/** Gives an account another role, at once in its sessions too. Returns whether there is one. */
export async function changeRole(db: Database, key: string, role: Role): Promise<boolean> {
  return (await changed(db)`update accounts set role = ${role} where key = ${key}`) > 0;
}

/** Gives an account another password, and ends its sessions. Returns whether there is one. */
export async function changePassword(db: Database, key: string, password: string): Promise<boolean> {
  return endingSessions(db, key, sql`update accounts set password = ${password} where key = ${key}`);
}

/** Removes an account and ends its sessions. Returns whether there was one. */
export async function removeAccount(db: Database, key: string): Promise<boolean> {
  return endingSessions(db, key, sql`delete from accounts where key = ${key}`);
}

async function endingSessions(db: Database, key: string, statement: RawBuilder<unknown>): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { numAffectedRows = 0n } = await statement.execute(transaction);
    await sql`delete from sessions where account = ${key}`.execute(transaction);
    return numAffectedRows > 0n;
  });
}

/** Names of accounts that may approve, in alphabetical order. */
export async function approvers(db: Database): Promise<string[]> {
  return valuesOf<string>(db)`select name from accounts where role in ('approver', 'admin') order by key`;
}

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

const columns = sql`id, hash, s.name, scopes, is_link, account, s.created_at, expires_at`;

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

/** Everybody who is signed in, and the links to accounts that nobody has used yet; the newest first. */
export async function listSessions(db: Database): Promise<Omit<PageSession, 'hash' | 'scopes'>[]> {
  return rowsOf<PageSession>(db)`
    select id, name, is_link, account, created_at, expires_at from sessions
    where expires_at > clock_timestamp() and (not is_link or account is not null) order by created_at desc`;
}

/** The link of an id, unless it was used or is over. The caller checks its secret. */
export async function findLink(db: Database, id: string): Promise<PageSession | undefined> {
  return rowOf<PageSession>(db)`
    select ${columns} from sessions s where id = ${id} and is_link and expires_at > clock_timestamp()`;
}

/** Uses a link up: only one request gets it, and only in its time. The caller checks its secret. */
export async function takeLink(db: Database, id: string): Promise<PageSession | undefined> {
  return rowOf<PageSession>(db)`
    delete from sessions s
      where id = ${id} and is_link and expires_at > clock_timestamp() returning ${columns}`;
}

/** Ends every session and link of an account, or of somebody of that name. Returns how many there were. */
export async function endSessionsOf(db: Database, { account, name }: { account: string; name: string }) {
  return changed(db)`delete from sessions where account = ${account} or name = ${name}`;
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
