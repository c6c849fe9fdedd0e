import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, before } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Rate } from '../../src/core/pace/pacing.ts';
import { scaleTempo, tempo as realTempo, type Tempo } from '../../src/core/pace/waiting-times.ts';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { openPostgres } from '../../src/ledger/database/postgres.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { parseBaseUrl } from '../../src/service/settings.ts';
import { person, releasePeople, type PlanOptions } from '../contract/plans.ts';
import { postgresSkipReason, testPostgres, type TestPostgres } from '../support/postgres.ts';
import { redisSkipReason, startRedis, type OwnRedis } from '../support/redis.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { startCli, type Cli } from './cli.ts';

/** For `suite(title, { skip: productionSkipReason }, …)`: false if Redis and PostgreSQL are there. */
export const productionSkipReason: string | false = postgresSkipReason || redisSkipReason;

/** By what real times are multiplied: the faults last as much shorter as everything that waits. 1 with `npm run faults:full`. */
export const factor = Number(process.env['FAULTS_TEMPO'] ?? 0.1);
export const tempo: Tempo = scaleTempo(realTempo, factor);
/** A time of the product's own, or of a fault, scaled. */
export const scaled = (realMs: number): number => realMs * factor;

/** The deadline of a call: 10 s as the figures have it, scaled. */
export const timeoutMs = Math.max(1000, scaled(10_000));
/** The pace: its window is long enough for the slack (50 ms) to bear a machine that is busy. */
export const rate: Rate = { limit: 150, perMs: 2500, and: [] };
/** Calls in flight at most, per worker. */
export const concurrency = 8;

/** A worker process. */
export interface WorkerProcess extends Cli {
  /** Its name in the ledger begins like this. */
  name: string;
  /** The people whose call it has begun, by the ledger; asked after its death it is who may be called again. */
  inFlight(): Promise<Set<string>>;
}

/** How a worker is to be started. */
export interface WorkerOptions {
  /** Where it kills itself, see die-at.ts. */
  dieAt?: string;
  /** By how many ms its clock is wrong. */
  clockOff?: number;
  redisUrl?: string;
  databaseUrl?: string;
  environment?: Record<string, string>;
  /** What it runs; `worker` unless given. */
  command?: readonly string[];
}

/** Redis, PostgreSQL, a sandbox and a ledger, for worker processes; ended with the suite. */
export interface Production {
  sandbox: Sandbox;
  redis: OwnRedis;
  pool: Pool;
  ledger: Ledger;
  /** The service's normalised address. */
  service: string;
  redisUrl: string;
  databaseUrl: string;
  /** Releases a run of so many people, who are new to the service, or of these. */
  release(people: number | PlanOptions['people'], options?: Partial<PlanOptions>): Promise<string>;
  /** Starts a worker and waits until it gives signs of life. */
  startWorker(options?: WorkerOptions): Promise<WorkerProcess>;
  /** A way to a server on this port that can be cut. */
  openProxy(port: number): Promise<TcpProxy>;
  /** The environment of a process that uses all of this, in the tempo of the tests. */
  environment: Record<string, string>;
  /** Where processes of the command line work. */
  dataDir: string;
  /** The longest that this process, and so the sandbox, was kept waiting for a processor since the last release, ms. */
  longestStallMs(): number;
  /** Begins to watch for that anew, for a run that is not made by `release`. */
  watchStalls(): void;
  /** Waits until the runs no longer deliver. */
  settled(...runs: string[]): Promise<void>;
}

/** Waits until something holds that nobody announces; fails after so long, ms, saying what it waited for. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  for (const end = performance.now() + withinMs; !(await holds()); await pause(10)) {
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`);
  }
}

/** Waits until the sandbox has seen so many calls since `from`. */
export async function untilCalls(sandbox: Sandbox, count: number): Promise<void> {
  await until(`${count} calls were made`, () => sandbox.calls.length >= count);
}

const delayResolutionMs = 5;

let people = 0;

/** So many people whom no test has named before, each of two of seven groups. */
export function newPeople(count: number): PlanOptions['people'] {
  return Array.from({ length: count }, () => {
    people += 1;
    return person(`person${people}`, `Group ${people % 7}`, `Group ${(people + 1) % 7}`);
  });
}

/**
 * Starts everything before the tests of a suite, and ends it after them; each test begins with an empty record.
 * @param options.appendonly whether Redis keeps its data over a crash
 * @param options.postgres for tests that stop it, one of their own
 */
