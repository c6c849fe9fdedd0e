// Writes backups, archives of what everybody was given and who was forgotten, and keeps the three newest.
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { defined } from '../../core/defined.ts';
import { StorageError, codeOf } from '../../core/errors.ts';
import { type Sequencer, createSequencer } from '../../process/coalesce.ts';
import { readVersion } from '../../process/version.ts';
import {
  archivedTables,
  type ArchiveHeader,
  archiveLines,
  type CheckedArchive,
  examineArchive,
  readHeader,
  type WrittenTable,
} from '../archive/archive-form.ts';
import { type Database, rowsOf } from '../database/database.ts';
import { migrationsOf } from '../database/migrations.ts';
import { deniedIn, writeGzip } from './disk.ts';
import type { BegunBackup } from './ledger-identity.ts';

export type BackupHeader = ArchiveHeader & { backup: NonNullable<ArchiveHeader['backup']> };

/** The tables of a backup, and the columns in whose order each is read. */
const backedUp = {
  ledger: ['id'],
  people: ['service', 'person_key', 'source'],
  left_behind: ['service', 'person_key', 'group_name'],
  forgotten: ['service', 'digest'],
};
/** Rows that are read at a time: others use the ledger meanwhile. */
const rowsAtOnce = 1000;

/** The text of a backup, some lines at a time: what a new ledger needs so that nobody is called again. */
export async function* backupText(db: Database, { id, backups, ...counts }: BegunBackup): AsyncGenerator<string> {
  const header: BackupHeader = {
    ...{ format: 'roster-sync-ledger', version: 1, ledger: id, at: new Date().toISOString(), program: readVersion() },
    migrations: await migrationsOf(db),
    backup: { number: backups, ...counts },
  };
  const all = new Map((await archivedTables(db)).map(({ name, columns }) => [name, columns]));
  async function* tables(): AsyncGenerator<WrittenTable> {
    for (const [name, key] of Object.entries(backedUp))
      yield { name, columns: all.get(name) ?? [], pages: rowsByKey(db, name, key) };
  }
  yield* archiveLines(header, tables());
}

async function* rowsByKey(db: Database, table: string, key: readonly string[]): AsyncGenerator<string[]> {
  const columns = sql.join(key.map((column) => sql.id(column)));
  for (let after = key.map(() => ''); ;) {
    const rows = await rowsOf<{ row: string; key: string[] }>(db)`
      select (to_jsonb(t) - 'moved_at')::text as row, array[${columns}] as key from ${sql.table(table)} t
      where (${columns}) > (${sql.join(after)}) order by ${columns} limit ${rowsAtOnce}`;
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ row }) => row);
    after = last.key;
  }
}

/** A backup that was read to its end: damage at the end of one shows only there. */
export type CheckedBackup = CheckedArchive & { header: BackupHeader };

/** @throws StorageError when it is missing, cut, changed, foreign or of a newer version */
export async function checkBackup(file: string): Promise<CheckedBackup> {
  const checked = await examineArchive(file).catch((error: Error) => {
    throw unreadable(file, error);
  });
  const { backup } = checked.header;
  if (backup === undefined) throw unreadable(file, new Error('it is no backup'));
  return { ...checked, header: { ...checked.header, backup } };
}

function unreadable(file: string, cause: Error): StorageError {
  return new StorageError(`the backup ${file} cannot be read: ${deniedIn(file) ?? cause.message}`, { cause });
}

/** The backups of a ledger in their folder, the newest first. */
const names: readonly string[] = ['people.ndjson.gz', 'people-1.ndjson.gz', 'people-2.ndjson.gz'];

/** One of the backups that are kept. */
export interface KeptBackup {
  file: string;
  /** Absent where not even its beginning can be read. */
  header?: BackupHeader;
}

async function filesIn(folder: string): Promise<string[]> {
  const there: string[] = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw new StorageError(`the folder of backups ${folder} cannot be read: ${String(error)}`, { cause: error });
  });
  return names.filter((name) => there.includes(name)).map((name) => join(folder, name));
}

async function headerIn(file: string): Promise<BackupHeader | undefined> {
  try {
    const { backup, ...header } = await readHeader(file);
    return backup && { ...header, backup };
  } catch (error) {
    // A damaged backup has no readable header; a missing permission must not look like damage.
    if (error instanceof Error && ['EACCES', 'EPERM'].includes(codeOf(error))) throw unreadable(file, error);
    return undefined;
  }
}

/** The backups in a folder, the newest first; none if there is no such folder. */
export async function listBackups(folder: string): Promise<KeptBackup[]> {
  const kept: KeptBackup[] = [];
  for (const file of await filesIn(folder)) {
    const header = await headerIn(file);
    kept.push({ file, ...defined({ header }) });
  }
  return kept;
}

/** The newest backup whose beginning can be read. */
export async function newestBackup(folder: string): Promise<Required<KeptBackup> | undefined> {
  return (await listBackups(folder)).find((kept): kept is Required<KeptBackup> => kept.header !== undefined);
}

/**
 * Writes a backup and keeps the two before it, each whole at any moment.
 * @throws StorageError when it cannot be written, or the backup that is there is of another ledger; what is there stays then
 */
export async function addBackup(
  folder: string,
  ledger: string,
  text: AsyncIterable<string>,
  { onlyThis = false }: { onlyThis?: boolean } = {},
): Promise<void> {
  const [newest, ...older] = names.map((name) => join(folder, name)) as [string, ...string[]];
  const there = await headerIn(newest);
  if (there && there.ledger !== ledger) {
    throw new StorageError(`the backup ${newest} is of another ledger: it is not overwritten.`, {
      next: [{ act: 'upkeep.doctor' }],
    });
  }
  async function rotate(): Promise<void> {
    // An unreadable backup must not replace a readable one.
    if (!there || onlyThis) return;
    for (const [at, to] of [...older.entries()].toReversed()) {
      await rename(at === 0 ? newest : older[at - 1]!, to).catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error;
      });
    }
  }
  await writeGzip(newest, text, { what: 'the backup', makeRoom: rotate });
  if (onlyThis) for (const file of older) await rm(file, { force: true });
}

/** Writes a backup of what everybody was given; one at a time. `onlyThis` removes the older ones, for when somebody was erased. */
export type BackUp = (options?: { onlyThis?: boolean }) => Promise<void>;

export function backingUp(
  ledger: { beginBackup(): Promise<BegunBackup>; backupText(begun: BegunBackup): AsyncIterable<string> },
  folder: string,
): BackUp {
  const inSequence: Sequencer = createSequencer();
  return (options) =>
    inSequence(async () => {
      const begun = await ledger.beginBackup();
      await addBackup(folder, begun.id, ledger.backupText(begun), options);
    });
}
