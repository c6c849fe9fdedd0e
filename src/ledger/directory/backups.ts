// Keeps the three newest backups of a ledger.
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../core/defined.ts';
import { codeOf, StorageError } from '../../core/errors.ts';
import { type Sequencer, createSequencer } from '../../process/coalesce.ts';
import type { Ledger } from '../ledger.ts';
import { type BackupHeader, type NewBackup, readBackup, writeBackup } from './backup.ts';

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
