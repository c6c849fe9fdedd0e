// Stores the API tokens, as hashes, and who did what.
import { sql } from 'kysely';
import { InputError } from '../../core/errors.ts';
import type { TokenScope } from '../../core/secrets/token.ts';
import { type Database, rowOf, rowsOf, changed } from '../database/database.ts';

/** A token of the API, as far as it is known here: not the token itself. */
export interface Token {
  id: string;
  name: string;
  /** SHA-256 of its secret, hexadecimal. */
  hash: string;
  scopes: TokenScope[];
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

/** @throws InputError when there is one of that name that was not revoked */
export async function addToken(
  db: Database,
  { id, name, hash, scopes, expiresAt }: Pick<Token, 'id' | 'name' | 'hash' | 'scopes' | 'expiresAt'>,
): Promise<void> {
  const added = await changed(db)`
    insert into tokens (id, name, hash, scopes, expires_at)
    values (${id}, ${name}, ${hash}, ${JSON.stringify(scopes)}, ${expiresAt}) on conflict do nothing`;
  if (added > 0) return;
  // The first attempt may have succeeded although its answer was lost.
  if (await findToken(db, id)) return;
  throw new InputError(`There is a token ${name} already: choose another name, or revoke it first.`, {
    next: [{ act: 'access.revokeToken', name }],
  });
}

/** All tokens, the newest first. */
export async function listTokens(db: Database): Promise<Token[]> {
  return rowsOf<Token>(db)`select * from tokens order by created_at desc`;
}

/** The token of an id, whether or not it is still good. */
export async function findToken(db: Database, id: string): Promise<Token | undefined> {
  return rowOf<Token>(db)`select * from tokens where id = ${id}`;
}

/** Ends the token of a name. Returns whether there was one. */
export async function revokeToken(db: Database, name: string): Promise<boolean> {
  const revoked = await changed(db)`
    update tokens set revoked_at = clock_timestamp() where name = ${name} and revoked_at is null`;
  return revoked > 0;
}

/** Records that a token was used; at most once a minute. */
export async function noteTokenUse(db: Database, id: string): Promise<void> {
  await sql`
    update tokens set last_used_at = clock_timestamp()
    where id = ${id} and coalesce(last_used_at < clock_timestamp() - interval '1 minute', true)`.execute(db);
}

/** What somebody did through the API, or with its tokens. No person of a roster is named in it. */
export interface Deed {
  /** `token nightly-ci`, `the owner of the data directory`, or a user at a machine. */
  by: string;
  /** What was done, in a word or two: `start`, `approve`, `cancel`, `download report`, `create token`. */
  action: string;
  runId?: string | null;
  /** The network address it came from; empty where it came from this machine's socket. */
  origin: string;
}

export type AuditEntry = Required<Omit<Deed, 'runId'>> & { at: Date; runId: string | null };

/** Records what somebody did; what is older than 400 days goes. */
export async function noteDeed(db: Database, { by, action, runId = null, origin }: Deed): Promise<void> {
  await sql`
    insert into audit (by, action, run_id, origin) values (${by}, ${action}, ${runId}, ${origin})`.execute(db);
  await sql`delete from audit where at < clock_timestamp() - interval '400 days'`.execute(db);
}

/** What was done, the newest first; of one run where it is given. */
export async function listDeeds(db: Database, { runId = null, limit }: { runId?: string | null; limit: number }) {
  return rowsOf<AuditEntry>(db)`
    select at, by, action, run_id, origin from audit
    where ${runId}::text is null or run_id = ${runId} order by id desc limit ${limit}`;
}
