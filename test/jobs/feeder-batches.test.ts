import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startFeeder, type TakenDelivery } from '../../jobs/deliver/feeder.ts';

const limits = { mostJobs: 400, busyMs: 1, idleMs: 1, tendMs: 1000 };
const least = limits.mostJobs / 4;

/**
 * Feeds two runs, `bulk` and the urgent `event`, with so many due deliveries each. Gives what was put into the queue,
 * once `size`, which is asked before each look, says `'over'`. The first `repeated` of each batch may have been called.
 */
async function feed(
  due: Record<string, number>,
  size: (fed: number) => number | 'over',
  callsIn: (ms: number) => number = () => Infinity,
  repeated = 0,
): Promise<[string, number][]> {
  const left = { ...due };
  const batches: [string, number][] = [];
  const over = Promise.withResolvers<void>();
  const feeder = startFeeder(
    {
      leads: async () => true,
      runs: async () => [
        { id: 'bulk', urgent: false },
        { id: 'event', urgent: true },
      ],
      positions: {
        async take(run, limit): Promise<TakenDelivery[]> {
          const count = Math.min(limit, left[run] ?? 0);
          left[run] = (left[run] ?? 0) - count;
          return Array.from({ length: count }, (_, id) => ({ id, feeds: 1, repeated: id < repeated }));
        },
        forget() {},
      },
      queue: {
        async add(deliveries, front) {
          batches.push([front ? 'event' : 'bulk', deliveries.length]);
        },
        async size() {
          const now = size(batches.reduce((sum, [, count]) => sum + count, 0));
          if (now !== 'over') return now;
          over.resolve();
          return limits.mostJobs;
        },
      },
      pacer: { gateClosedFor: async () => 0, callsIn },
      async tend() {},
      onError: over.reject,
    },
    limits,
  );
  try {
    await over.promise;
  } finally {
    await feeder.stop();
  }
  return batches;
}

suite('a feeder whose queue is worked off while it feeds', () => {
  test('takes batches of a quarter of the queue at least, until the rest', async () => {
    const people = 1050;
    let worked = 0;
    const batches = await feed({ bulk: people }, (fed) => {
      worked = Math.min(fed, worked + 3);
      return worked === people ? 'over' : fed - worked;
    });
    assert.equal(
      batches.reduce((sum, [, count]) => sum + count, 0),
      people,
    );
    assert.ok(
      batches.slice(0, -1).every(([, count]) => count >= least),
      JSON.stringify(batches),
    );
  });

  test('puts only what is urgent into a queue that is nearly full', async () => {
    let looks = 0;
    const batches = await feed({ bulk: 1000, event: 5 }, () =>
      (looks += 1) > 5 ? 'over' : limits.mostJobs - least / 2,
    );
    assert.deepEqual(batches, [['event', 5]]);
  });

  test('holds no more in the queue than the pace can use in ten seconds, so that later runs have their turn', async () => {
    const perSecond = 12;
    const batches = await feed(
      { bulk: 1000 },
      (fed) => (fed >= 10 * perSecond ? 'over' : fed),
      (ms) => (perSecond * ms) / 1000,
    );
    assert.equal(
      batches.reduce((sum, [, count]) => sum + count, 0),
      10 * perSecond,
    );
  });

  test('puts at the front whose call may have happened already: they have waited the longest', async () => {
    const batches = await feed(
      { bulk: least },
      (fed) => (fed === least ? 'over' : fed),
      () => Infinity,
      3,
    );
    assert.deepEqual(batches, [
      ['bulk', least - 3],
      ['event', 3],
    ]);
  });
});
