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
  await sql`
    insert into kept_sources (name, block, kept_by) values (${name}, ${block}, ${by})
    on conflict (name) do update
      set block = excluded.block, kept_by = excluded.kept_by, kept_at = clock_timestamp()`.execute(db);
}

export async function listKeptSources(db: Database): Promise<KeptSource[]> {
  const { rows } = await sql<KeptSource>`
    select name, block, kept_by as by, kept_at as at from kept_sources order by name`.execute(db);
  return rows;
}

/** Removes a source that is kept, and nothing that was sent with it. False where there is none of the name. */
export async function removeKeptSource(db: Database, name: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`delete from kept_sources where name = ${name}`.execute(db);
  return numAffectedRows > 0n;
}
