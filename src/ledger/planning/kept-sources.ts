// Sources that are kept in the ledger: how files of a kind are read and mapped.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

export interface KeptSource {
  name: string;
  /** The lines below its name, as the config would have them: YAML without indentation. */
  block: string;
  /** Who kept it, as the audit names them. */
  by: string;
  at: Date;
}

/** Keeps a source; one of the same name is replaced. The caller has checked the block. */
export async function keepSource(db: Database, { name, block, by }: Omit<KeptSource, 'at'>): Promise<void> {
  const now = sql<Date>`clock_timestamp()`;
  await db
    .insertInto('kept_sources')
    .values({ name, block, kept_by: by })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ block, kept_by: by, kept_at: now }))
    .execute();
}

export async function listKeptSources(db: Database): Promise<KeptSource[]> {
  return db
    .selectFrom('kept_sources')
    .select(['name', 'block', 'kept_by as by', 'kept_at as at'])
    .orderBy('name')
    .execute();
}

/** Removes a source that is kept, and nothing that was sent with it. False where there is none of the name. */
export async function removeKeptSource(db: Database, name: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('kept_sources').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n;
}
