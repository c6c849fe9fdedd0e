import { Worker } from 'node:worker_threads';
import { StorageError } from '../core/errors.ts';
import type { Engine } from './engine.ts';

type FromWorker = { ready: true } | { reply: Uint8Array } | { failed: string };

/** How long opening, one statement, and closing may take before the thread is ended, in milliseconds. */
export interface EngineLimits {
  openMs: number;
  statementMs: number;
  closeMs: number;
}

/** First start takes about 2 s, a re-open 0.3 s; a million-row join 2 s. Beyond these, it hangs. */
export const engineLimits: EngineLimits = { openMs: 60_000, statementMs: 300_000, closeMs: 10_000 };

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/**
 * Starts PGlite in a worker thread over the given directory (or `memory://`).
 * @throws StorageError when the directory is damaged or of another version, and when it does not open in time;
 * later from `exec` and for good, once the database has failed.
 */
export async function startEngine(dataDir: string, limits: EngineLimits = engineLimits): Promise<Engine> {
  const worker = new Worker(new URL(`./embedded-worker.${extension}`, import.meta.url), { workerData: dataDir });
  let broken: StorageError | undefined;
  let waiting: { resolve(bytes: Buffer): void; reject(error: Error): void; timer: NodeJS.Timeout } | undefined;

  function settle(): typeof waiting {
    const settled = waiting;
    waiting = undefined;
    clearTimeout(settled?.timer);
    worker.unref();
    return settled;
  }
  function fail(what: string): void {
    broken ??= new StorageError(`the embedded database in ${dataDir} ${what}`);
    settle()?.reject(broken);
    void worker.terminate();
  }
  function ask(message: unknown, ms: number, late: string): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (broken !== undefined) return reject(broken);
      waiting = { resolve, reject, timer: setTimeout(() => fail(late), ms) };
      worker.ref();
      if (message !== undefined) worker.postMessage(message);
    });
  }

  worker.on('message', (message: FromWorker) => {
    if ('failed' in message) fail(`failed: ${message.failed}`);
    else settle()?.resolve('reply' in message ? Buffer.from(message.reply.buffer) : Buffer.alloc(0));
  });
  worker.on('error', (error) => fail(`failed: ${String(error)}`));
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      fail('has ended');
      resolve();
    });
  });

  await ask(undefined, limits.openMs, `did not open within ${limits.openMs / 1000} s`);
  return {
    exec: (messages) =>
      ask({ exec: messages }, limits.statementMs, `did not answer within ${limits.statementMs / 1000} s`),
    async close() {
      worker.ref();
      worker.postMessage({ close: true });
      const timer = setTimeout(() => void worker.terminate(), limits.closeMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
