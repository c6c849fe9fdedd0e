// A BullMQ worker that waits between attempts when Redis refuses.
import { setTimeout as sleep } from 'node:timers/promises';
import { type IQueueBackend, type Job, Worker } from 'bullmq';

/** Between two tries to get a job from a queue that refuses to give one, ms: soon at first, then every five seconds. */
const firstTryMs = 100;
const lastTryMs = 5000;

/**
 * A worker that waits between two tries to get a job. BullMQ's own tries again at once when Redis refuses (it is out of
 * memory, or a replica), thousands of times a second.
 */
export class PatientWorker<Data> extends Worker<Data, void, string, IQueueBackend, never, unknown> {
  readonly #ending = new AbortController();
  #waitMs = firstTryMs;

  protected override async moveToActive(token: string, name?: string): Promise<Job<Data, void, string, never>> {
    try {
      const job = await super.moveToActive(token, name);
      this.#waitMs = firstTryMs;
      return job;
    } catch (error) {
      const waitMs = this.#waitMs;
      this.#waitMs = Math.min(lastTryMs, 2 * waitMs);
      // It rejects for nothing but the end.
      await sleep(waitMs, undefined, { signal: this.#ending.signal }).catch(() => {});
      throw error;
    }
  }

  override pause(doNotWaitActive?: boolean): Promise<void> {
    this.#ending.abort();
    return super.pause(doNotWaitActive);
  }

  override close(force?: boolean): Promise<void> {
    this.#ending.abort();
    return super.close(force);
  }
}
