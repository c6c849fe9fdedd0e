// Opens the embedded database (PGlite) behind pg's own pool.
import { Pool } from 'pg';
import { LedgerBusyError, StorageError } from '../../../core/errors.ts';
import { engineLimits, startEngine, type EngineLimits } from './embedded-engine.ts';
import { ensureDatabase } from './embedded-files.ts';
import { longestWaitMs } from './longest-wait.ts';
import { PreparingClient } from '../preparing-client.ts';
import { Session } from './session.ts';
import { SessionStream } from './session-stream.ts';
import { valueParsers } from '../value-parsers.ts';

/** How many clients may be out at once. They are cheap: all share one session. */
const maxClients = 100;

/** The longest wait of closing for clients that are still out, ms. */
const closeGraceMs = 2000;

export interface EmbeddedDatabase {
  pool: Pool;
  /** Ends the pool and the database. Clients still out after two seconds are cut off. */
  close(): Promise<void>;
}

/** The session's own errors come over the wire as text; here they become what they were. */
function restored(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  if (error.code === 'LEDGER_BUSY') return new LedgerBusyError(error.message);
  return error.code === 'STORAGE' ? new StorageError(error.message) : error;
}

class EmbeddedClient extends PreparingClient {
  protected override failed(error: unknown): unknown {
    return super.failed(restored(error));
  }
}

/** What `openEmbedded` may be told; the defaults are right outside of tests. */
export interface EmbeddedOptions {
  /** The longest wait of a statement for the session, ms. */
  waitMs?: () => number;
  limits?: EngineLimits;
  /** What a new database is made of, see `emptyLedger`; else it is empty and has no tables. */
  template?: (() => Promise<Uint8Array | undefined>) | undefined;
}

/**
 * Opens (and where it is new, makes) the embedded database in a directory, or one in memory for `memory://`.
 * Only one process at a time may have it open: own the data directory first. The session that all clients share
 * has the search path `public, bullmq`, UTC as its time zone, and no fsync: it survives a process that is killed,
 * not a power cut. `COPY … FROM STDIN` and cursors are not for it.
 * @throws DamagedDatabaseError when its files cannot be read; StorageError when the disk is full, or it cannot be
 * opened for another reason
 */
export async function openEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<EmbeddedDatabase> {
  const limits = options.limits ?? engineLimits;
  const template = options.template ?? (() => Promise.resolve(undefined));
  const inMemory = dataDir === 'memory://';
  if (!inMemory) await ensureDatabase(dataDir, limits, template);
  const engine = await startEngine(dataDir, limits, inMemory ? await template() : undefined);
  const session = new Session(engine, options.waitMs ?? longestWaitMs);
  const pool = new Pool({
    Client: EmbeddedClient,
    stream: () => new SessionStream(session),
    types: valueParsers,
    max: maxClients,
    idleTimeoutMillis: 0,
    ssl: false,
    user: 'postgres',
    database: 'postgres',
  });
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', () => {});
  pool.on('release', (_error, client) => {
    const state = client.getTransactionStatus();
    if (state === 'T' || state === 'E') client.query('ROLLBACK').catch(() => {});
  });
  await pool.query('SET search_path TO public, bullmq');

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    const ended = pool.ending ? Promise.resolve() : pool.end();
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, closeGraceMs)))]);
    clearTimeout(timer);
    await engine.close();
  }
  return { pool, close: () => (closing ??= close()) };
}
