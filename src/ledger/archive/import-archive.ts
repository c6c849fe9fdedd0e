// Fills an empty ledger from an archive.
import { sql } from 'kysely';
import { InputError, StorageError } from '../../core/errors.ts';
import { type Database, rowsOf } from '../database/database.ts';
import { migrate, migrations, refuseNewer } from '../database/migrations.ts';
import { archivedTables, type CheckedArchive, countedColumns, migrationsOf, readArchive } from './archive-form.ts';

/** The most text of rows that is written by one statement, in characters; one row may have more. */
const mostText = 1_000_000;
/** The most rows that are written by one statement. */
const mostRows = 2000;

export interface Imported {
  ledger: string;
  /** When it was exported, ISO 8601. */
  at: string;
  rows: Record<string, number>;
}

/**
 * Fills a ledger from an archive, in one transaction: all of it or nothing. Tables
 * of an older version are made as they were, and then brought up to date.
 * @param db an empty database, or one with a ledger in which nothing is yet
 * @param where names the ledger in a message: `the ledger in /srv/data`
 * @throws StorageError when the archive is of a newer version; InputError when the ledger is not empty, or
 *   its tables are of another version than the archive's
 */
export async function importArchive(
  db: Database,
  { file, header, end }: CheckedArchive,
  where: string,
): Promise<Imported> {
  refuseNewer(header.migrations);
  const there = await migrationsOf(db);
  refuseNewer(there);
  if (there.length > 0) await refuseUsed(db, where);
  const last = header.migrations.at(-1);
  if (there.length === 0) await migrate(db, last);
  else if (there.join() !== header.migrations.join()) {
    throw new InputError(
      `the archive was written by roster-sync ${header.program}, with tables of another version than ${where}. ` +
        'Import it into a new data directory or an empty database: its tables are brought up to date there.',
    );
  }
  await db.transaction().execute((transaction) => fill(transaction, file));
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
    const rows = await rowsOf(db)`select 1 from ${sql.id('public', name)} limit 1`;
    if (rows.length === 0) continue;
    throw new InputError(
      `${where} is not empty (its table ${name} has rows). Two ledgers cannot be joined: import into a new data directory ` +
        '(ROSTER_SYNC_DATA_DIR) or an empty database (DATABASE_URL). Nothing was imported.',
    );
  }
}

async function fill(db: Database, file: string): Promise<void> {
  await sql`set local timezone = 'UTC'`.execute(db);
  await sql`delete from ledger`.execute(db);
  const known = new Map((await archivedTables(db)).map(({ name, columns }) => [name, columns]));
  let table: { name: string; columns: string[] } | undefined;
  let rows: string[] = [];
  let text = 0;
  async function write(): Promise<void> {
    if (table === undefined || rows.length === 0) return;
    const into = sql.id('public', table.name);
    const columns = sql.join(table.columns.map((column) => sql.id(column)));
    await sql`
      insert into ${into} (${columns}) overriding system value
      select ${columns} from jsonb_populate_recordset(null::${into}, ${`[${rows.join(',')}]`}::jsonb)`.execute(db);
    [rows, text] = [[], 0];
  }
  for await (const line of readArchive(file)) {
    if (line.kind === 'row') {
      rows.push(line.json);
      text += line.json.length;
      if (text >= mostText || rows.length >= mostRows) await write();
      continue;
    }
    await write();
    if (line.kind === 'counters') await continueCounting(db, line.counters);
    else {
      const columns = known.get(line.name);
      const strange = columns === undefined ? line.name : line.columns.find((column) => !columns.includes(column));
      if (strange !== undefined)
        throw new StorageError(`the archive ${file} names ${strange}, which no ledger has. Nothing was imported.`);
      table = { name: line.name, columns: line.columns };
    }
  }
}

async function continueCounting(db: Database, counters: Record<string, number>): Promise<void> {
  for (const { table, column, sequence } of await countedColumns(db)) {
    const last = counters[`${table}.${column}`] ?? 0;
    if (last > 0) await sql`select setval(${sequence}::text::regclass, ${last})`.execute(db);
  }
}
