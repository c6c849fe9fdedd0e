// Refuses a wrong ledger: one that is lost or elsewhere, older than its newest backup, or a copy of another one.
import { readdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type InputError, StorageError, refusal } from '../../core/errors.ts';
import { say } from '../../core/words/say.ts';
import { listBackups, newestBackup, type BackupHeader } from './backups.ts';
import type { DataDirectory } from './data-directory.ts';
import type { LedgerIdentity } from './ledger-identity.ts';
import { escapeText } from '../../core/text/format.ts';

/** A rebuilt ledger that is whole and has not taken its place yet. */
export const rebuiltName = 'ledger.rebuilt';
/** Ledgers that a rebuild moved aside; older versions called them unreadable. */
const asideName = /^ledger-(?:aside|unreadable)-/;

const next = [{ act: 'upkeep.rebuild' }] as const;

/** What a backup says about itself: `of 2026-03-01 08:15 UTC, with 1200 people, 1 of them forgotten`. */
export function describeBackup({ at, backup: { people, forgotten } }: BackupHeader): string {
  const known = `with ${people} ${people === 1 ? 'person' : 'people'}`;
  return `of ${at.slice(0, 16).replace('T', ' ')} UTC, ${known}${forgotten > 0 ? `, and ${forgotten} forgotten` : ''}`;
}

const hasLedger = async ({ ledger }: DataDirectory): Promise<boolean> =>
  (await readdir(ledger).catch(() => [])).length > 0;

/** The database with which the directory was last used is in this file: host, port and name, and no secret. */
const databaseOf = ({ path }: DataDirectory): string => join(path, 'postgresql');

async function rememberedDatabase(directory: DataDirectory): Promise<string | undefined> {
  const text = await readFile(databaseOf(directory), 'utf8').catch(() => '');
  return text.trim() || undefined;
}

/**
 * Does nothing where the directory has a ledger of its own, which goes on: a look at another one does not end that.
 * @param place where the ledger in PostgreSQL is, without user and password
 */
export async function rememberDatabase(directory: DataDirectory, place: string): Promise<void> {
  if ((await rememberedDatabase(directory)) === place || (await hasLedger(directory))) return;
  await writeFile(databaseOf(directory), `${place}\n`, { mode: 0o600 });
}

/** @throws InputError if a database has no ledger, and the directory was used with one: what was sent is known there alone */
export async function refuseEmptyDatabase(directory: DataDirectory, place: string): Promise<void> {
  const database = await rememberedDatabase(directory);
  if (database === undefined && !(await hasLedger(directory))) return;
  const before = database === undefined ? 'the ledger in it' : `PostgreSQL at ${database}`;
  throw refusal('emptyDatabase', { place, path: directory.path, before });
}

/**
 * @throws InputError if the ledger is in PostgreSQL; StorageError if a backup or a ledger that was moved aside is there: a new
 *   ledger would know nobody
 */
export async function refuseLostLedger(directory: DataDirectory): Promise<void> {
  const { path, backup } = directory;
  const place = await rememberedDatabase(directory);
  if (place !== undefined) throw refusal('missingDatabase', { path, place, file: databaseOf(directory) });
  if (await hasLedger(directory)) return;
  const remains = await remainsIn(path, backup);
  if (remains === undefined) return;
  throw new StorageError(say('lostLedger', 1, { path, remains }), { next });
}

async function remainsIn(path: string, backup: string): Promise<string | undefined> {
  const kept = await listBackups(backup);
  const newest = kept.find(({ header }) => header)?.header;
  if (kept[0]) return newest ? `a backup ${describeBackup(newest)}` : `the backup ${kept[0].file}`;
  const entries = await readdir(path);
  return entries.find((name) => name === rebuiltName || asideName.test(name));
}

/**
 * Makes sure that a ledger knows at least what its newest backup knows.
 * @throws StorageError if it is older, as after a power cut or when an old copy was put back, or where the backup is of
 *   another ledger
 */
export async function refuseOlderLedger({ path, backup }: DataDirectory, ledger: LedgerIdentity): Promise<void> {
  const newest = await newestBackup(backup);
  if (newest === undefined) return;
  const { file, header } = newest;
  if (header.ledger !== ledger.id) {
    throw new StorageError(say('backupOfOther', 1, { file, backup: describeBackup(header), path }), { next });
  }
  if (header.backup.number <= ledger.backups) return;
  throw new StorageError(say('olderLedger', 1, { path, backup: describeBackup(header) }), { next });
}

const Place = z.object({
  host: z.string(),
  path: z.string(),
  /** The number of this very file on its disk: a copy of the file has another. */
  inode: z.string(),
});
type Place = z.infer<typeof Place>;

const name = 'place.json';

/** The directory that this one is a copy of. */
export type Original = Pick<Place, 'host' | 'path'>;

/**
 * Finds out whether a data directory is a copy: then it lies in another place than it remembers, and the file in which it
 * remembers that is another file. A directory that was moved or mounted elsewhere keeps the file, and one that was restored
 * in its old place keeps the place; both are no copies. A copy of a whole disk (a snapshot of a volume) keeps everything,
 * and is not noticed.
 * @param path its real path
 */
export async function originalOf(path: string): Promise<Original | undefined> {
  const before = await remembered(path);
  if (before === undefined || !isElsewhere(before, path)) return undefined;
  if (before.inode === (await inodeOf(join(path, name)))) return undefined;
  return { host: before.host, path: before.path };
}

/** The same, and a directory that is no copy remembers where it is from now on. */
export async function settlePlace(path: string): Promise<Original | undefined> {
  const original = await originalOf(path);
  if (original) return original;
  const before = await remembered(path);
  const isSettled =
    before !== undefined && !isElsewhere(before, path) && before.inode === (await inodeOf(join(path, name)));
  if (!isSettled) await rememberPlace(path);
  return undefined;
}

const isElsewhere = (before: Place, path: string): boolean => before.host !== hostname() || before.path !== path;

async function remembered(path: string): Promise<Place | undefined> {
  try {
    return Place.safeParse(JSON.parse(await readFile(join(path, name), 'utf8'))).data;
  } catch {
    // Absent, or cut off by a power cut: it is written again.
    return undefined;
  }
}

const inodeOf = async (file: string): Promise<string> => String((await stat(file, { bigint: true })).ino);

/** Makes a directory remember where it is: from now on it is the original. */
export async function rememberPlace(path: string): Promise<void> {
  // Into the same file: a new one would have another number.
  await using handle = await open(join(path, name), 'w', 0o600);
  const { ino } = await handle.stat({ bigint: true });
  const place: Place = { host: hostname(), path, inode: String(ino) };
  await handle.writeFile(`${JSON.stringify(place)}\n`);
}

/** What to say of a copy, and what to do next. */
export function copyError(path: string, original: Original): InputError {
  const from = `${escapeText(original.path)}${original.host === hostname() ? '' : ` on ${escapeText(original.host)}`}`;
  return refusal('copiedDirectory', { path, from }, { next: [{ act: 'upkeep.movedHere' }] });
}
