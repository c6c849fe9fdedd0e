// Keeps tables fit: vacuums deleted rows, removes them from the files, and updates what the planner knows.
import { sql } from 'kysely';
import { type Database, countOf, rowsOf, rowOf } from './database.ts';

/** The number of dead rows, and their share of the living, that make a table worth the time: PostgreSQL's own measure, and half its share. */
const deadRows = 1000;
const deadShare = 0.1;

/** Frees the room of deleted rows, which PGlite never does by itself. Returns how many tables had many. */
export async function vacuumDeadRows(db: Database): Promise<number> {
  // Changes of this session are counted only on request, or after a second without work.
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const rows = await rowsOf<{ schema: string; name: string }>(db)`
    select schemaname as schema, relname as name from pg_stat_user_tables
    where n_dead_tup > ${deadRows} + ${deadShare}::double precision * n_live_tup order by n_dead_tup desc`;
  for (const { schema, name } of rows) await sql`vacuum ${sql.id(schema, name)}`.execute(db);
  return rows.length;
}

/**
 * Takes out of the files of a database what was deleted from it, as far as that can be done. An embedded one is rewritten
 * with what the planner remembers of its values and with its log; of PostgreSQL, which others use at the same time,
 * dead rows are cleared away, and their bytes are overwritten in time.
 */
export async function scrub(db: Database, isEmbedded: boolean): Promise<void> {
  const rows = await rowsOf<{ schema: string; name: string }>(db)`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema = any(current_schemas(false)) and table_type = 'BASE TABLE'`;
  for (const { schema, name } of rows) {
    const table = sql.id(schema, name);
    await (isEmbedded ? sql`vacuum (full, analyze) ${table}` : sql`vacuum (analyze) ${table}`).execute(db);
  }
  if (!isEmbedded) return;
  await sql`vacuum full pg_statistic`.execute(db);
  await sql`vacuum full pg_statistic_ext_data`.execute(db);
  await renewLog(db);
}

/** The log's files are used again with old contents in them: deletes them, and begins as many new ones. */
async function renewLog(db: Database): Promise<void> {
  await sql`set wal_recycle = off`.execute(db);
  try {
    const files = await countOf(db)`select count(*) as count from pg_ls_waldir()`;
    for (let file = 0; file <= files; file += 1) {
      await sql`select pg_switch_wal()`.execute(db);
      await sql`checkpoint`.execute(db);
    }
  } finally {
    await sql`reset wal_recycle`.execute(db);
  }
}

/** A table counts as grown when this share of what the planner knows of was added. */
const grownShare = 0.1;
/** Up to this number of new rows the planner is told nothing: it takes them for one row, and compares each with all. */
const fewRows = 1000;

/**
 * Tells the planner of a table how many rows were just added to it. The database would do so by itself within a
 * minute, an embedded one never; until then every statement about those rows is planned for a table that is empty.
 * @returns whether it has grown
 */
export async function analyzeIfGrown(db: Database, table: 'members' | 'deliveries', added: number): Promise<boolean> {
  const known = await countOf(db)`
    select greatest(reltuples, 0)::bigint as count from pg_class where oid = ${table}::regclass`;
  const isGrown = added > Math.min(fewRows, grownShare * known);
  if (isGrown) await sql`analyze ${sql.table(table)}`.execute(db);
  return isGrown;
}

/** Tells the planner how many people there are. If it knew too few, it would compare each with everybody listed. */
export async function analyzePeopleIfGrown(db: Database): Promise<void> {
  const row = await rowOf<{ isGrown: boolean }>(db)`
    select pg_relation_size(oid) > (1 + ${grownShare}::double precision) * relpages * current_setting('block_size')::integer as is_grown
    from pg_class where oid = 'people'::regclass`;
  if (row?.isGrown) await sql`analyze people`.execute(db);
}
