// The form of an archive of a ledger: its tables, their order, its lines, and the reading of it.
import { parseJson } from '../../core/attempt.ts';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { readGzipLines } from '../directory/disk.ts';
import { type Database, countOf, rowsOf } from '../database/database.ts';

export const ArchiveHeader = z.object({
  format: z.literal('roster-sync-ledger'),
  /** Of the file's form. */
  version: z.literal(1),
  ledger: z.string(),
  /** When it was exported, ISO 8601. */
  at: z.iso.datetime(),
  /** The version of roster-sync that wrote it. */
  program: z.string(),
  /** What its tables have gone through, in order. */
  migrations: z.array(z.string()).min(1),
  /** Of a backup: which one of its ledger it is, how many people were given something, and how many are forgotten. */
  backup: z.object({ number: z.int(), people: z.int(), forgotten: z.int() }).optional(),
});
export type ArchiveHeader = z.infer<typeof ArchiveHeader>;

/** Before the rows of a table: its name and columns. Each row is a line that is a JSON object. */
const TableLine = z.object({ table: z.string(), columns: z.array(z.string()) });

/** After all tables: how far each column that counts by itself has counted. */
const CountersLine = z.object({ counters: z.record(z.string(), z.number()) });

export const ArchiveEnd = z.object({
  /** How many rows each table has. */
  rows: z.record(z.string(), z.number()),
  /** SHA-256 of all lines before this one with their line breaks, hexadecimal. */
  sha256: z.string(),
});
export type ArchiveEnd = z.infer<typeof ArchiveEnd>;

/** A table on its way into an archive: its rows as JSON, some at a time. */
export interface WrittenTable {
  name: string;
  columns: readonly string[];
  pages: AsyncIterable<readonly string[]>;
}

/** The text of an archive, some lines at a time. Returns the rows of each table. */
export async function* archiveLines(
  header: ArchiveHeader,
  tables: AsyncIterable<WrittenTable>,
  counters: () => Promise<Record<string, number>> = async () => ({}),
): AsyncGenerator<string, ArchiveEnd['rows']> {
  const hash = createHash('sha256');
  const rows: ArchiveEnd['rows'] = {};
  function said(lines: readonly string[]): string {
    const text = lines.map((line) => `${line}\n`).join('');
    hash.update(text);
    return text;
  }
  yield said([JSON.stringify(header)]);
  for await (const { name, columns, pages } of tables) {
    let count = 0;
    yield said([JSON.stringify({ table: name, columns })]);
    for await (const page of pages) {
      count += page.length;
      // Wrapped, so that no column's name can be taken for the beginning of another kind of line.
      if (page.length > 0) yield said(page.map((json) => `{"row":${json}}`));
    }
    rows[name] = count;
  }
  yield said([JSON.stringify({ counters: await counters() })]);
  const end: ArchiveEnd = { rows, sha256: hash.digest('hex') };
  yield `${JSON.stringify(end)}\n`;
  return rows;
}

/** An archive that is whole and unchanged. */
export interface CheckedArchive {
  file: string;
  header: ArchiveHeader;
  end: ArchiveEnd;
}

/** Reads an archive to its end and checks it. Throws where it is missing, cut, changed or no archive. */
export async function examineArchive(file: string): Promise<CheckedArchive> {
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};
  let header: ArchiveHeader | undefined;
  let table = '';
  let last: string | undefined;
  for await (const text of readGzipLines(file)) {
    if (last !== undefined) {
      hash.update(`${last}\n`);
      if (header === undefined) header = headerOf(last);
      else if (last.startsWith('{"table":')) {
        table = TableLine.parse(JSON.parse(last)).table;
        rows[table] = 0;
      } else if (last.startsWith('{"row":')) rows[table] = (rows[table] ?? 0) + 1;
    }
    last = text;
  }
  if (header === undefined || last === undefined) throw new Error('it is cut');
  const end = ArchiveEnd.safeParse(parseJson(last));
  if (!end.success) throw new Error('it is cut: its last line is missing');
  if (end.data.sha256 !== hash.digest('hex')) throw new Error('its content was changed since it was written');
  for (const [name, count] of Object.entries(end.data.rows)) {
    if (rows[name] !== count) throw new Error(`of the table ${name}, it has ${rows[name] ?? 0} of ${count} rows`);
  }
  return { file, header, end: end.data };
}

