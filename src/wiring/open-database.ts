// Opens the database of the ledger, takes in receipts that could not be written, and gives signs of life.
import type { Server } from 'node:net';
import type { Pool } from 'pg';
import type { Config } from '../../config/load.ts';
import { defined } from '../core/defined.ts';
import { openEmbedded } from '../ledger/database/embedded/embedded.ts';
import { openPostgres } from '../ledger/database/postgres.ts';
import type { DataDirectory } from '../ledger/directory/data-directory.ts';
import { refuseEmptyDatabase, refuseLostLedger } from '../ledger/directory/wrong-ledger.ts';
import { claimOwnership } from '../ledger/directory/owner.ts';
import { receiptsFolder, writeLeftReceipts } from '../ledger/directory/unwritten-receipts.ts';
import type { Ledger, LedgerOptions } from '../ledger/ledger.ts';
import type { Logger } from '../process/logger.ts';
import type { Trouble } from '../process/trouble.ts';
import { emptyLedger, temporaryLedger } from './empty-ledger.ts';
import type { Releases } from '../process/shutdown.ts';
import { endsWithin } from '../process/coalesce.ts';
import type { Tempo } from '../core/pace/waiting-times.ts';

export interface DatabaseOptions {
  config: Config;
  log: Logger;
  /** What the owner of the data directory is doing, for a second process that is turned away. */
  command: string;
  /** The size of the roster that a dry run reads: of a large one, a temporary folder holds the rows. */
  rosterBytes?: number;
  /** What opens an embedded ledger's database instead of the product's own: it may be one that stays open. */
  openEmbedded?: typeof openEmbedded;
}

/** PostgreSQL, or the embedded database of a data directory, which is owned from here on. */
export async function openDatabase(
  { config, log, command, rosterBytes = 0, openEmbedded: open = openEmbedded }: DatabaseOptions,
  { directory, trouble, releases }: { directory: DataDirectory | undefined; trouble: Trouble; releases: Releases },
): Promise<{ pool: Pool; reset?: () => void; ownSocket?: Server; place?: string }> {
  if (config.databaseUrl) {
    const onError = (error: Error): void => trouble('lost a connection to PostgreSQL', error);
    const database = await openPostgres(config.databaseUrl.reveal(), { onError });
    releases.add(() => database.close());
    if (directory && !database.hasLedger) await refuseEmptyDatabase(directory, database.place);
    return database;
  }
  const owner = directory && (await claimOwnership(directory.path, { command, startedAt: new Date() }));
  if (owner) releases.add(() => owner.release());
  if (directory) await refuseLostLedger(directory);
  const database = await open(directory?.ledger ?? (await temporaryLedger(rosterBytes, releases)), {
    template: () => emptyLedger(log),
  });
  releases.add(() => database.close());
  return { pool: database.pool, ...defined({ ownSocket: owner?.server }) };
}

export function keepingReceipts({ path }: DataDirectory, log: Logger): NonNullable<LedgerOptions['receipts']> {
  const onError = (error: unknown): void =>
    log.error({ cause: String(error) }, 'a receipt that the ledger cannot take could not be kept in a file either');
  return { folder: receiptsFolder(path), onError };
}

/** What a process had in hand when it had to end while the ledger was away. */
export async function takeInReceipts({ path }: DataDirectory, ledger: Ledger, log: Logger): Promise<void> {
  const { written, left } = await writeLeftReceipts(receiptsFolder(path), ledger);
  if (written > 0)
    log.info({ receipts: written }, 'receipts that an earlier process could not write are in the ledger now');
  if (left.length > 0)
    log.warn(
      { files: left },
      'receipts of another ledger, of deliveries that this one has not, or that cannot be read, are left alone',
    );
}

/** The longest wait for signing off from a database that is away, ms; the other processes notice by themselves. */
const signOffMs = 1000;

/** What `stayAlive` does, once, where the ledger has several owners. */
export function signsOfLife(
  ledger: Ledger,
  { trouble, releases, tempo }: { trouble: Trouble; releases: Pick<Releases, 'add'>; tempo: Tempo },
): () => Promise<void> {
  let first: Promise<void> | undefined;
  const beat = (): Promise<void> => ledger.beat(ledger.worker, tempo.deadAfterMs);
  async function begin(): Promise<void> {
    await beat();
    // What a dead process was planning would keep its source busy for ever, also where it dies later than this.
    await ledger.failOrphanedPlans(tempo.deadAfterMs);
    const onError = (error: unknown): void => trouble('could not record the sign of life', error);
    const again = (): Promise<void> => beat().then(() => ledger.failOrphanedPlans(tempo.deadAfterMs, ledger.worker));
    const timer = setInterval(() => void again().catch(onError), tempo.heartbeatMs);
    releases.add(async () => {
      clearInterval(timer);
      await endsWithin(signOffMs, ledger.leave(ledger.worker).catch(onError));
    });
  }
  return () => (first ??= begin());
}
