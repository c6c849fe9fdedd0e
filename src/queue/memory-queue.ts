// The queue of the only process that delivers, in its memory: the ledger refills it at each start.
import { endsWithin } from '../process/ends-within.ts';
import { type DeliveryQueue, jobIdOf, type QueuedDelivery, Tracker } from './queue.ts';

/** Opens a queue in this process alone. */
export function openMemoryQueue(): DeliveryQueue {
  /** Those that wait and those under way, by their ids. */
  const jobs = new Map<string, QueuedDelivery>();
  let waiting: QueuedDelivery[] = [];
  const workers = new Set<() => void>();

  return {
    async add(deliveries, front) {
      const added = deliveries.filter((each) => !jobs.has(jobIdOf(each)));
      for (const each of added) jobs.set(jobIdOf(each), each);
      waiting = front ? [...added, ...waiting] : [...waiting, ...added];
      for (const takeJobs of workers) takeJobs();
    },
    size: async () => jobs.size,
    async empty() {
      jobs.clear();
      waiting = [];
    },
    work(deliver, concurrency) {
      const calls = new Tracker();
      let free = concurrency;
      async function carry(job: QueuedDelivery): Promise<void> {
        // One that throws is over too: what is still to be done, the ledger knows.
        await calls.track(deliver(job)).catch(() => {});
        if (jobs.get(jobIdOf(job)) === job) jobs.delete(jobIdOf(job));
        free += 1;
        if (workers.has(takeJobs)) takeJobs();
      }
      function takeJobs(): void {
        for (let job; free > 0 && (job = waiting.shift()); free -= 1) void carry(job);
      }
      workers.add(takeJobs);
      takeJobs();
      return {
        async close(graceMs) {
          workers.delete(takeJobs);
          await endsWithin(graceMs, calls.idle());
        },
      };
    },
    close: () => Promise.resolve(),
  };
}
