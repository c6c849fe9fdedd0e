// Combines many single questions into one statement.
import { setTimeout as sleep } from 'node:timers/promises';

/** Begins a piece of work when it is its turn. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** One after the other, in the order in which they came, whether or not they succeed. */
export function takeTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

/** All at once. */
const withoutTurns: Turns = (work) => work();

/** With more items than this in a batch, more will follow. */
const crowd = 4;
/** The wait for them, ms. One statement for twice the items costs far less than two statements. */
const lingerMs = 2;

/**
 * Turns a function over many items into one for a single item: what is asked for while a batch is under way, or waits
 * for its turn, goes into the next batch, and where many ask, what is asked a moment later. So one statement serves all
 * workers of a process. A batch that fails fails each of its items.
 * @param turns where several such functions take turns, each batch grows until it can begin
 */
export function coalesce<Item, Result>(
  many: (items: Item[]) => Promise<Result[]>,
  most: number,
  turns: Turns = withoutTurns,
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
    for (let crowded = false; waiting.length > 0;) {
      if (crowded) await sleep(lingerMs);
      crowded = waiting.length > crowd;
      await turns(doBatch);
    }
    running = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void run();
    });
}
