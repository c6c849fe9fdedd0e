import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { type Config, requireBaseUrl } from '../config/load.ts';
import type { SourceConfig } from '../config/source-schema.ts';
import { canFetchById, mappingOf, openConfigured, type OpenConfigured, requireSource } from './configured-source.ts';
import { InputError } from './core/errors.ts';
import type { MappingOptions } from './core/mapping.ts';
import type { Rate } from './core/pacing.ts';
import { holdForMs } from './core/trip.ts';
import { tempo as realTempo, type Tempo } from './core/tempo.ts';
import { writeBackup } from './ledger/backup.ts';
import { type DataDirectory, openDataDirectory } from './ledger/directory.ts';
import { assertDiskSpace } from './ledger/disk.ts';
import { openEmbedded } from './ledger/embedded.ts';
import { type Ledger, openLedger } from './ledger/ledger.ts';
import { claimOwnership } from './ledger/owner.ts';
import { type DeliveryLock, holdDeliveryLock, openPostgres } from './ledger/postgres.ts';
import { isConnectionLoss } from './ledger/reconnect.ts';
import type { Logger } from './logger.ts';
import { type Notifier, openNotifier } from './notify/notifier.ts';
import { startFeeder } from './queue/feeder.ts';
import { openPaceStores } from './queue/pace-stores.ts';
import { createPacer, type Pacer } from './queue/pacer.ts';
import { type DeliveryQueue, openQueue, type QueueHome } from './queue/queue.ts';
import { openScheduler, type Scheduler, type SchedulerOptions } from './queue/scheduler.ts';
import { inspectRedis, judgeRedis, type RedisUrl } from './queue/redis.ts';
import type { FetchedRoster } from './roster/fetch/open-http.ts';
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
  /** How long is waited for others; `deadAfterMs` is 0 where there are none. */
  tempo: Tempo;
  /** Absent for a dry run that found no data directory: then the ledger is in memory and nothing is kept. */
  directory?: DataDirectory;
  openRoster: typeof openRoster;
  /** The source of a name in the config. Throws an InputError that lists those there are. */
  requireSource(name: string): SourceConfig;
  mappingOf: typeof mappingOf;
  canFetchById: typeof canFetchById;
  /**
   * Opens a source of the config.
   * @param columns what of a nested record is asked for
   * @throws InputError when it cannot be had; SourceUnchanged where the validators given still hold
   */
  openSource(name: string, columns: MappingOptions, options: OpenConfigured): Promise<FetchedRoster>;
  writeRejects: typeof writeRejects;
  /** Tells people and monitors; `announce` says what. */
  notifier: Notifier;
  /** Where others ask the owner of the data directory; absent with PostgreSQL, and where nothing is kept. */
  ownSocket?: Server;
  /** Runs that others have asked this process to deliver, besides its own. */
  adopted: Set<string>;
  /** Set where the ledger is asked through the process that owns it: that one delivers, this one only asks. */
  elsewhere?: { deliver(runId: string): Promise<void> };
  /** Throws a StorageError while there is too little room on the disk to go on. */
  checkStorage(): Promise<void>;
  /** Writes down beside an embedded ledger what everybody was given; PostgreSQL has backups of its own. */
  backup(): Promise<void>;
  /**
   * Gives signs of life from now until the context is closed, so that no other process takes for abandoned what this one
   * plans or calls. Needless, and nothing happens, where the ledger has one owner.
   */
  stayAlive(): Promise<void>;
  /**
   * Opens what is needed to deliver, at this rate for the service; closed with the rest.
   * @throws BusyError when another process delivers and only one may; InputError when address or token are missing
   */
  openDelivery(rate: Rate): Promise<DeliveryContext>;
  close(): Promise<void>;
}

/** What a process that delivers works with in addition. */
export interface DeliveryContext extends Context {
  queue: DeliveryQueue;
  service: ServiceClient;
  pacer: Pacer;
  startFeeder: typeof startFeeder;
  /** Opens what wakes this process when a source is due; whoever opens it closes it. */
  openScheduler(onTick: SchedulerOptions['onTick']): Promise<Scheduler>;
  /** Whether this process is the one that feeds the queue. */
  leads(): Promise<boolean>;
  /** Whether other processes may deliver at the same time. */
  shared: boolean;
  /** The total deadline of one call, ms. */
  callTimeoutMs: number;
  /** In [0, 1). */
  random(): number;
  /** Calls that were in flight when the process before this one ended; they will be repeated. 0 where there may be others. */
  inFlightBefore: number;
}

