// Combines many questions into one, does things one after the other, waits no longer than a time.
import { setTimeout as sleep } from 'node:timers/promises';

/** Begins a piece of work when it is its turn. */
export type Sequencer = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** One after the other, in the order in which they came, whether or not they succeed. */
export function createSequencer(): Sequencer {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

/** All at once. */
const atOnce: Sequencer = (work) => work();

/** With more items than this in a batch, more will follow. */
const busyBatch = 4;
/** The wait for them, ms. One statement for twice the items costs far less than two statements. */
const lingerMs = 2;

/**
 * Turns a function over many items into one for a single item: what is asked for while a batch is under way, or waits
 * for its turn, goes into the next batch, and where many ask, what is asked a moment later. So one statement serves all
 * workers of a process. A batch that fails fails each of its items.
 * @param inSequence where several such functions wait for each other, each batch grows until it can begin
 */
export function coalesce<Item, Result>(
  many: (items: Item[]) => Promise<Result[]>,
  most: number,
  inSequence: Sequencer = atOnce,
): (item: Item) => Promise<Result> {
  let waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  let running = false;

  async function doBatch(): Promise<void> {
    const batch = waiting.slice(0, most);
    waiting = waiting.slice(most);
    try {
      const results = await many(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, at) => resolve(results[at] as Result));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function run(): Promise<void> {
    running = true;
    // Include everything that was woken by the same event.
    await new Promise(setImmediate);
    for (let isMore = false; waiting.length > 0;) {
      if (isMore) await sleep(lingerMs);
      isMore = waiting.length > busyBatch;
      await inSequence(doBatch);
    }
    running = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void run();
    });
}

/** Sleeps, and can be woken: that ends the sleep that is under way, if one is. */
export function createAlarm() {
  let wake: () => void = () => {};
  return {
    wake: (): void => wake(),
    sleep: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}

/** Waits so many ms at most. Whether it went well by then; what comes of it later is ignored. */
export async function endsWithin(ms: number, ending: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(late.resolve, ms, false);
  const ended = ending.then(
    () => true,
    () => false,
  );
  return Promise.race([ended, late.promise]).finally(() => clearTimeout(timer));
}
