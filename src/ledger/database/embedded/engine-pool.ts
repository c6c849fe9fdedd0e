// The pool of the one client that the embedded database has: pg's own, over a stream to its thread.
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { LedgerBusyError, StorageError } from '../../../core/errors.ts';
import { say } from '../../../core/words/say.ts';
import { PreparingClient, valueParsers } from '../preparing-client.ts';
import { isPlanning } from '../reconnect.ts';
import type { Engine } from './embedded-engine.ts';

/** PostgreSQL's messages are a letter, a length and a body; the first one of a client alone has no letter. */
const [startup, terminate] = [0, 'X'.charCodeAt(0)];
/** Nobody need sign in, and the session is idle. */
const welcome = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');
/** What a client finds that another one, which broke off, has left in the session. */
const text = Buffer.from('ROLLBACK; CLOSE ALL; DEALLOCATE ALL\0');
const leaveNothing = Buffer.concat([Buffer.from(['Q'.charCodeAt(0), 0, 0, 0, text.length + 4]), text]);

/** What pg's client takes for its socket to a server: hands each batch of its messages to the engine, and gets the answers. */
class EngineStream extends Duplex {
  readonly #engine: Pick<Engine, 'exec'>;

  constructor(engine: Pick<Engine, 'exec'>) {
    super();
    this.#engine = engine;
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  /** The thread is what keeps the process alive, while it is asked something. */
  ref(): this {
    return this;
  }
  override _read(): void {}

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    const messages = Buffer.concat(chunks.map(({ chunk }) => chunk));
    if (messages[0] === terminate) return done();
    const isFirst = messages[0] === startup;
    this.#engine.exec(isFirst ? leaveNothing : messages).then((answers) => {
      done();
      this.push(isFirst ? welcome : answers);
    }, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.push(null);
    done();
  }
}

/** A client that says to each later statement, such as a rollback, too why its engine has failed. */
class EngineClient extends PreparingClient {
  #failure: Error | undefined;

  constructor(config?: ConstructorParameters<typeof PreparingClient>[0]) {
    super(config);
    this.on('error', (error) => (this.#failure ??= error));
  }

  protected override failed(error: unknown): unknown {
    return this.#failure ?? super.failed(error);
  }
}

/** Statements are quoted in errors without what stands between quotes, so that no value is ever shown. */
function quoted(statement: string): string {
  const bare = statement
    .replace(/'(?:[^']|'')*'/g, "'…'")
    .replace(/\s+/g, ' ')
    .trim();
  return bare.length > 200 ? `${bare.slice(0, 200)}…` : bare;
}

type Callback = (error?: unknown, client?: PoolClient, release?: PoolClient['release']) => void;

/** A pool of one client, since PGlite has one session. */
export function poolOfOne(engine: Pick<Engine, 'exec'>, options: PoolConfig = {}): Pool {
  const pool = new Pool({
    ...options,
    stream: () => new EngineStream(engine),
    types: valueParsers,
    max: 1,
    idleTimeoutMillis: 0,
    ssl: false,
    user: 'postgres',
    database: 'postgres',
  });
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', () => {});
  return pool;
}

/** Nobody else needs the session once it was free for this time, ms. */
const pauseMs = 20;
/** Planning lets others go first for at most this many times the time for which it had the session last. */
const patience = 3;

/**
 * A pool of one client for the ledger. Statements and transactions get their turn in the order in which they come; between
 * two of planning others get as many as they need, so that deliveries keep their pace. Who waits for longer than `waitMs()` gets a LedgerBusyError that names what holds the session.
 */
export function openEnginePool(engine: Pick<Engine, 'exec'>, waitMs: () => number): Pool {
  const pool = poolOfOne(engine, { Client: EngineClient });
  let holder: PreparingClient | undefined;
  let since = 0;
  let isHeldByPlanning = false;
  let heldByPlanningMs = 0;
  let freeSince = 0;
  let haveOthersAsked = false;
  pool.on('acquire', (client) => {
    holder = client as unknown as PreparingClient;
    since = performance.now();
  });
  pool.on('release', (_error, client) => {
    freeSince = performance.now();
    if (isHeldByPlanning) heldByPlanningMs = freeSince - since;
    const state = client.getTransactionStatus();
    if (state === 'T' || state === 'E') client.query('ROLLBACK').catch(() => {});
  });

  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  async function letOthersGoFirst(): Promise<void> {
    if (!haveOthersAsked) return;
    haveOthersAsked = false;
    const until = performance.now() + heldByPlanningMs * patience;
    while (performance.now() < until && (pool.idleCount === 0 || performance.now() - freeSince < pauseMs))
      await sleep(5);
  }

  async function take(): Promise<PoolClient> {
    const planning = isPlanning();
    if (planning) await letOthersGoFirst();
    else haveOthersAsked = true;
    const longest = waitMs();
    // The pool reads it each time.
    pool.options.connectionTimeoutMillis = longest;
    try {
      const client = await connect();
      isHeldByPlanning = planning;
      return client;
    } catch (error) {
      if (error instanceof StorageError || !/timeout/.test(String(error))) throw error;
      const heldFor = ((performance.now() - since) / 1000).toFixed(1);
      const statement = quoted(holder?.lastAsked ?? '');
      throw new LedgerBusyError(say('busySession', 1, { busyFor: longest / 1000, heldFor, statement }));
    }
  }
  pool.connect = ((callback?: Callback) => {
    const taken = take();
    return callback ? void taken.then((client) => callback(undefined, client, client.release), callback) : taken;
  }) as Pool['connect'];
  return pool;
}
