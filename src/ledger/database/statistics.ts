// Updates PostgreSQL's statistics after many rows were written.
import { sql } from 'kysely';
import type { Database } from './database.ts';

/** A table counts as grown when this share of what the planner knows of was added. */
const grownShare = 0.1;
/** Up to this number of new rows the planner is told nothing: it takes them for one row, and compares each with all. */
const fewRows = 1000;

/**
 * Tells the planner of a table how many rows were just added to it. The database would do so by itself within a
 * minute, an embedded one never; until then every statement about those rows is planned for a table that is empty.
 */
export async function analyzeIfGrown(db: Database, table: 'members' | 'deliveries', added: number): Promise<void> {
  const { rows } = await sql<{ known: number }>`
    select greatest(reltuples, 0)::bigint as known from pg_class where oid = ${table}::regclass`.execute(db);
  if (added > Math.min(fewRows, grownShare * (rows[0]?.known ?? 0))) await sql`analyze ${sql.table(table)}`.execute(db);
}

/** Tells the planner how many people there are. If it knew too few, it would compare each with everybody listed. */
export async function analyzePeopleIfGrown(db: Database): Promise<void> {
  const { rows } = await sql<{ isGrown: boolean }>`
    select pg_relation_size(oid) > (1 + ${grownShare}::double precision) * relpages * current_setting('block_size')::integer as "isGrown"
    from pg_class where oid = 'people'::regclass`.execute(db);
  if (rows[0]?.isGrown) await sql`analyze people`.execute(db);
}
