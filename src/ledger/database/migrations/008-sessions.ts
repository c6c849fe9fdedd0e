// Who is signed in to the pages.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Sessions of the pages, and the links that begin one. Only hashes of their secrets are kept. */
export const sessions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table sessions (
        id text primary key,
        hash text not null,
        name text not null,
        scopes jsonb not null,
        is_link boolean not null,
        created_at timestamptz not null default clock_timestamp(),
        expires_at timestamptz not null
      )`.execute(db);
  },
};
