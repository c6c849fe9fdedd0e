// Copies every readable row of a ledger into a new one.
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { pagesOf, tablesOf } from '../archive/tables.ts';
import { DamagedTableError } from './damage.ts';

/** A table of which not everything could be read. */
export interface LossyTable {
  table: string;
  /** Pages of which something is lost. */
  pages: number;
}

export interface Copied {
  rows: number;
  lost: LossyTable[];
}

/** Pages that are copied at once, 8 KiB each and what they keep elsewhere. */
const pagesAtOnce = 64;
/** The most rows that a page can hold: 8 KiB over the 24 bytes of a row's header and 4 of its pointer. */
const mostRowsOfPage = 291;

/**
 * Copies every row that can be read of a ledger into a new one, page by page, and where a page cannot be read whole, row by
 * row. The new one has nothing in its tables.
 */
export async function copyTables(from: Database, to: Database): Promise<Copied> {
  const copied: Copied = { rows: 0, lost: [] };
  // Rows arrive in an order that would violate references.
  await sql`set session_replication_role = replica`.execute(to);
  // Only the requested page may be read, even if reading the whole table were faster.
  await sql`set enable_seqscan = off`.execute(from);
  try {
    await sql`delete from ledger`.execute(to);
    const there = new Map((await tablesOf(to)).map(({ name, columns }) => [name, columns]));
    for (const { name: table, columns: all } of await tablesOf(from)) {
      const columns = all.filter((column) => there.get(table)?.includes(column));
      if (columns.length === 0) continue;
      const { rows, pages } = await copyTable(from, to, { table, columns });
      copied.rows += rows;
      if (pages > 0) copied.lost.push({ table, pages });
      await continueCounting(from, to, table);
    }
    await sql`insert into ledger (id) select replace(gen_random_uuid()::text, '-', '') where not exists (select 1 from ledger)`.execute(
      to,
    );
  } finally {
    await sql`reset session_replication_role`.execute(to);
  }
  return copied;
}

interface Copying {
  table: string;
  columns: readonly string[];
}

async function copyTable(from: Database, to: Database, copying: Copying): Promise<{ rows: number; pages: number }> {
  const table = sql.id('public', copying.table);
  const columns = sql.join(copying.columns.map((column) => sql.id(column)));
  /** Undefined where what is asked for cannot be read. */
  async function copy(where: RawBuilder<unknown>): Promise<number | undefined> {
    const found = await unlessDamaged(
      sql<{ rows: string; count: number }>`
        select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows, count(*) as count from ${table} t where ${where}`.execute(
        from,
      ),
    );
    if (found === undefined) return undefined;
    const { rows = '[]', count = 0 } = found.rows[0] ?? {};
    if (count === 0) return 0;
    await sql`
      insert into ${table} (${columns}) overriding system value
      select ${columns} from jsonb_populate_recordset(null::${table}, ${rows}::jsonb) on conflict do nothing`.execute(
      to,
    );
    return count;
  }
  const pages = (start: number, end: number): RawBuilder<unknown> =>
    sql`ctid >= ${`(${start},0)`}::tid and ctid < ${`(${end},0)`}::tid`;

  const total = { rows: 0, pages: 0 };
  const all = await pagesOf(from, copying.table);
  for (let start = 0; start < all; start += pagesAtOnce) {
    const end = Math.min(start + pagesAtOnce, all);
    const whole = await copy(pages(start, end));
    total.rows += whole ?? 0;
    for (let page = start; whole === undefined && page < end; page += 1) {
      const ofPage = await copy(pages(page, page + 1));
      total.rows += ofPage ?? 0;
      if (ofPage !== undefined) continue;
      total.pages += 1;
      for (let row = 1; row <= mostRowsOfPage; row += 1) {
        total.rows += (await copy(sql`ctid = ${`(${page},${row})`}::tid`)) ?? 0;
      }
    }
  }
  return total;
}

async function unlessDamaged<Result>(statement: Promise<Result>): Promise<Result | undefined> {
  try {
    return await statement;
  } catch (error) {
    if (error instanceof DamagedTableError) return undefined;
    throw error;
  }
}

/** Numbers are never reused, even if their rows are gone. */
async function continueCounting(from: Database, to: Database, table: string): Promise<void> {
  const { rows } = await sql<{ column: string; sequence: string }>`
    select a.attname as column, pg_get_serial_sequence(format('public.%I', ${table}::text), a.attname) as sequence
    from pg_attribute a where a.attrelid = ${`public.${table}`}::regclass and a.attidentity <> ''`.execute(to);
  for (const { column, sequence } of rows) {
    const counted = await unlessDamaged(
      sql<{
        last: number;
      }>`select case when is_called then last_value else 0 end as last from ${sql.raw(sequence)}`.execute(from),
    );
    await sql`
      select setval(${sequence}::text::regclass, last) from (
        select greatest(${counted?.rows[0]?.last ?? 0}::bigint, max(${sql.id(column)})) as last from ${sql.id('public', table)}) l
      where last > 0`.execute(to);
  }
}
