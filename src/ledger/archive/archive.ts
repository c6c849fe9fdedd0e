// Writes every row of a ledger as lines of an archive, and fills an empty ledger from one.
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { ImportLedgerDocument } from '../../acts/shapes/upkeep.ts';
import { type Database, countOf, isThere, rowOf, valuesOf } from '../database/database.ts';
import {
  type ArchivedTable,
  archivedTables,
  type ArchiveHeader,
  archiveLines,
  countedColumns,
  examineArchive,
  pagesOf,
  type CheckedArchive,
  readArchive,
  type WrittenTable,
} from './archive-form.ts';
import { StorageError, refusal } from '../../core/errors.ts';
import { say } from '../../core/words/say.ts';
import { migrate, migrations, refuseNewer, migrationsOf } from '../database/migrations.ts';

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
    async function* tables(): AsyncGenerator<WrittenTable> {
      for (const table of await archivedTables(snapshot)) yield { ...table, pages: rowsByPage(snapshot, table) };
    }
    onEnd(yield* archiveLines(header, tables(), () => countersOf(snapshot)));
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
    yield await valuesOf<string>(db)`
      select to_jsonb(t)::text from (select ${sql.join(kept.map((column) => sql.id(column)))} from ${table}
        where ctid >= ${`(${start},0)`}::tid and ctid < ${`(${start + pagesAtOnce},0)`}::tid) t`;
  }
}

/** How far each column has counted: numbers are never used again, even if their rows are gone. */
async function countersOf(db: Database): Promise<Record<string, number>> {
  const counters: Record<string, number> = {};
  for (const { table, column, sequence } of await countedColumns(db)) {
    counters[`${table}.${column}`] = await countOf(db)`
      select case when is_called then last_value else 0 end as count from ${sql.raw(sequence)}`;
  }
  return counters;
}

/** What was imported, `at` is when it was exported. */
export type Imported = Pick<z.output<typeof ImportLedgerDocument>, 'ledger' | 'at' | 'rows'>;

/** @throws StorageError when an archive is missing, cut, changed, or that of a backup: its ledger still sends */
export async function checkArchive(file: string): Promise<CheckedArchive> {
  try {
    const checked = await examineArchive(file);
    if (checked.header.backup) throw new Error('it is a backup, and no ledger that was exported');
    return checked;
  } catch (error) {
    const { message } = error as Error;
    throw new StorageError(say('brokenArchive', 1, { file, message }), { cause: error });
  }
}

/**
 * Fills a ledger from an archive, in one transaction: all of it or nothing. Tables
 * of an older version are made as they were, and then brought up to date.
 * @param db an empty database, or one with a ledger in which nothing is yet
 * @param where names the ledger in a message: `the ledger in /srv/data`
 * @throws StorageError when the archive is of a newer version; InputError when the ledger is not empty, or
 *   its tables are of another version than the archive's
 */
export async function importArchive(db: Database, archive: CheckedArchive, where: string): Promise<Imported> {
  const { header, end } = archive;
  refuseNewer(header.migrations);
  const there = await migrationsOf(db);
  refuseNewer(there);
  if (there.length > 0) await refuseUsed(db, where);
  const last = header.migrations.at(-1);
  if (there.length === 0) await migrate(db, last);
  else if (there.join() !== header.migrations.join()) {
    throw refusal('archiveOfOtherVersion', { program: header.program, where });
  }
  await db.transaction().execute((transaction) => fill(transaction, archive));
  await migrate(db);
  // Until then every statement would be planned for tables that are empty.
  await sql`analyze`.execute(db);
  return { ledger: header.ledger, at: header.at, rows: end.rows };
}

/** Whether the tables of an archive are as this program makes them. */
export function isCurrent({ header }: CheckedArchive): boolean {
  return header.migrations.join() === Object.keys(migrations).join();
}

async function refuseUsed(db: Database, where: string): Promise<void> {
  for (const { name } of await archivedTables(db)) {
    if (name === 'ledger') continue;
    if (!(await isThere(db)`select 1 from ${sql.id('public', name)} limit 1`)) continue;
    throw refusal('usedLedger', { where, name });
  }
}

async function fill(db: Database, archive: CheckedArchive): Promise<void> {
  await sql`set local timezone = 'UTC'`.execute(db);
  await sql`delete from ledger`.execute(db);
  const known = new Map((await archivedTables(db)).map(({ name, columns }) => [name, columns]));
  for (const name of Object.keys(archive.end.rows)) if (!known.has(name)) throw strange(archive, name);
  for await (const part of readArchive(archive)) {
    if ('counters' in part) await continueCounting(db, part.counters);
    else {
      const unknown = part.columns.find((column) => !known.get(part.table)?.includes(column));
      if (unknown !== undefined) throw strange(archive, unknown);
      await insertRows(part).execute(db);
    }
  }
}

function strange({ file }: CheckedArchive, name: string): StorageError {
  return new StorageError(`the archive ${file} names ${name}, which no ledger has. Nothing was imported.`);
}

/** The statement that inserts rows of an archive. */
export function insertRows({
  table,
  columns,
  rows,
}: {
  table: string;
  columns: string[];
  rows: string[];
}): RawBuilder<unknown> {
  const into = sql.id('public', table);
  const named = sql.join(columns.map((column) => sql.id(column)));
  return sql`
    insert into ${into} (${named}) overriding system value
    select ${named} from jsonb_populate_recordset(null::${into}, ${`[${rows.join(',')}]`}::jsonb)`;
}

async function continueCounting(db: Database, counters: Record<string, number>): Promise<void> {
  for (const { table, column, sequence } of await countedColumns(db)) {
    const last = counters[`${table}.${column}`] ?? 0;
    if (last > 0) await sql`select setval(${sequence}::text::regclass, ${last})`.execute(db);
  }
}
