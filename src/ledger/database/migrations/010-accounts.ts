// Accounts of people for the pages, sign-ins under way, and who began a run.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  `create table accounts (
    key text primary key,
    name text not null,
    role text not null check (role in ('viewer', 'operator', 'approver')),
    password text not null,
    created_at timestamptz not null default clock_timestamp(),
    last_sign_in_at timestamptz
  )`,
  // What a browser that was sent to a sign-in service has to bring back.
  `create table sign_ins (
    id text primary key,
    state text not null,
    nonce text not null,
    verifier text not null,
    back jsonb not null,
    expires_at timestamptz not null
  )`,
  `alter table sessions add column account text`,
  `alter table runs add column begun_by text`,
];

/** Accounts have a role and a hash of their password; a session that an account began ends with it. */
export const accounts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