/** The first line of an archive. Throws where that cannot be read; the rest may be damaged all the same. */
export async function readHeader(file: string): Promise<ArchiveHeader> {
  for await (const text of readGzipLines(file)) return headerOf(text);
  throw new Error('it is empty');
}

function headerOf(text: string): ArchiveHeader {
  const header = ArchiveHeader.safeParse(parseJson(text));
  if (header.success) return header.data;
  const said = parseJson(text) as { format?: unknown; version?: unknown } | undefined;
  if (said?.format === 'roster-sync-ledger' && said.version !== 1)
    throw new Error('it was written by a newer version of roster-sync');
  throw new Error('it was not written by roster-sync');
}

/** The most text of rows that is read at a time, in characters; one row may have more. */
const mostText = 1_000_000;
/** The most rows that are read at a time. */
const mostRows = 2000;

/** Rows of a table as JSON, or how far each column that counts by itself has counted. */
export type ArchivePart =
  | { table: string; columns: string[]; rows: string[] }
  | { counters: z.infer<typeof CountersLine>['counters'] };

/** What a checked archive holds, some rows at a time; of a table without rows none. */
export async function* readArchive({ file }: CheckedArchive): AsyncGenerator<ArchivePart> {
  let read: ArchivePart & { rows: string[] } = { table: '', columns: [], rows: [] };
  let length = 0;
  for await (const text of readGzipLines(file)) {
    const isRow = text.startsWith('{"row":');
    if (isRow) {
      read.rows.push(text.slice('{"row":'.length, -1));
      length += text.length;
    }
    if (isRow && length < mostText && read.rows.length < mostRows) continue;
    if (read.rows.length > 0) yield read;
    [read, length] = [{ ...read, rows: [] }, 0];
    if (text.startsWith('{"table":')) read = { ...TableLine.parse(JSON.parse(text)), rows: [] };
    else if (text.startsWith('{"counters":')) yield CountersLine.parse(JSON.parse(text));
  }
}

/** What processes are doing right now, and who is signed in to the pages here. It starts again in the other ledger. */
const leftOut: readonly string[] = ['workers', 'leases', 'event_failures', 'sessions', 'sign_ins'];

export interface ArchivedTable {
  name: string;
  /** Its columns in order, without generated ones. */
  columns: string[];
}

/** The tables of a ledger, by name. */
async function tablesOf(db: Database): Promise<ArchivedTable[]> {
  return rowsOf<ArchivedTable>(db)`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%'
    group by 1 order by 1`;
}

/** Pages of a table, of which each has many rows. */
export async function pagesOf(db: Database, table: string): Promise<number> {
  return countOf(db)`
    select pg_relation_size(${`public.${table}`}::regclass) / current_setting('block_size')::int as count`;
}

/** The tables of a ledger that belong into an archive, each after those that it refers to. */
export async function archivedTables(db: Database): Promise<ArchivedTable[]> {
  const references = await rowsOf<{ from: string; to: string }>(db)`
    select f.relname as "from", t.relname as "to" from pg_constraint k
    join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and f.oid <> t.oid`;
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

/** The columns that count by themselves, in the tables of an archive, and the sequence each counts with. */
export async function countedColumns(db: Database) {
  const rows = await rowsOf<{ table: string; column: string; sequence: string }>(db)`
    select c.relname as table, a.attname as column, pg_get_serial_sequence(format('public.%I', c.relname), a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1, 2`;
  return rows.filter(({ table }) => !leftOut.includes(table));
}