/** Saying farewell to a database that is away is not waited for, ms: the others find out by themselves. */
const farewellMs = 1000;

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
  /** Another one than the product's own, for tests of faults. */
  tempo?: Tempo;
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
  const { config, log, create = false, dryRun = false, tempo = realTempo } = options;
  // Whatever is written from here on holds people: readable for its owner only.
  process.umask(0o077);
  const directory =
    dryRun && !existsSync(config.dataDir) ? undefined : await openDataDirectory(config.dataDir, { create });
  const { pool, reset, ownSocket } = await openDatabase(options, directory, releases);
  const ledger = await openLedger(pool, {
    worker: `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`,
    patience: {
      forMs: config.databaseUrl ? tempo.ledgerPatienceMs : 0,
      onLoss: ({ message }) => log.warn({ cause: message }, 'PostgreSQL cannot be reached; waiting for it'),
      ...(reset ? { silence: { afterMs: tempo.silenceMs, onSilence: reset } } : {}),
    },
    oneSession: config.databaseUrl === undefined,
  });
  const notifier = openNotifier({
    settings: config.notify,
    userAgent: `roster-sync/${readVersion()}`,
    environment: config.proxyEnvironment,
  });
  releases.add(() => notifier.close());
  const ownsLedger = config.databaseUrl === undefined;
  if (ownsLedger) await ledger.failOrphanedPlans(0);
  await ledger.expireHolds(holdForMs);
  const context: Context = {
    config,
    log,
    ledger,
    tempo,
    mode: config.redisUrl && config.databaseUrl ? 'production' : 'embedded',
    ...(directory ? { directory } : {}),
    ...(ownSocket ? { ownSocket } : {}),
    adopted: new Set(),
    openRoster,
    requireSource: (name) => requireSource(config, name),
    mappingOf,
    canFetchById,
    openSource: (name, columns, how) => openConfigured(config, name, columns, how),
    writeRejects,
    notifier,
    checkStorage: async () => {
      if (directory) await assertDiskSpace(directory.path);
    },
    backup: async () => {
      if (!directory || !ownsLedger) return;
      const forgotten = await ledger.allForgotten();
      const written = { ledger: await ledger.ledgerId(), at: new Date(), forgotten };
      await writeBackup(backupFile(directory), written, ledger.everybody());
    },
    stayAlive: signsOfLife(ledger, { log, releases, tempo, needed: !ownsLedger }),
    openDelivery: (rate) => openDelivery(context, { pool, releases, rate }),
    close: () => releases.close(),
  };
  return context;
}

async function openDatabase(
  { config, log, command }: ContextOptions,
  directory: DataDirectory | undefined,
  releases: Releases,
): Promise<{ pool: Pool; reset?: () => void; ownSocket?: Server }> {
  if (config.databaseUrl) {
    const onError = ({ message }: Error): void => log.warn({ cause: message }, 'lost a connection to PostgreSQL');
    const database = await openPostgres(config.databaseUrl.reveal(), { onError });
    releases.add(() => database.close());
    return database;
  }
  const owner = directory && (await claimOwnership(directory.path, { command, startedAt: new Date() }));
  if (owner) releases.add(() => owner.release());
  const database = await openEmbedded(directory?.ledger ?? 'memory://');
  releases.add(() => database.close());
  return { pool: database.pool, ...(owner && { ownSocket: owner.server }) };
}

/** What `stayAlive` does, once. */
function signsOfLife(
  ledger: Ledger,
  { log, releases, tempo, needed }: { log: Logger; releases: Releases; tempo: Tempo; needed: boolean },
): () => Promise<void> {
  let first: Promise<void> | undefined;
  const beat = (): Promise<void> => ledger.beat(ledger.worker, tempo.deadAfterMs);
  async function begin(): Promise<void> {
    await beat();
    // What a dead process was planning would keep its source busy for ever.
    await ledger.failOrphanedPlans(tempo.deadAfterMs);
    const onError = ({ message }: Error): void => log.warn({ cause: message }, 'no sign of life could be given');
    const timer = setInterval(() => void beat().catch(onError), tempo.heartbeatMs);
    releases.add(async () => {
      clearInterval(timer);
      const said = new AbortController();
      const late = sleep(farewellMs, undefined, said).catch(() => {});
      await Promise.race([ledger.leave(ledger.worker).catch(onError), late]);
      said.abort();
    });
  }
  return async () => {
    if (needed) await (first ??= begin());
  };
}

interface DeliveryParts {
  pool: Pool;
  releases: Releases;
  rate: Rate;
}

/**
 * Opens queue, client and pace. With Redis and PostgreSQL other processes may deliver too; otherwise this one becomes
 * the only one, and begins with an empty queue: the ledger knows everything that was in it.
 */
