// Refuses to start when the ledger is missing or older than its newest backup.
import { readdir } from 'node:fs/promises';
import { StorageError } from '../../core/errors.ts';
import { listBackups, newestBackup } from './backups.ts';
import type { BackupHeader } from './backup.ts';
import type { DataDirectory } from './data-directory.ts';
import type { LedgerIdentity } from './ledger-identity.ts';

/** A rebuilt ledger that is whole and has not taken its place yet. */
export const rebuiltName = 'ledger.rebuilt';
/** Ledgers that a rebuild moved aside; older versions called them unreadable. */
const asideName = /^ledger-(?:aside|unreadable)-/;

const next = [{ act: 'upkeep.rebuild' }] as const;

/** What a backup says about itself: `of 2026-03-01 08:15 UTC, with 1200 people, 1 of them forgotten`. */
export function describeBackup({ at, people, forgotten }: BackupHeader): string {
  const when = `of ${at.slice(0, 16).replace('T', ' ')} UTC`;
  const known = people === undefined ? '' : `, with ${people} ${people === 1 ? 'person' : 'people'}`;
  const erased = forgotten?.people.length ?? 0;
  return `${when}${known}${erased > 0 ? `, and ${erased} forgotten` : ''}`;
}

/** @throws StorageError if a backup or a ledger that was moved aside is there: a new ledger would know nobody */
export async function refuseLostLedger({ path, ledger, backup }: DataDirectory): Promise<void> {
  const files = await readdir(ledger).catch(() => []);
  if (files.length > 0) return;
  const remains = await remainsIn(path, backup);
  if (remains === undefined) return;
  throw new StorageError(
    `the ledger in ${path} is missing, but ${remains} is there. A new ledger would know nobody: everybody would count as ` +
      'new, and people who were forgotten would be called. To start with an empty ledger, use another data directory.',
    { next },
  );
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
    throw new StorageError(
      `the backup ${file}, ${describeBackup(header)}, is of another ledger than the one in ${path}. People whom only one ` +
        'of them knows would be called again. If the backup does not belong there, move it out of the data directory; ' +
        'else rebuild the ledger from both.',
      { next },
    );
  }
  if ((header.number ?? 0) <= ledger.backups) return;
  throw new StorageError(
    `the ledger in ${path} is older than its backup ${describeBackup(header)}: a power cut has cost its last changes, or ` +
      'an old copy was put back. People who were given something since would be called again.',
    { next },
  );
}
