/**
 * Turns a function over many items into one for a single item: what is asked for while a batch is under way
 * goes into the next batch. So one statement serves all workers of a process, and none waits for a timer.
 * A batch that fails fails each of its items.
 */
export function coalesce<Item, Result>(
  many: (items: Item[]) => Promise<Result[]>,
  most: number,
): (item: Item) => Promise<Result> {
  let waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    // Let everything that was woken by the same event come along.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      try {
        const results = await many(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, at) => resolve(results[at] as Result));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void run();
    });
}