export function production(options: { appendonly?: boolean; postgres?: () => Promise<TestPostgres> } = {}): Production {
  const made: Partial<Production> = {};
  const closing: (() => Promise<void> | void)[] = [];
  before(async () => {
    const postgres = await (options.postgres ?? testPostgres)();
    const redis = await startRedis({ appendonly: options.appendonly ?? false });
    const databaseUrl = await postgres.freshLedger();
    const { pool, close } = await openPostgres(databaseUrl, { onError: () => {} });
    const ledger = await openLedger(pool, { worker: 'test', lossPolicy: { forMs: 60_000, onLoss: () => {} } });
    const sandbox = await startSandbox({ faults: ['latency=60-120'] });
    const folder = mkdtempSync(join(tmpdir(), 'roster-sync-faults-'));
    const workers = new Set<WorkerProcess>();
    closing.push(
      () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
      close,
      () => redis.kill(),
      () => sandbox.close(),
      async () => {
        for (const worker of workers) worker.kill();
        await Promise.all([...workers].map(({ ended }) => ended));
      },
    );
    const service = parseBaseUrl(sandbox.url).address;
    const environment = {
      REDIS_URL: redis.url,
      DATABASE_URL: databaseUrl,
      TEMPO: String(factor),
      ROSTER_SYNC__SERVICE__TIMEOUT: `${timeoutMs}ms`,
      ROSTER_SYNC__DELIVERY__RATE__LIMIT: String(rate.limit),
      ROSTER_SYNC__DELIVERY__RATE__PER: `${rate.perMs}ms`,
      ROSTER_SYNC__DELIVERY__RATE__ADAPTIVE: 'false',
      ROSTER_SYNC__DELIVERY__CONCURRENCY: String(concurrency),
    };
    const dataDir = join(folder, 'data');
    const delays = monitorEventLoopDelay({ resolution: delayResolutionMs });
    delays.enable();
    closing.push(() => void delays.disable());
    const parts: Omit<Production, 'startWorker'> = {
      environment,
      dataDir,
      sandbox,
      redis,
      pool,
      ledger,
      service,
      redisUrl: redis.url,
      databaseUrl,
      async release(who, more = {}) {
        if (sandbox.calls.length === 0) delays.reset();
        // Whoever plans gives signs of life.
        const beat = (): Promise<void> => ledger.beat(ledger.worker, tempo.deadAfterMs);
        await beat();
        const signs = setInterval(() => void beat().catch(() => {}), tempo.heartbeatMs);
        try {
          return await releasePeople(ledger, {
            people: typeof who === 'number' ? newPeople(who) : who,
            service,
            source: `source ${(people += 1)}`,
            ...more,
            settings: { rate, attempts: 6, backoff: { first: 50, max: 500 }, ...more.settings },
          });
        } finally {
          clearInterval(signs);
        }
      },
      watchStalls: () => delays.reset(),
      longestStallMs: () => Math.max(0, delays.max / 1e6 - delayResolutionMs),
      async openProxy(port) {
        const proxy = await startTcpProxy(port);
        closing.push(() => proxy.close());
        return proxy;
      },
      settled: (...runs) =>
        until(
          `the runs ${runs.join(', ')} have ended`,
          async () => {
            const found = await Promise.all(runs.map((run) => ledger.findRuns(run)));
            return found.every(([run]) => run?.status !== 'delivering');
          },
          60_000 + scaled(300_000),
        ),
    };
    Object.assign(made, parts, {
      async startWorker(given: WorkerOptions = {}): Promise<WorkerProcess> {
        const worker = startWorker(parts, given);
        workers.add(worker);
        let over = false;
        void worker.ended.then((ended) => {
          over = true;
          workers.delete(worker);
          if (ended.signal === null && ended.code !== 0) console.error(ended.stderr.slice(-3000));
        });
        const alive = async (): Promise<boolean> =>
          (await pool.query('select 1 from workers where id like $1', [`${worker.name}-%`])).rows.length > 0;
        await until(`${worker.name} gives signs of life`, async () => over || (await alive()));
        if (over) throw new Error(`the worker ended at once: ${(await worker.ended).stderr}`);
        return worker;
      },
    } satisfies Pick<Production, 'startWorker'>);
  });
  after(async () => {
    for (const close of closing.toReversed()) await close();
  });
  return made as Production;
}

function startWorker(place: Omit<Production, 'startWorker'>, options: WorkerOptions): WorkerProcess {
  const { dieAt, clockOff, redisUrl, databaseUrl, environment = {}, command = ['worker'] } = options;
  const { sandbox, pool, dataDir } = place;
  const cli = startCli(command, {
    dataDir,
    service: sandbox,
    environment: {
      ...place.environment,
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...(dieAt === undefined ? {} : { DIE_AT: dieAt }),
      ...(clockOff === undefined ? {} : { CLOCK_OFF: String(clockOff) }),
      ...environment,
    },
    preload: [
      join(import.meta.dirname, 'die-at.ts'),
      ...(clockOff === undefined ? [] : [join(import.meta.dirname, 'shift-clock.ts')]),
    ],
  });
  const name = `${hostname()}-${cli.pid}`;
  return {
    ...cli,
    name,
    async inFlight() {
      const { rows } = await pool.query<{ person: string }>(
        // Of a worker that died a while ago, others have taken them back already.
        `select person_key as person from in_hand where called_at is not null and worker like $1
         union
         select person_key from deliveries
         where repeated and run_id = (select id from runs order by number desc limit 1)`,
        [`${name}-%`],
      );
      return new Set(rows.map((row) => row.person));
    },
  };
}
