// The composition root: opens data directory, ledger and notifier, and closes them last first.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Server } from 'node:net';
import { hostname } from 'node:os';
import type { Config } from '../../config/load.ts';
import { defined } from '../core/defined.ts';
import { redactorOfConfig } from './configured-secrets.ts';
import type { Rate } from '../core/pace/pacing.ts';
import type { Redact } from '../core/secrets/secret.ts';
import { type Tempo, tempo as realTempo } from '../core/pace/waiting-times.ts';
import { holdForMs } from '../core/guards/trip.ts';
import { backingUp, type BackUp } from '../ledger/directory/backups.ts';
import {
  type DataDirectory,
  filesHolding,
  openDataDirectory,
  removeLeftovers,
} from '../ledger/directory/data-directory.ts';
import { assertDiskSpace } from '../ledger/directory/disk.ts';
import { refuseOlderLedger, copyError, rememberDatabase, settlePlace } from '../ledger/directory/wrong-ledger.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { refuseMoved } from '../ledger/directory/ledger-identity.ts';
import type { Figures } from '../process/figures.ts';
import type { Logger } from '../process/logger.ts';
import { type Notifier, openNotifier } from '../notify/notifier.ts';
import type { exportLedger } from './move-ledger.ts';
import type { Delivery } from './open-delivery.ts';
import { learnKeptSources } from './kept-sources.ts';
import { type DatabaseOptions, keepingReceipts, openDatabase, takeInReceipts, signsOfLife } from './open-database.ts';
import { Releases } from '../process/shutdown.ts';
import { createTrouble, type Trouble } from '../process/trouble.ts';
import { readVersion } from '../process/version.ts';

/** A ledger that is open. */
export interface WithLedger {
  ledger: Ledger;
}

/** A ledger, and the settings of the process that works with it. */
export interface Configured extends WithLedger {
  config: Config;
}

/** What a run is planned with, and released or held. */
export interface PlanningContext extends Configured {
  log: Logger;
  /** Absent for a dry run that found no data directory: then the ledger is in memory and nothing is kept. */
  directory?: DataDirectory;
  /** Takes everything that is secret in the config out of a text of others. */
  redact: Redact;
  /** Tells people and monitors; `announce` says what. */
  notifier: Notifier;
  /** Backs up, next to an embedded ledger, what everybody was given; its owner does, and PostgreSQL has backups of its own. */
  backup: BackUp;
  /** Throws a StorageError while there is too little room on the disk to go on. */
  checkStorage(): Promise<void>;
  /**
   * Gives signs of life from now until the context is closed, so that no other process takes for abandoned what this one
   * plans or calls. Needless, and nothing happens, where the ledger has one owner.
   */
  stayAlive(): Promise<void>;
}

/** What a process works with: a ledger of its own, and what is needed to plan, or to open what delivers. */
export interface Context extends PlanningContext {
  /** Logs temporary trouble, each kind at most once a minute. */
  trouble: Trouble;
  /** `production` with both Redis and PostgreSQL. */
  mode: 'embedded' | 'production';
  /** The waits for other processes; `deadAfterMs` is 0 if there are none. */
  tempo: Tempo;
  /** What this process counts, where a monitor asks. */
  figures?: Figures;
  /** Closes what was opened, last first. */
  close(): Promise<void>;
  /** Where others ask the owner of the data directory; absent with PostgreSQL, and where nothing is kept. */
  ownSocket?: Server;
  /** Runs that others have asked this process to deliver, besides its own. */
  adopted: Set<string>;
  /** The files below a folder in whose bytes one of these texts stands, relative to it. */
  filesHolding(folder: string, texts: readonly string[]): Promise<string[]>;
  /**
   * Makes sure that this ledger is the one that sends.
   * @throws InputError when it was exported, or its data directory is a copy of another one
   */
  assertSender(): Promise<void>;
  /** Exports the ledger into a file; from then on it sends nothing more. */
  exportLedger(file: string): ReturnType<typeof exportLedger>;
  /**
   * Opens what is needed to deliver, at this rate for the service; closed with the rest.
   * @throws BusyError when another process delivers and only one may; InputError when address or token are missing
   */
  openDelivery(rate: Rate): Promise<DeliveryContext>;
}

/** What a process that delivers works with. */
export interface DeliveryContext extends Context, Delivery {}

