// Opens a file in a thread with limits of time and memory, so that the process goes on whatever it holds.
import {
  refusal,
  codeOf,
  EmptyTable,
  EncodingQuestion,
  InputError,
  SheetQuestion,
  StorageError,
} from '../../core/errors.ts';
import { Worker } from 'node:worker_threads';
import type { OpenOptions, RosterFile } from '../open-roster.ts';
import { known } from '../roster-file.ts';
import type { Answer, Failure, Opened, Question, Rows, Secrets } from './reading-thread.ts';

export interface ThreadLimits {
  /** Of all the time in which the thread reads. */
  ms: number;
  /** Of its JavaScript values, in MB. */
  memory: number;
}

/** A workbook of 100 MB takes about 30 s, and several times as long on a busy machine. */
export const threadLimits: ThreadLimits = { ms: 5 * 60_000, memory: 1024 };

/** A thread that has read waits this time for the next file, ms: to start one takes a tenth of a second. */
const idleMs = 5000;
let idle: ReadingThread | undefined;

/**
 * As `openRoster`, of a path, in a thread. Throws an `InputError` beyond the limits too, at the opening or at the next rows.
 * @param options plain data, but for secrets
 * @param signal ends the thread: its reason is thrown
 */
export async function openInThread(
  path: string,
  { password, pgp, ...options }: OpenOptions,
  limits: ThreadLimits = threadLimits,
  signal?: AbortSignal,
): Promise<RosterFile> {
  const thread = ReadingThread.take(options.name ?? path, limits);
  const stop = (): void => thread.break(signal?.reason as Error);
  signal?.addEventListener('abort', stop, { once: true });
  const giveBack = (): void => {
    signal?.removeEventListener('abort', stop);
    ReadingThread.giveBack(thread);
  };
  let checksum: string | undefined;
  let readings = 0;
  const secrets: Secrets = {
    password: password?.reveal(),
    privateKey: pgp?.privateKey.reveal(),
    passphrase: pgp?.passphrase?.reveal(),
    signedBy: pgp?.signedBy,
  };
  const opened = await thread.ask<Opened>({ open: path, options, secrets }).catch((error: unknown) => {
    giveBack();
    throw error;
  });
  return {
    ...opened,
    checksum: () => known(checksum),
    async *batches() {
      const reading = ++readings;
      let isOver = false;
      try {
        for (;;) {
          const { rows, end } = await thread.ask<Rows>({ rows: reading });
          isOver = end !== undefined;
          if (end) {
            Object.assign(opened.form, end.form);
            checksum = end.checksum;
            return;
          }
          yield rows;
        }
      } finally {
        if (!isOver) await thread.ask({ leave: reading }).catch(() => {});
      }
    },
    async close() {
      await thread.ask({ close: true }).catch(() => {});
      giveBack();
    },
  };
}

const threadFile = `./reading-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`;

class ReadingThread {
  readonly #worker: Worker;
  readonly #limits: ThreadLimits;
  readonly #asked: Omit<PromiseWithResolvers<unknown>, 'promise'>[] = [];
  #name = '';
  #leftMs = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #broken: Error | undefined;

  private constructor(limits: ThreadLimits) {
    this.#limits = limits;
    this.#worker = new Worker(new URL(threadFile, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: limits.memory },
    });
    this.#worker.unref();
    this.#worker.on('message', (answer: Answer) => this.#answered(answer));
    this.#worker.on('error', (error: Error) => {
      const isOutOfMemory = codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY';
      this.break(isOutOfMemory ? this.#beyond(`${limits.memory} MB of memory`) : error);
    });
    this.#worker.on('exit', () => this.break(new Error('the thread that reads has ended')));
  }

  /** The idle one, or a new one, for a file. */
  static take(name: string, limits: ThreadLimits): ReadingThread {
    const thread = idle !== undefined && idle.#limits === limits && !idle.#broken ? idle : new ReadingThread(limits);
    if (thread === idle) idle = undefined;
    clearTimeout(thread.#timer);
    thread.#name = name;
    thread.#leftMs = limits.ms;
    return thread;
  }

  /** Its file is closed: it waits for another one, or ends. */
  static giveBack(thread: ReadingThread): void {
    if (idle !== undefined || thread.#broken) return void thread.#worker.terminate();
    idle = thread;
    thread.#timer = setTimeout(() => {
      if (idle === thread) idle = undefined;
      void thread.#worker.terminate();
    }, idleMs).unref();
  }

  ask<Result>(question: Question): Promise<Result> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    const { promise, ...asked } = Promise.withResolvers<unknown>();
    this.#asked.push(asked);
    if (this.#asked.length === 1) this.#begin();
    this.#worker.postMessage(question);
    return promise as Promise<Result>;
  }

  #begin(): void {
    this.#worker.ref();
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.break(this.#beyond(`${this.#limits.ms / 1000} s`)), this.#leftMs);
  }

  #answered(answer: Answer): void {
    clearTimeout(this.#timer);
    this.#leftMs -= performance.now() - this.#since;
    this.#worker.unref();
    const asked = this.#asked.shift();
    if (this.#asked.length > 0) this.#begin();
    if ('failure' in answer) asked?.reject(restored(answer.failure));
    else asked?.resolve(answer.answer);
  }

  /** Whatever is asked of it from now on fails with this error. */
  break(error: Error): void {
    this.#broken ??= error;
    clearTimeout(this.#timer);
    if (idle === this) idle = undefined;
    for (const { reject } of this.#asked.splice(0)) reject(this.#broken);
    void this.#worker.terminate();
  }

  #beyond(limit: string): InputError {
    return refusal('stoppedReading', { name: this.#name, limit });
  }
}

const kinds = [InputError, EncodingQuestion, SheetQuestion, EmptyTable, StorageError];

/** An error as it was thrown in the thread; only its class does not come across. */
function restored({ name, message, own }: Failure): Error {
  const error = Object.assign(new Error(message), own);
  const kind = kinds.find((each) => each.name === name);
  return kind ? (Object.setPrototypeOf(error, kind.prototype) as Error) : error;
}
