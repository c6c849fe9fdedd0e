// Backups for tests: of a ledger, or with rows of any kind.
import {
  archiveLines,
  type CheckedArchive,
  readArchive,
  type WrittenTable,
} from '../../src/ledger/archive/archive-form.ts';
import { type CheckedBackup, checkBackup } from '../../src/ledger/directory/backups.ts';
import { writeGzip } from '../../src/ledger/directory/disk.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';

/** What a backup with this number says first. */
export const headerOf = (number: number, ledger = 'l1') => ({
  ...{ format: 'roster-sync-ledger' as const, version: 1 as const, ledger, at: '2026-01-02T03:04:05.000Z' },
  ...{ program: '0.0.0', migrations: ['001-tables'], backup: { number, people: 0, forgotten: 0 } },
});

/** The text of a backup of these people. */
export function textOf(header: ReturnType<typeof headerOf>, people: AsyncIterable<object>): AsyncGenerator<string> {
  async function* pages(): AsyncGenerator<string[]> {
    for await (const person of people) yield [JSON.stringify(person)];
  }
  async function* tables(): AsyncGenerator<WrittenTable> {
    yield { name: 'people', columns: [], pages: pages() };
  }
  return archiveLines(header, tables());
}

/** Writes a backup of a ledger, and reads it. */
export async function backUp(ledger: Ledger, file: string): Promise<CheckedBackup> {
  await writeGzip(file, ledger.backupText(await ledger.beginBackup()), { what: 'the backup' });
  return checkBackup(file);
}

/** The rows of a table in a backup. */
export async function rowsIn(backup: CheckedArchive, table: string): Promise<object[]> {
  const found: object[] = [];
  for await (const part of readArchive(backup))
    if ('rows' in part && part.table === table) found.push(...part.rows.map((row) => JSON.parse(row) as object));
  return found;
}
