import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Config, loadConfig } from '../../config/load.ts';
import { planRoster } from '../../jobs/run/plan-roster.ts';
import { type Context, openContext } from '../../src/wiring/context.ts';
import { createLogger } from '../../src/process/logger.ts';
import { openRoster } from '../../src/roster/open-roster.ts';
import { parseBaseUrl } from '../../src/service/settings.ts';
import { removeAtExit } from '../../test/support/server-process.ts';
import { personOf } from './people.ts';
import type { Servers } from './servers.ts';

const bin = join(import.meta.dirname, '../../bin/roster-sync.cjs');

/** The product in production mode, as a bench sets it up. */
export interface Production {
  environment: Record<string, string>;
  config: Config;
  /** A context of this process, for planning and looking. */
  context: Context;
  close(): Promise<void>;
}

/** How the product is set. */
export interface ProductionOptions {
  service: { url: string; token: string };
  /** Calls a second. */
  rate: number;
  concurrency: number;
  timeout?: string;
}

/** Opens the product over the servers as they are now. */
export async function openProduction(servers: Servers, options: ProductionOptions): Promise<Production> {
  const folder = mkdtempSync(join(tmpdir(), 'rs-bench-data-'));
  removeAtExit(folder);
  const environment = {
    REDIS_URL: servers.redisUrl,
    DATABASE_URL: servers.databaseUrl,
    ROSTER_SYNC_BASE_URL: options.service.url,
    ROSTER_SYNC_TOKEN: options.service.token,
    ROSTER_SYNC_DATA_DIR: join(folder, 'data'),
    ROSTER_SYNC__DELIVERY__RATE__LIMIT: String(options.rate),
    ROSTER_SYNC__DELIVERY__CONCURRENCY: String(options.concurrency),
    ROSTER_SYNC__SERVICE__TIMEOUT: options.timeout ?? '30s',
  };
  const config = loadConfig({ environment, cwd: folder });
  const log = createLogger({ quiet: true });
  const context = await openContext({ config, log, command: 'bench', create: true });
  return { environment, config, context, close: () => context.close() };
}

/** Writes a roster of so many made-up people, a piece at a time. Returns its path. */
export async function writeRoster(people: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rs-bench-roster-'));
  removeAtExit(folder);
  const path = join(folder, 'people.csv');
  function* lines(): Generator<string> {
    yield 'First Name,Last Name,Email,Groups\n';
    for (let n = 0; n < people;) {
      let piece = '';
      for (const end = Math.min(people, n + 10_000); n < end; n += 1) {
        const { firstname, lastname, email, groups } = personOf(n);
        piece += `${firstname},${lastname},${email},${groups.join(';')}\n`;
      }
      yield piece;
    }
  }
  await pipeline(lines, createWriteStream(path));
  return path;
}

/** Plans a roster; returns the run, which can then be released, and how long planning took, ms. */
export async function plan({ context, config }: Production, path: string): Promise<{ runId: string; tookMs: number }> {
  const runId = randomBytes(4).toString('hex');
  const started = performance.now();
  const roster = await openRoster(path, {});
  const { concurrency: _, ...settings } = config.delivery;
  await planRoster(context, {
    run: {
      ...{ id: runId, source: 'bench', trigger: 'import', settings, worker: context.ledger.worker },
      service: parseBaseUrl(config.service.baseUrl ?? '').address,
    },
    open: () => Promise.resolve({ roster, columns: { map: {}, groups: [], groupColumns: [] } }),
    only: [],
    all: true,
    onRows: () => {},
  });
  await roster.close();
  return { runId, tookMs: performance.now() - started };
}

/** A real `roster-sync worker` process. */
export interface WorkerProcess {
  child: ChildProcess;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

const processes = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of processes) child.kill('SIGKILL');
});

/** Starts a worker and waits until it says that it has started. */
export async function startWorker({ environment }: Production, nodeArgs: string[] = []): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [...nodeArgs, bin, 'worker'], {
    env: { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  processes.add(child);
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000);
      if (said.includes('worker started')) resolve();
    });
    child.once('exit', (code) => {
      processes.delete(child);
      if (code !== 0 && code !== null) console.error(said);
      reject(new Error(`the worker ended (${code}):\n${said}`));
    });
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return { child, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}
