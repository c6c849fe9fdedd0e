// Writes every row of a ledger as lines of an archive.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, rowsOf, rowOf } from '../database/database.ts';
import {
  type ArchivedTable,
  archivedTables,
  type ArchiveEnd,
  type ArchiveHeader,
  countedColumns,
  migrationsOf,
  pagesOf,
  rowLine,
} from './archive-form.ts';

/** Pages that are read at once, 8 KiB each and what they keep elsewhere. */
const pagesAtOnce = 32;

export interface NewArchive {
  at: Date;
  /** The version of roster-sync. */
  program: string;
  /** Called with the rows of each table once all lines were given out. */
  onEnd(rows: Record<string, number>): void;
}

/** All of a ledger as it is at one moment, without a mark that it was exported; a few pages in memory at a time. */
export async function* archiveText(db: Database, { at, program, onEnd }: NewArchive): AsyncGenerator<string> {
  const snapshot = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  const hash = createHash('sha256');
  function said(lines: readonly string[]): string {
    const text = lines.map((line) => `${line}\n`).join('');
    hash.update(text);
    return text;
  }
  try {
    // Times and numbers are written alike whatever the server is set to; and only the pages asked for are read.
    for (const setting of [`timezone = 'UTC'`, 'extra_float_digits = 1', 'enable_seqscan = off'])
      await sql.raw(`set local ${setting}`).execute(snapshot);
    const ledger = await rowOf<{ id: string }>(snapshot)`select id from ledger`;
    const header: ArchiveHeader = {
      format: 'roster-sync-ledger',
      version: 1,
      ledger: ledger?.id ?? '',
      at: at.toISOString(),
      program,
      migrations: await migrationsOf(snapshot),
    };
    yield said([JSON.stringify(header)]);
    const rows: ArchiveEnd['rows'] = {};
    for (const table of await archivedTables(snapshot)) {
      yield said([JSON.stringify({ table: table.name, columns: table.columns })]);
      rows[table.name] = 0;
      for await (const page of rowsByPage(snapshot, table)) {
        rows[table.name]! += page.length;
        if (page.length > 0) yield said(page.map(rowLine));
      }
    }
    yield said([JSON.stringify({ counters: await countersOf(snapshot) })]);
    const end: ArchiveEnd = { rows, sha256: hash.digest('hex') };
    yield `${JSON.stringify(end)}\n`;
    onEnd(rows);
  } finally {
    await snapshot.rollback().execute();
  }
}

/** The rows of a table as JSON, page by page. */
async function* rowsByPage(db: Database, { name, columns }: ArchivedTable): AsyncGenerator<string[]> {
  const table = sql.id('public', name);
  const pages = await pagesOf(db, name);
  // A mark is about this place, and generated columns make themselves.
  const kept = columns.filter((column) => !(name === 'ledger' && column === 'moved_at'));
  for (let start = 0; start < pages; start += pagesAtOnce) {
    const rows = await rowsOf<{ row: string }>(db)`
      select to_jsonb(t)::text as row from (select ${sql.join(kept.map((column) => sql.id(column)))} from ${table}
        where ctid >= ${`(${start},0)`}::tid and ctid < ${`(${start + pagesAtOnce},0)`}::tid) t`;
    yield rows.map(({ row }) => row);
  }
}

/** How far each column has counted: numbers are never used again, even if their rows are gone. */
async function countersOf(db: Database): Promise<Record<string, number>> {
  const counters: Record<string, number> = {};
  for (const { table, column, sequence } of await countedColumns(db)) {
    const row = await rowOf<{ last: number }>(db)`
      select case when is_called then last_value else 0 end as last from ${sql.raw(sequence)}`;
    counters[`${table}.${column}`] = row?.last ?? 0;
  }
  return counters;
}
