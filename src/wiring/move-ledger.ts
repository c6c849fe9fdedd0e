// Exports the whole ledger into an archive, or imports one into a new directory or an empty PostgreSQL.
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Pool } from 'pg';
import { BusyError, InputError, onRun } from '../core/errors.ts';
import { say } from '../core/words/say.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { archiveText, checkArchive, importArchive, type Imported, isCurrent } from '../ledger/archive/archive.ts';
import { refuseMoved } from '../ledger/directory/ledger-identity.ts';
import { databaseOver, type Database } from '../ledger/database/database.ts';
import { holdDeliveryLock, openPostgres } from '../ledger/database/postgres.ts';
import { writeGzip } from '../ledger/directory/disk.ts';
import { readVersion } from '../process/version.ts';
import type { Config } from '../../config/load.ts';
import type { CheckedArchive } from '../ledger/archive/archive-form.ts';
import { openEmbedded } from '../ledger/database/embedded/embedded.ts';
import { backingUp } from '../ledger/directory/backups.ts';
import { openDataDirectory } from '../ledger/directory/data-directory.ts';
import { refuseLostLedger } from '../ledger/directory/wrong-ledger.ts';
import { claimOwnership } from '../ledger/directory/owner.ts';
import type { Logger } from '../process/logger.ts';
import { emptyLedger } from './empty-ledger.ts';

/**
 * Exports a ledger into a file, while nobody delivers. The ledger is marked as moved before the first row is read, so
 * that there is no moment at which it and a ledger made from the archive may both send; the mark is taken back if the
 * archive cannot be written.
 * @param isShared whether other processes may have the ledger open too
 * @throws BusyError while another process delivers, or a run is planned or delivered; InputError when the file is there, or
 *   the ledger was exported before
 */
export async function exportLedger(
  { ledger, pool, isShared }: { ledger: Ledger; pool: Pool; isShared: boolean },
  to: string,
) {
  const file = resolve(to);
  if (existsSync(file)) throw new InputError(`${file} is already there. Name a new file.`);
  const lock = isShared ? await holdDeliveryLock(pool, 'alone').catch(sayWhoDelivers) : undefined;
  try {
    refuseMoved(await ledger.movedAt());
    await refuseInFlight(ledger);
    const at = new Date();
    let rows: Record<string, number> = {};
    await ledger.markMoved(true);
    try {
      const text = archiveText(databaseOver(pool), {
        at,
        program: readVersion(),
        onEnd: (counted) => {
          rows = counted;
        },
      });
      await writeGzip(file, text, { what: 'the archive' });
    } catch (error) {
      await ledger.markMoved(false);
      throw error;
    }
    return { file, ledger: await ledger.ledgerId(), at: at.toISOString(), bytes: (await stat(file)).size, rows };
  } finally {
    await lock?.release();
  }
}

function sayWhoDelivers(error: unknown): never {
  if (!(error instanceof BusyError)) throw error;
  throw new BusyError(say('deliversDuringExport', 1), { cause: error });
}

/** What is being planned or sent would be finished by nobody, or by two. */
async function refuseInFlight(ledger: Ledger): Promise<void> {
  const busy = (await ledger.unfinishedRuns()).filter(({ status }) => ['planning', 'delivering'].includes(status));
  if (busy.length === 0) return;
  const runs = busy.map(({ id, status }) => `${id} (${status})`).join(', ');
  throw new BusyError(say('runsDuringExport', 1, { runs }), { next: busy.flatMap(({ id }) => onRun(id, 'resume')) });
}

/** What was imported, and where it is now: `the database that DATABASE_URL names`, `the ledger in /srv/roster-sync`. */
type ImportedLedger = Imported & { where: string };

/**
 * Imports an archive into the ledger that the settings name. Nobody else may use that ledger meanwhile.
 * @throws BusyError when another process does; StorageError when the archive is cut or changed; as `importArchive`
 */
export async function importLedger(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  file: string,
  log: Logger,
): Promise<ImportedLedger> {
  const archive = await checkArchive(file);
  return databaseUrl ? intoPostgres(databaseUrl.reveal(), archive) : intoDirectory(dataDir, archive, log);
}

async function intoPostgres(url: string, archive: CheckedArchive): Promise<ImportedLedger> {
  const { pool, close } = await openPostgres(url);
  const where = 'the database that DATABASE_URL names';
  try {
    const lock = await holdDeliveryLock(pool, 'alone');
    try {
      return { ...(await importArchive(databaseOver(pool), archive, where)), where };
    } finally {
      await lock.release();
    }
  } finally {
    await close();
  }
}

async function intoDirectory(dataDir: string, archive: CheckedArchive, log: Logger): Promise<ImportedLedger> {
  process.umask(0o077);
  const directory = await openDataDirectory(dataDir, { create: true });
  const owner = await claimOwnership(directory.path, { command: 'import-ledger', startedAt: new Date() });
  try {
    await refuseLostLedger(directory);
    const { pool, close } = await openEmbedded(directory.ledger, {
      // An older archive needs the tables of its time.
      template: () => (isCurrent(archive) ? emptyLedger(log) : Promise.resolve(undefined)),
    });
    const where = `the ledger in ${directory.path}`;
    try {
      const db: Database = databaseOver(pool);
      const imported = await importArchive(db, archive, where);
      // The embedded database does not wait for the disk; the backup does.
      const ledger = await openLedger(pool, { worker: 'import-ledger', lossPolicy: { forMs: 0, onLoss: () => {} } });
      await backingUp(ledger, directory.backup)();
      return { ...imported, where };
    } finally {
      await close();
    }
  } finally {
    await owner.release();
  }
}
