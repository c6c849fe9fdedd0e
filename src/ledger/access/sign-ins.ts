// Sign-ins under way: browsers that were sent to a sign-in service, and what they have to bring back.
import { sql } from 'kysely';
import type { Back } from '../../core/access/roles.ts';
import type { Database } from '../database/database.ts';

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
  const { rows } = await sql<SignIn>`
    delete from sign_ins where id = ${id} and expires_at > clock_timestamp()
    returning id, state, nonce, verifier, back`.execute(db);
  return rows[0];
}
