// Starts the worker thread of the embedded database, and ends one that hangs.
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { StorageError } from '../../../core/errors.ts';
import { createSequencer } from '../../../process/coalesce.ts';
import { deniedIn } from '../../directory/disk.ts';
import type { FromWorker, ToWorker } from './embedded-worker.ts';

/**
 * The longest time for opening, one statement, and closing before the thread is ended, in milliseconds. The first start takes about 2 s, a re-open 0.3 s, a join of a million rows 2 s, and rewriting a table of ten million a few minutes on
 * a busy machine: beyond these limits it hangs.
 */
export const engineLimits = { openMs: 60_000, statementMs: 15 * 60_000, closeMs: 10_000 };

/** The files of an embedded database cannot be read: what it remembered is only in the backup. */
export class DamagedDatabaseError extends StorageError {
  constructor(message: string) {
    // That would forget everybody, and invite everyone again.
    super(`${message} Do not just move them away: everyone would count as new.`, { next: [{ act: 'upkeep.rebuild' }] });
  }
}

function failure(dataDir: string, opening: boolean, reason: string): StorageError {
  const what = `the embedded database in ${dataDir} ${opening ? 'cannot be opened' : 'has stopped'}: ${reason}.`;
  if (/no space left/i.test(reason)) return new StorageError(`${what} Free some disk space, then start again.`);
  if (/initialized by PostgreSQL version/.test(reason)) {
    return new StorageError(`${what} Use the version of roster-sync that wrote it.`);
  }
  const denied = deniedIn(dataDir);
  if (denied !== undefined) return new StorageError(`${what} ${denied}`);
  if (!opening) return new StorageError(`${what} Start again: committed data is safe.`);
  return new DamagedDatabaseError(`${what} Start again. If it fails again, its files are damaged.`);
}

const workerFile = `./embedded-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`;

let loaded: Worker | undefined;

/** Loads PGlite meanwhile, for the next `startEngine`. If nobody asks for it, the process can still end. */
export function loadEngine(): void {
  loaded ??= startThread();
}

function startThread(): Worker {
  const thread = new Worker(new URL(workerFile, import.meta.url));
  thread.unref();
  // It may fail before anybody listens; then the next call reports the error.
  thread.on('error', () => {});
  return thread;
}

function takeThread(): Worker {
  const hasEnded = loaded?.threadId === -1;
  const thread = loaded === undefined || hasEnded ? startThread() : loaded;
  loaded = undefined;
  return thread;
}

/**
 * Starts PGlite in a worker thread over the given directory (or `memory://`, with what a template has). The thread keeps the
 * process alive only while it is asked something.
 * @throws DamagedDatabaseError when its files cannot be read, StorageError when the disk is full, when they are
 * of another version, or when it does not open in time; later from `exec` and for good, once it has failed
 */
export async function startEngine(dataDir: string, limits = engineLimits, template?: Uint8Array) {
  const worker = takeThread();
  let opening = true;
  let broken: StorageError | undefined;
  let asked: { resolve(bytes: Buffer): void; reject(error: Error): void; timer: NodeJS.Timeout } | undefined;

  function answered(): typeof asked {
    const answer = asked;
    asked = undefined;
    clearTimeout(answer?.timer);
    worker.unref();
    return answer;
  }
  function fail(reason: string): void {
    broken ??= failure(dataDir, opening, reason);
    answered()?.reject(broken);
    void worker.terminate();
  }
  function ask(message: ToWorker, ms: number, owned: ArrayBuffer[] = []): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (broken !== undefined) return reject(broken);
      asked = { resolve, reject, timer: setTimeout(() => fail(`no answer within ${ms / 1000} s`), ms) };
      worker.ref();
      worker.postMessage(message, owned);
    });
  }

  worker.on('message', (message: FromWorker) => {
    if ('failed' in message) fail(message.failed);
    else answered()?.resolve('reply' in message ? Buffer.from(message.reply.buffer) : Buffer.alloc(0));
  });
  worker.on('error', (error) => fail(String(error)));
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      fail('it was closed');
      resolve();
    });
  });

  await ask({ open: dataDir, template }, limits.openMs);
  opening = false;
  const inSequence = createSequencer();
  return {
    /** Gives a batch of messages, gets the answers. One batch after the other. */
    exec(messages: Buffer): Promise<Buffer> {
      const exec = new Uint8Array(messages);
      return inSequence(() => ask({ exec }, limits.statementMs, [exec.buffer]));
    },
    async close(): Promise<void> {
      worker.ref();
      worker.postMessage({ close: true } satisfies ToWorker);
      const timer = setTimeout(() => void worker.terminate(), limits.closeMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

export type Engine = Awaited<ReturnType<typeof startEngine>>;

export function engineVersion(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