export interface ContextOptions extends DatabaseOptions {
  /** Whether a data directory may be made where there is none; else that is an error, unless the ledger is in PostgreSQL. */
  create?: boolean;
  /** Where there is no data directory, work in memory and keep nothing. */
  dryRun?: boolean;
  /** Counts what the process does. */
  figures?: Figures;
  /** Another one than the product's own, for tests of faults. */
  tempo?: Tempo;
}

/** Nothing takes a day to pass through a data directory that several processes use, ms. */
const leftoverMs = 24 * 60 * 60_000;

/**
 * Opens data directory and ledger. With an embedded ledger this process owns the directory from here on.
 * @throws BusyError when another process owns it; StorageError or InputError when it cannot be used
 */
export async function openContext(options: ContextOptions): Promise<Context> {
  const releases = new Releases();
  try {
    return await open(options, releases);
  } catch (error) {
    // What failed first says more than what then cannot be closed.
    await releases.close().catch(() => {});
    throw error;
  }
}

async function open(options: ContextOptions, releases: Releases): Promise<Context> {
  const { config, log, figures, create = false, dryRun = false, tempo = realTempo } = options;
  // Whatever is written from here on holds people: readable for its owner only.
  process.umask(0o077);
  // A ledger in PostgreSQL is asked and steered from any folder.
  const mayCreate = create || config.databaseUrl !== undefined;
  const directory =
    dryRun && !existsSync(config.dataDir) ? undefined : await openDataDirectory(config.dataDir, { create: mayCreate });
  const trouble = createTrouble(log);
  const { pool, reset, ownSocket, place } = await openDatabase(options, { directory, trouble, releases });
  const opened = await openLedger(pool, {
    worker: `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`,
    lossPolicy: {
      forMs: config.databaseUrl ? tempo.ledgerPatienceMs : 0,
      onLoss: (error) =>
        trouble(
          `${config.databaseUrl ? 'PostgreSQL cannot be reached or written' : 'the ledger is busy'}; waiting for it`,
          error,
        ),
      ...(reset ? { silence: { afterMs: tempo.silenceMs, onSilence: reset } } : {}),
    },
    ...(directory && { receipts: keepingReceipts(directory, log) }),
  });
  if (directory && place !== undefined) await rememberDatabase(directory, place);
  const ledger = figures ? (await import('./watched.ts')).watchLedger(opened, figures) : opened;
  if (directory) await takeInReceipts(directory, ledger, log);
  const notifier = openNotifier({
    settings: config.notify,
    publicUrl: config.server.publicUrl,
    userAgent: `roster-sync/${readVersion()}`,
    environment: config.proxyEnvironment,
  });
  releases.add(() => notifier.close());
  const ownsLedger = config.databaseUrl === undefined;
  const original = directory && ownsLedger ? await settlePlace(directory.path) : undefined;
  if (directory && ownsLedger) await refuseOlderLedger(directory, await ledger.ledgerIdentity());
  if (ownsLedger) {
    await ledger.failOrphanedPlans(0);
    await ledger.stopClocks();
  }
  if (directory) await removeLeftovers(directory, ownsLedger ? 0 : leftoverMs);
  await ledger.expireHolds(holdForMs);
  await learnKeptSources({ config, ledger, log });
  const context: Context = {
    config,
    log,
    trouble,
    ledger,
    tempo,
    mode: config.redisUrl && config.databaseUrl ? 'production' : 'embedded',
    ...defined({ directory, ownSocket }),
    adopted: new Set(),
    redact: redactorOfConfig(config),
    ...defined({ figures }),
    notifier,
    checkStorage: async () => {
      if (directory) await assertDiskSpace(directory.path);
    },
    filesHolding,
    backup: directory && ownsLedger ? backingUp(ledger, directory.backup) : async () => {},
    stayAlive: ownsLedger ? async () => {} : signsOfLife(ledger, { trouble, releases, tempo }),
    async assertSender() {
      refuseMoved(await ledger.movedAt());
      if (directory && original) throw copyError(directory.path, original);
    },
    exportLedger: async (file) =>
      (await import('./move-ledger.ts')).exportLedger({ ledger, pool, isShared: !ownsLedger }, file),
    openDelivery: async (rate) => {
      await context.assertSender();
      // Loaded when needed: queue and client take as long to load as all the rest.
      const { openDelivery } = await import('./open-delivery.ts');
      const delivery = await openDelivery(context, { pool, releases, rate });
      if (!figures) return { ...context, ...delivery };
      return { ...context, ...(await import('./watched.ts')).watchDelivery(delivery, figures) };
    },
    close: () => releases.close(),
  };
  return context;
}
