// Which tables an archive of a ledger holds, and in which order.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** What processes are doing right now, and who is signed in to the pages here. It starts again in the other ledger. */
const leftOut: readonly string[] = ['workers', 'feeders', 'event_handlers', 'sessions', 'sign_ins'];

export interface ArchivedTable {
  name: string;
  /** Its columns in order, without generated ones. */
  columns: string[];
}

/** The tables of a ledger, by name. */
async function tablesOf(db: Database): Promise<ArchivedTable[]> {
  const { rows } = await sql<ArchivedTable>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%'
    group by 1 order by 1`.execute(db);
  return rows;
}

/** Pages of a table, of which each has many rows. */
export async function pagesOf(db: Database, table: string): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    select pg_relation_size(${`public.${table}`}::regclass) / current_setting('block_size')::int as pages`.execute(db);
  return rows[0]?.pages ?? 0;
}

/** The tables of a ledger that belong into an archive, each after those that it refers to. */
export async function archivedTables(db: Database): Promise<ArchivedTable[]> {
  const { rows: references } = await sql<{ from: string; to: string }>`
    select f.relname as "from", t.relname as "to" from pg_constraint k
    join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and f.oid <> t.oid`.execute(db);
  const tables = (await tablesOf(db)).filter(({ name }) => !leftOut.includes(name));
  const waiting = new Map(tables.map((table) => [table.name, table]));
  const ordered: ArchivedTable[] = [];
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(
      ({ name }) => !references.some(({ from, to }) => from === name && waiting.has(to)),
    );
    if (free.length === 0) throw new Error(`the tables ${[...waiting.keys()].join(', ')} refer to each other`);
    for (const table of free) waiting.delete(table.name);
    ordered.push(...free);
  }
  return ordered;
}

/** A column that counts by itself, and the sequence it counts with. */
export interface CountedColumn {
  table: string;
  column: string;
  sequence: string;
}

/** The columns that count by themselves, in the tables of an archive. */
export async function countedColumns(db: Database): Promise<CountedColumn[]> {
  const { rows } = await sql<CountedColumn>`
    select c.relname as table, a.attname as column, pg_get_serial_sequence(format('public.%I', c.relname), a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1, 2`.execute(db);
  return rows.filter(({ table }) => !leftOut.includes(table));
}

/** The names of the migrations that a database has gone through, in order; none where it has no ledger. */
export async function migrationsOf(db: Database): Promise<string[]> {
  const { rows: there } = await sql<{
    is: boolean;
  }>`select to_regclass('public.kysely_migration') is not null as is`.execute(db);
  if (there[0]?.is !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
