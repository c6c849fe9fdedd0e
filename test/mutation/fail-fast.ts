import type { TestEvent } from 'node:test/reporters';

/** A reporter that ends the process when the first test fails: one is enough to notice a mutant. */
export default async function* failFast(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue;
    yield `${data.name}\n`;
    process.exit(1);
  }
}
