import { Worker } from 'node:worker_threads';

const most = 256 * 1024;

/** Ends this process when one input keeps it busy for good, and writes that input to a file. */
export class Watchdog {
  readonly #numbers = new Int32Array(new SharedArrayBuffer(8));
  readonly #bytes = new Uint8Array(new SharedArrayBuffer(most));
  readonly #worker: Worker;

  constructor(file: string, longestMs = 30_000) {
    const workerData = { numbers: this.#numbers, bytes: this.#bytes, file, longestMs };
    this.#worker = new Worker(watch, { eval: true, workerData });
    this.#worker.unref();
  }

  /** Begins to watch an input. */
  begin(bytes: Buffer): void {
    this.#bytes.set(bytes.subarray(0, most));
    this.#numbers[1] = Math.min(bytes.length, most);
    Atomics.add(this.#numbers, 0, 1);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** In a thread of its own: the other one does not come to anything else. */
const watch = `
  const { writeFileSync, writeSync } = require('node:fs');
  const { numbers, bytes, file, longestMs } = require('node:worker_threads').workerData;
  let [seen, since] = [0, process.cpuUsage().user];
  setInterval(() => {
    const now = process.cpuUsage().user;
    const count = Atomics.load(numbers, 0);
    if (count !== seen) [seen, since] = [count, now];
    else if (now - since > longestMs * 1000) {
      writeFileSync(file, bytes.slice(0, numbers[1]));
      writeSync(2, 'one input has kept the processor busy for ' + longestMs + ' ms: ' + file + '\\n');
      process.kill(process.pid, 'SIGKILL');
    }
  }, 500);
`;
