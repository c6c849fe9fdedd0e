import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What was removed of old runs, and whom nobody may send again. */
export const retention: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(`
      alter table runs
        add column answers_removed_at timestamptz,
        add column roster_removed_at timestamptz,
        add column receipts_removed_at timestamptz;
      -- Two random UUIDs: 244 bits of chance.
      alter table ledger add column forget_key text not null
        default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
      create table forgotten (
        service text not null,
        digest text not null,
        forgotten_at timestamptz not null default now(),
        primary key (service, digest)
      );
    `)
      .execute(db);
  },
};
