// Imports an archive into a new data directory or an empty PostgreSQL database.
import type { Config } from '../../config/load.ts';
import { type CheckedArchive, checkArchive } from '../ledger/archive/archive-form.ts';
import { importArchive, type Imported, isCurrent } from '../ledger/archive/import-archive.ts';
import { type Database, databaseOver } from '../ledger/database/database.ts';
import { openEmbedded } from '../ledger/database/embedded/embedded.ts';
import { holdDeliveryLock, openPostgres } from '../ledger/database/postgres.ts';
import { backingUp } from '../ledger/directory/backups.ts';
import { openDataDirectory } from '../ledger/directory/data-directory.ts';
import { refuseLostLedger } from '../ledger/directory/lost-ledger.ts';
import { claimOwnership } from '../ledger/directory/owner.ts';
import { openLedger } from '../ledger/ledger.ts';
import type { Logger } from '../process/logger.ts';
import { emptyLedger } from './empty-ledger.ts';

/** What was imported, and where it is now. */
export interface ImportedLedger extends Imported {
  /** `the database that DATABASE_URL names`, `the ledger in /srv/roster-sync`. */
  where: string;
}

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