async function openDelivery(context: Context, { pool, releases, rate }: DeliveryParts): Promise<DeliveryContext> {
  const { config, log, ledger, mode, tempo } = context;
  const { timeoutMs, ...credentials } = config.service;
  const service = createServiceClient({
    baseUrl: parseBaseUrl(requireBaseUrl(config)),
    credentials: await readCredentials(credentials),
    // A snapshot of answers keeps a connection of its own for as long as it takes.
    concurrency: config.delivery.concurrency + (config.answers.schedule ? 1 : 0),
    timeoutMs,
    analysis: { silenceMs: config.answers.silence, timeoutMs: config.answers.timeout },
    userAgent: `roster-sync/${readVersion()}`,
    environment: config.proxyEnvironment,
  });
  releases.add(() => service.close());
  if (config.redisUrl) await requireGoodRedis(config.redisUrl, log);
  const shared = mode === 'production';
  await context.stayAlive();
  const leads = shared
    ? await becomeOneOfMany(context, { pool, releases, service: service.address })
    : await becomeTheOnlyOne(context, pool, releases);
  const home = await queueHome(context, pool, service.address);
  const onError = ({ message }: Error): void => log.warn({ cause: message }, 'trouble with the queue');
  const queue = await openQueue(home, onError, tempo);
  releases.add(() => queue.close());
  if (!shared) await queue.empty();
  return {
    ...context,
    queue,
    service,
    pacer: openPacer(context, { rate, address: service.address, releases }),
    startFeeder,
    openScheduler: (onTick) => openScheduler(home, { onTick, onError, tempo }),
    leads,
    shared,
    callTimeoutMs: timeoutMs,
    tempo: shared ? tempo : { ...tempo, deadAfterMs: 0 },
    random: Math.random,
    inFlightBefore: shared ? 0 : await ledger.beginAlone(),
  };
}

async function requireGoodRedis(redisUrl: RedisUrl, log: Logger): Promise<void> {
  const { problems, warnings } = judgeRedis(await inspectRedis(redisUrl));
  for (const warning of warnings) log.warn(warning);
  if (problems.length > 0) throw new InputError(problems.join('\n'));
}

/** The only process to deliver: an embedded ledger is owned already, PostgreSQL has a lock for it. */
async function becomeTheOnlyOne({ config }: Context, pool: Pool, releases: Releases): Promise<() => Promise<boolean>> {
  const stay = config.databaseUrl ? await keepDeliveryLock(pool, 'alone', releases) : undefined;
  return async () => {
    await stay?.();
    return true;
  };
}

/** One of many: one of them at a time feeds the queue of a service, and another takes over once it gives no sign of life. */
async function becomeOneOfMany(
  { ledger, tempo }: Context,
  { pool, releases, service }: { pool: Pool; releases: Releases; service: string },
): Promise<() => Promise<boolean>> {
  const stay = await keepDeliveryLock(pool, 'together', releases);
  let leads = false;
  let askedAt = -Infinity;
  return async () => {
    await stay();
    if (leads && performance.now() - askedAt < tempo.heartbeatMs) return true;
    askedAt = performance.now();
    leads = await ledger.leadFeeding({ service, worker: ledger.worker, forMs: tempo.deadAfterMs });
    return leads;
  };
}

/**
 * Holds the lock of whoever delivers. What it returns takes the lock again when the connection that held it has broken.
 * @throws BusyError, at once or then, when a process delivers beside which this one may not
 */
async function keepDeliveryLock(
  pool: Pool,
  company: 'alone' | 'together',
  releases: Releases,
): Promise<() => Promise<void>> {
  let lock: DeliveryLock | undefined;
  async function take(): Promise<void> {
    const taken = await holdDeliveryLock(pool, company);
    lock = taken;
    void taken.lost.then(() => {
      if (lock !== taken) return;
      lock = undefined;
      return taken.release();
    });
  }
  await take();
  releases.add(async () => {
    const held = lock;
    lock = undefined;
    await held?.release();
  });
  return async () => {
    if (lock) return;
    await take().catch((error: unknown) => {
      // While the database is away nobody else can take it either.
      if (!isConnectionLoss(error)) throw error;
    });
  };
}

/** Where the queue of one service of one ledger is: a worker for another service never sees its jobs. */
async function queueHome({ config, ledger }: Context, pool: Pool, address: string): Promise<QueueHome> {
  const service = createHash('sha256').update(address).digest('hex').slice(0, 8);
  const prefix = `${config.redisPrefix}:${await ledger.ledgerId()}`;
  return config.redisUrl ? { redisUrl: config.redisUrl, prefix, service } : { pool, service };
}

/** The pace of a service: in Redis for all processes, or in this one. */
function openPacer(
  { config, ledger, log, tempo }: Context,
  { rate, address, releases }: { rate: Rate; address: string; releases: Releases },
): Pacer {
  const longest = Math.max(rate.perMs, ...rate.and.map(({ perMs }) => perMs));
  const most = Math.max(rate.limit, ...rate.and.map(({ limit }) => limit));
  const stores = openPaceStores(config.redisUrl, tempo, ({ message }) =>
    log.warn({ cause: message }, 'trouble with Redis'),
  );
  releases.add(stores.close);
  const key = `${config.redisPrefix}:pace:${address}`;
  return createPacer({
    rate,
    store: stores.open(key, rate, async () => ({
      callsAgo: await ledger.recentCalls(address, longest, most),
      share: await ledger.rememberedShare(address),
      heldMs: await ledger.throttledFor(address),
    })),
    storeOf: (run) => stores.open(`${key}:run:${run.id}`, run.rate, () => Promise.resolve({ callsAgo: [], share: 1 })),
    onShare(share) {
      const onError = ({ message }: Error): void => log.warn({ cause: message }, 'the pace was not remembered');
      ledger.rememberShare(address, share).catch(onError);
    },
  });
}
