import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { type Config, requireBaseUrl } from '../config/load.ts';
import { writeBackup } from './ledger/backup.ts';
import { type DataDirectory, openDataDirectory } from './ledger/directory.ts';
import { assertDiskSpace } from './ledger/disk.ts';
import { openEmbedded } from './ledger/embedded.ts';
import { type Ledger, openLedger } from './ledger/ledger.ts';
import { claimOwnership } from './ledger/owner.ts';
import { holdDeliveryLock, openPostgres } from './ledger/postgres.ts';
import type { Logger } from './logger.ts';
import { createPacer } from './queue/pacer.ts';
import { type DeliveryQueue, openQueue } from './queue/queue.ts';
import { openRoster } from './roster/open-roster.ts';
import { writeRejects } from './roster/rejects-file.ts';
import { parseBaseUrl } from './service/address.ts';
import { createServiceClient, type ServiceClient } from './service/client.ts';
import { readCredentials } from './service/credentials.ts';
import { readVersion } from './version.ts';

/** What every command that reads or plans works with. What it opens it closes, last first. */
export interface Context {
  config: Config;
  log: Logger;
  ledger: Ledger;
  /** `production` with both Redis and PostgreSQL. */
  mode: 'embedded' | 'production';
  /** Absent for a dry run that found no data directory: then the ledger is in memory and nothing is kept. */
  directory?: DataDirectory;
  openRoster: typeof openRoster;
  writeRejects: typeof writeRejects;
  /** Throws a StorageError while there is too little room on the disk to go on. */
  checkStorage(): Promise<void>;
  /** Writes down beside an embedded ledger what everybody was given; PostgreSQL has backups of its own. */
  backup(): Promise<void>;
  /** Opens what is needed to deliver; closed with the rest. */
  openDelivery(): Promise<DeliveryContext>;
  close(): Promise<void>;
}

/** What a process that delivers works with in addition. */
export interface DeliveryContext extends Context {
  queue: DeliveryQueue;
  service: ServiceClient;
  createPacer: typeof createPacer;
  /** The total deadline of one call, in ms. */
  callTimeoutMs: number;
  /** In [0, 1). */
  random(): number;
  /** Calls that were in flight when the process before this one ended; they will be repeated. */
  inFlightBefore: number;
}

/** How a context is to be opened. */
export interface ContextOptions {
  config: Config;
  log: Logger;
  /** What the owner of the data directory is doing, for a second process that is turned away. */
  command: string;
  /** Whether a data directory may be made where there is none; else that is an error. */
  create?: boolean;
  /** Where there is no data directory, work in memory and keep nothing. */
  dryRun?: boolean;
}

/** The backup of what everybody was given. */
export function backupFile({ backup }: DataDirectory): string {
  return join(backup, 'people.ndjson.gz');
}

/** What was opened, to be closed last first, once. */
class Releases {
  readonly #steps: (() => Promise<void>)[] = [];
  #closing: Promise<void> | undefined;

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }
  close(): Promise<void> {
    return (this.#closing ??= this.#closeAll());
  }
  async #closeAll(): Promise<void> {
    for (const step of this.#steps.toReversed()) await step();
  }
}

/**
 * Opens data directory and ledger. With an embedded ledger this process owns the directory from here on.
 * @throws BusyError when another process owns it; StorageError or InputError when it cannot be used
 */
export async function openContext(options: ContextOptions): Promise<Context> {
  const releases = new Releases();
  try {
    return await open(options, releases);
  } catch (error) {
    await releases.close();
    throw error;
  }
}

async function open(options: ContextOptions, releases: Releases): Promise<Context> {
  const { config, log, create = false, dryRun = false } = options;
  // Whatever is written from here on holds people: readable for its owner only.
  process.umask(0o077);
  const directory =
    dryRun && !existsSync(config.dataDir) ? undefined : await openDataDirectory(config.dataDir, { create });
  const pool = await openDatabase(options, directory, releases);
  const ledger = await openLedger(pool, `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`);
  const ownsLedger = config.databaseUrl === undefined;
  if (ownsLedger) await ledger.failOrphanedPlans();
  const context: Context = {
    config,
    log,
    ledger,
    mode: config.redisUrl && config.databaseUrl ? 'production' : 'embedded',
    ...(directory ? { directory } : {}),
    openRoster,
    writeRejects,
    checkStorage: async () => {
      if (directory) await assertDiskSpace(directory.path);
    },
    backup: async () => {
      if (!directory || !ownsLedger) return;
      const written = { ledger: await ledger.ledgerId(), at: new Date() };
      await writeBackup(backupFile(directory), written, ledger.everybody());
    },
    openDelivery: () => openDelivery(context, pool, releases),
    close: () => releases.close(),
  };
  return context;
}

async function openDatabase(
  { config, log, command }: ContextOptions,
  directory: DataDirectory | undefined,
  releases: Releases,
): Promise<Pool> {
  if (config.databaseUrl) {
    const onError = ({ message }: Error): void => log.warn({ cause: message }, 'lost a connection to PostgreSQL');
    const database = await openPostgres(config.databaseUrl.reveal(), { onError });
    releases.add(() => database.close());
    return database.pool;
  }
  if (directory) {
    const owner = await claimOwnership(directory.path, { command, startedAt: new Date() });
    releases.add(() => owner.release());
  }
  const database = await openEmbedded(directory?.ledger ?? 'memory://');
  releases.add(() => database.close());
  return database.pool;
}

/**
 * Makes this process the one that delivers, and takes back what a process that died had in its hands: the queue
 * is emptied, since the ledger knows everything that was in it.
 */
async function openDelivery(context: Context, pool: Pool, releases: Releases): Promise<DeliveryContext> {
  const { config, log, ledger } = context;
  const { timeoutMs, ...credentials } = config.service;
  const service = createServiceClient({
    baseUrl: parseBaseUrl(requireBaseUrl(config)),
    credentials: await readCredentials(credentials),
    concurrency: config.delivery.concurrency,
    timeoutMs,
    userAgent: `roster-sync/${readVersion()}`,
    environment: config.proxyEnvironment,
  });
  releases.add(() => service.close());
  if (config.databaseUrl) {
    const lock = await holdDeliveryLock(pool);
    releases.add(() => lock.release());
    await ledger.failOrphanedPlans();
  }
  const home = config.redisUrl
    ? { redisUrl: config.redisUrl, prefix: `roster-sync:${await ledger.ledgerId()}` }
    : { pool };
  const queue = await openQueue(home, ({ message }) => log.warn({ cause: message }, 'trouble with the queue'));
  releases.add(() => queue.close());
  await queue.empty();
  const { inFlight } = await ledger.takeBackAll(timeoutMs);
  return {
    ...context,
    queue,
    service,
    createPacer,
    callTimeoutMs: timeoutMs,
    random: Math.random,
    inFlightBefore: inFlight,
  };
}
