// Opens a PostgreSQL ledger and takes its delivery lock.
import { Pool, type PoolClient } from 'pg';
import { BusyError, codeOf, StorageError } from '../../core/errors.ts';
import { decoded } from '../../core/secrets/secret-parts.ts';
import { say } from '../../core/words/say.ts';
import { isReadOnly } from './reconnect.ts';
import { PreparingClient, valueParsers } from './preparing-client.ts';

export type PostgresDatabase = Awaited<ReturnType<typeof openPostgres>>;

export interface PostgresOptions {
  /** The most connections at once. 10, pg's own default, is enough for one process's verbs, feeder and lock. */
  max?: number;
  /** Called when a connection breaks while nobody uses it; without it pg ends the process. */
  onError?: (error: Error) => void;
}

/**
 * The silence after which a connection is probed, ms; ten probes without an answer, a second apart (libuv),
 * break it: so a long statement on a machine that has gone is noticed after 15 s, not after hours.
 */
const keepAliveInitialDelayMillis = 5000;
/** The longest time for connecting, ms: longer than a failover of DNS, shorter than a person waits. */
const connectTimeoutMs = 10_000;

/**
 * The time limits that an admin may have set are for others: comparing a large roster takes minutes, and a process that has
 * gone is noticed by its connection.
 */
const noTimeouts = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout']
  .map((name) => `-c ${name}=0`)
  .join(' ');
/**
 * The server too is to notice within 15 s that a machine has gone: by default it keeps the locks of a session for two hours,
 * and with them everybody else.
 */
const probes = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=10';

/** Breaks off a connection on which nothing may be written: the next try finds the server that has the name by then. */
class PostgresClient extends PreparingClient {
  protected override failed(error: unknown): unknown {
    if (isReadOnly(error)) setImmediate(() => this.connection.stream.destroy());
    return super.failed(error);
  }
}

/** Where a database is, in words without user and password: `host:port/database`. */
function placeOf(databaseUrl: string): string {
  try {
    const url = new URL(databaseUrl);
    const host = url.hostname === '' ? (url.searchParams.get('host') ?? 'the local socket') : url.hostname;
    return `${host}${url.port === '' ? '' : `:${url.port}`}${decoded(url.pathname)}`;
  } catch {
    return 'the address in DATABASE_URL, which is not a URL like postgres://user:password@host:5432/database';
  }
}

/** The reason of a failed connection; pg's own words never hold a password, but some name nothing at all. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  if (!(error instanceof Error)) return String(error);
  return error.message === '' ? codeOf(error) : error.message;
}

/**
 * Opens a PostgreSQL database (14 or newer) and asks it once.
 * @throws StorageError naming host and database, never the password, when it cannot be reached or is too old
 */
export async function openPostgres(databaseUrl: string, options: PostgresOptions = {}) {
  const place = placeOf(databaseUrl);
  const pool = new Pool({
    Client: PostgresClient,
    connectionString: databaseUrl,
    application_name: 'roster-sync',
    options: `-c search_path=public -c jit=off -c datestyle=ISO ${noTimeouts} ${probes}`,
    max: options.max ?? 10,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis,
    types: valueParsers,
  });
  pool.on('error', (error) => options.onError?.(error));
  // The pool listens to idle connections only. Without a listener, one that breaks while in use would end the process; the
  // code that uses it learns about it from the statement that fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  const clients = new Set<PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  let hasLedger = false;
  try {
    const { version, isPooled, ...found } = await facts(pool);
    ({ hasLedger } = found);
    if (version < 14) throw new Error(`it is PostgreSQL ${version}, and 14 or newer is needed`);
    if (isPooled) throw new Error(say('pooledSessions', 1));
  } catch (error) {
    await pool.end();
    throw new StorageError(say('noDatabase', 1, { place, why: reasonOf(error) }), { cause: error });
  }
  let closing: Promise<void> | undefined;
  return {
    pool,
    /** `host:port/database` */
    place,
    /** Whether a ledger was ever opened in it. */
    hasLedger,
    /** Breaks every connection: for a server that no longer answers on those there are. What waits for it fails, and may be asked again. */
    reset(): void {
      for (const client of clients) client.connection.stream.destroy();
    },
    close: (): Promise<void> => (closing ??= pool.ending ? Promise.resolve() : pool.end()),
  };
}

/**
 * The server's version, whether two connections have one session (a pooler gives it to one transaction after the other), and
 * whether there is a ledger.
 */
async function facts(pool: Pool): Promise<{ version: number; isPooled: boolean; hasLedger: boolean }> {
  const ask = `SELECT current_setting('server_version_num')::int / 10000 AS version, pg_backend_pid() AS pid,
    to_regclass('ledger') IS NOT NULL AS "hasLedger"`;
  const client = await pool.connect();
  try {
    const [one] = (await client.query<{ version: number; pid: number; hasLedger: boolean }>(ask)).rows;
    const [other] = (await pool.query<{ pid: number }>(ask)).rows;
    return { version: one?.version ?? 0, isPooled: one?.pid === other?.pid, hasLedger: one?.hasLedger === true };
  } finally {
    client.release();
  }
}

/** The number of the advisory lock of the delivering process: the letters `rost` and `sync`. */
const deliveryLock = [0x726f7374, 0x73796e63];

/** A session of PostgreSQL: a number is given again to another one, but not at the same time. */
export interface Session {
  pid: number;
  since: string;
}

/** Says that this process may deliver. */
export type DeliveryLock = Awaited<ReturnType<typeof holdDeliveryLock>>;

/**
 * Takes the lock of the delivering process. It is a session's advisory lock, so a process that dies lets it go by itself.
 * @param sharing `alone` where only `DATABASE_URL` is set and the pace is in process; `together` with others that keep one
 *   pace in Redis: any number of them, but none together with one that is alone
 * @param lost the session that held it for this process until its connection broke: where the network was cut silently, the
 *   server still has it, and it is ended
 * @throws BusyError when another process delivers with which this one cannot share a pace
 */
export async function holdDeliveryLock(pool: Pool, sharing: 'alone' | 'together', lost?: Session) {
  const client = await pool.connect();
  const broken = Promise.withResolvers<Error>();
  client.on('error', broken.resolve);
  const take = sharing === 'alone' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared';
  async function ask(): Promise<(Session & { held: boolean }) | undefined> {
    if (lost) {
      const former = 'FROM pg_stat_activity WHERE pid = $1 AND backend_start::text = $2';
      await client.query(`SELECT pg_terminate_backend(pid, ${endsWithinMs}) ${former}`, [lost.pid, lost.since]);
    }
    const { rows } = await client.query<Session & { held: boolean }>(
      `SELECT pid, backend_start::text AS since, ${take}($1, $2) AS held FROM pg_stat_activity WHERE pid = pg_backend_pid()`,
      deliveryLock,
    );
    return rows[0];
  }
  const session = await ask().catch((error: Error) => {
    client.release(error);
    throw error;
  });
  if (session?.held !== true) {
    client.off('error', broken.resolve);
    client.release();
    throw new BusyError(say(sharing === 'alone' ? 'othersDeliver' : 'oneDeliversAlone', 1));
  }
  return {
    /** The session that holds it. */
    session: session as Session,
    /** Settles with an error when the connection that holds the lock breaks: then somebody else may deliver. */
    lost: broken.promise,
    async release(): Promise<void> {
      client.release(true);
    },
  };
}

/** The longest wait for the end of a session, ms. */
const endsWithinMs = 5000;
