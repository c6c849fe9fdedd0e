// Reads and writes backups of what everybody was given, and keeps the three newest.
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../core/defined.ts';
import { StorageError, codeOf } from '../../core/errors.ts';
import { deniedIn } from './disk.ts';
import { readGzipLines, writeGzip } from './whole-files.ts';
import { type Sequencer, createSequencer } from '../../process/coalesce.ts';
import type { Ledger } from '../ledger.ts';
import type { Forgotten } from '../people/kept-out.ts';

const format = 'roster-sync-backup';
const version = 1;

/** The first line of a backup. */
export interface BackupHeader {
  format: typeof format;
  /** Of the file's form; a program reads its own version and older ones. */
  version: number;
  ledger: string;
  /** Counts the backups of that ledger; absent in older ones. */
  number?: number;
  /** When it was written, ISO 8601. */
  at: string;
  /** How many people were given something; absent in older backups. */
  people?: number;
  /** Who was erased and must not be sent again; absent in older backups. */
  forgotten?: Forgotten;
}

export interface NewBackup extends Pick<BackupHeader, 'ledger' | 'number' | 'people' | 'forgotten'> {
  at: Date;
}

async function* asText(header: BackupHeader, lines: AsyncIterable<object>): AsyncGenerator<string> {
  yield `${JSON.stringify(header)}\n`;
  let count = 0;
  for await (const line of lines) {
    count += 1;
    yield `${JSON.stringify(line)}\n`;
  }
  yield `${JSON.stringify({ lines: count })}\n`;
}

/**
 * Writes a backup: gzip, one JSON object per line, a header first and the number of lines last. It is written next to
 * `file`, brought to the disk, and renamed, so that `file` is the old or the new one whole, also after a power cut.
 * Mode 0600.
 * @param makeRoom called once the new one is whole, just before the rename
 * @throws StorageError when it cannot be written; `file` is then what it was. What `lines` throws comes as it is.
 */
export async function writeBackup(
  file: string,
  written: NewBackup,
  lines: AsyncIterable<object>,
  makeRoom?: () => Promise<void>,
): Promise<void> {
  const header: BackupHeader = { format, version, ...written, at: written.at.toISOString() };
  await writeGzip(file, asText(header, lines), { what: 'the backup', ...defined({ makeRoom }) });
}

function objectOf(line: string): object {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null) throw new Error('a line is no JSON object');
  return value;
}

function headerOf(first: object): BackupHeader {
  const header = first as Partial<BackupHeader>;
  if (header.format !== format || typeof header.version !== 'number' || typeof header.ledger !== 'string') {
    throw new Error('it was not written by roster-sync');
  }
  if (header.version > version) throw new Error('it was written by a newer version of roster-sync');
  return header as BackupHeader;
}

/** Everything in a backup: the header, then each object that was written, then an error if that was not all. */
async function* valuesOf(file: string): AsyncGenerator<object, void, undefined> {
  try {
    let count = -1;
    let last: object | undefined;
    for await (const line of readGzipLines(file)) {
      if (last !== undefined) yield last;
      last = objectOf(line);
      if (count < 0) headerOf(last);
      count += 1;
    }
    if (last === undefined || !('lines' in last) || last.lines !== count - 1) throw new Error('it is cut');
  } catch (error) {
    const reason = deniedIn(file) ?? (error instanceof Error ? error.message : String(error));
    throw new StorageError(`the backup ${file} cannot be read: ${reason}`, { cause: error });
  }
}

/**
 * Opens a backup: its header at once, then its lines, which must be read to their end. That it is cut shows only
 * there, so use what the lines say only once they have ended. Who does not read to its end closes it.
 * @throws StorageError, also while reading, when the file is missing, cut, changed, foreign or of a newer version
 */
export async function readBackup(
  file: string,
): Promise<{ header: BackupHeader; lines: AsyncIterable<object>; close(): Promise<void> }> {
  const lines = valuesOf(file);
  const first = await lines.next();
  return { header: headerOf(first.value ?? {}), lines, close: async () => void (await lines.return()) };
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
  const opened = await readBackup(file).catch((error: Error) => {
    // A damaged backup has no readable header; a missing permission must not look like damage.
    if (['EACCES', 'EPERM'].includes(codeOf(error.cause))) throw error;
    return undefined;
  });
  // A backup that is not read to its end keeps its file open.
  await opened?.close();
  return opened?.header;
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
  written: NewBackup,
  lines: AsyncIterable<object>,
  { onlyThis = false }: BackUpOptions = {},
): Promise<void> {
  const [newest, ...older] = names.map((name) => join(folder, name)) as [string, ...string[]];
  const there = await headerIn(newest);
  if (there && there.ledger !== written.ledger) {
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
  await writeBackup(newest, written, lines, rotate);
  if (onlyThis) for (const file of older) await rm(file, { force: true });
}

export interface BackUpOptions {
  /** Removes the older ones, for when somebody was erased. */
  onlyThis?: boolean;
}

/** Writes a backup of what everybody was given; one at a time. */
export type BackUp = (options?: BackUpOptions) => Promise<void>;

export function backingUp(ledger: Pick<Ledger, 'beginBackup' | 'allForgotten' | 'everybody'>, folder: string): BackUp {
  const inSequence: Sequencer = createSequencer();
  return (options) =>
    inSequence(async () => {
      const { id, backups, people } = await ledger.beginBackup();
      const forgotten = await ledger.allForgotten();
      const written = { ledger: id, number: backups, at: new Date(), people, forgotten };
      await addBackup(folder, written, ledger.everybody(), options);
    });
}
