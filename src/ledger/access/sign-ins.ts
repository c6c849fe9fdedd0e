// Sign-ins under way: browsers that were sent to a sign-in service, and what they have to bring back.
import { sql } from 'kysely';
import type { Back } from '../../core/access/back.ts';
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
export async function keepSignIn(db: Database, { back, ...signIn }: SignIn, forMs: number): Promise<void> {
  const now = sql<Date>`clock_timestamp()`;
  await db.deleteFrom('sign_ins').where('expires_at', '<', now).execute();
  await db
    .insertInto('sign_ins')
    .values({
      ...signIn,
      back: JSON.stringify(back),
      expires_at: sql<Date>`clock_timestamp() + ${forMs} * interval '1 millisecond'`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Takes a sign-in, once and in its time. */
export async function takeSignIn(db: Database, id: string): Promise<SignIn | undefined> {
  return db
    .deleteFrom('sign_ins')
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .returning(['id', 'state', 'nonce', 'verifier', 'back'])
    .executeTakeFirst();
}
