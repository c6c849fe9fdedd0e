// Creates every table of a ledger, as the SQL beside it says.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const tables: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(readFileSync(join(import.meta.dirname, '001-tables.sql'), 'utf8')).execute(db);
  },
};
