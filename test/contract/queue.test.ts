import assert from 'node:assert/strict';
import { after, before, suite, test, type TestContext } from 'node:test';
import type { DeliveryQueue, QueuedDelivery } from '../../src/queue/queue.ts';
import { type Home, homes } from './homes.ts';
import { unique } from './plans.ts';

const of = (...ids: number[]): QueuedDelivery[] => ids.map((id) => ({ id, feeds: 1 }));

/** Collects what a worker is given, and lets a test wait until so much has come. */
function collector() {
  const got: QueuedDelivery[] = [];
  let wanted = Infinity;
  let arrived: () => void = () => {};
  return {
    got,
    take(delivery: QueuedDelivery): void {
      got.push(delivery);
      if (got.length >= wanted) arrived();
    },
    until: (count: number): Promise<void> =>
      new Promise((resolve) => {
        wanted = count;
        arrived = resolve;
        if (got.length >= count) resolve();
      }),
  };
}

for (const { name, skip, open } of homes) {
  suite(`the queue, ${name}`, { skip }, () => {
    let home: Home;
    before(async () => {
      home = await open();
    });
    after(() => home.close());

    function openQueue(t: TestContext, service = unique('q')): DeliveryQueue {
      const queue = home.queue(service);
      t.after(() => queue.close());
      return queue;
    }

    test('gives out each delivery once, as it was added, in the order in which they were added', async (t) => {
      const queue = openQueue(t);
      await queue.add(of(1, 2, 3), false);
      await queue.add([{ id: 4, feeds: 7 }], false);
      const { got, take, until } = collector();
      const worker = queue.work(async (delivery) => take(delivery), 1);
      await until(4);
      await worker.close(5000);
      assert.deepEqual(got, [...of(1, 2, 3), { id: 4, feeds: 7 }]);
      assert.equal(await queue.size(), 0);
    });

    test('ignores a delivery that is there already, and takes the same one fed anew', async (t) => {
      const queue = openQueue(t);
      await queue.add(of(1, 2), false);
      await queue.add(of(2, 3), true);
      assert.equal(await queue.size(), 3);
      await queue.add([{ id: 2, feeds: 2 }], false);
      assert.equal(await queue.size(), 4);
    });

    test('gives out what was put at its front before the rest', async (t) => {
      const queue = openQueue(t);
      await queue.add(of(1, 2), false);
      await queue.add(of(9), true);
      const { got, take, until } = collector();
      const worker = queue.work(async (delivery) => take(delivery), 1);
      await until(3);
      await worker.close(5000);
      assert.deepEqual(
        got.map(({ id }) => id),
        [9, 1, 2],
      );
    });

    test('a delivery that has been worked off may come again under the same name', async (t) => {
      const queue = openQueue(t);
      const { take, until } = collector();
      const worker = queue.work(async (delivery) => take(delivery), 1);
      await queue.add(of(1), false);
      await until(1);
      while ((await queue.size()) > 0);
      await queue.add(of(1), false);
      await until(2);
      await worker.close(5000);
    });

    test('counts the jobs that wait and those that are under way', async (t) => {
      const queue = openQueue(t);
      await queue.add(of(1, 2), false);
      const { take, until } = collector();
      const done = Promise.withResolvers<void>();
      const worker = queue.work(async (delivery) => {
        take(delivery);
        await done.promise;
      }, 1);
      await until(1);
      assert.equal(await queue.size(), 2);
      done.resolve();
      await worker.close(5000);
    });

    test('works on so many at a time', async (t) => {
      const queue = openQueue(t);
      await queue.add(of(1, 2, 3, 4, 5, 6), false);
      const { take, until } = collector();
      const done = Promise.withResolvers<void>();
      let now = 0;
      let most = 0;
      const worker = queue.work(async (delivery) => {
        now += 1;
        most = Math.max(most, now);
        take(delivery);
        await done.promise;
        now -= 1;
      }, 3);
      await until(3);
      done.resolve();
      await until(6);
      await worker.close(5000);
      assert.equal(most, 3);
    });

    test('what throws is over, and the next one is given out', async (t) => {
      const queue = openQueue(t);
      await queue.add(of(1, 2), false);
      const { got, take, until } = collector();
      const worker = queue.work(async (delivery) => {
        take(delivery);
        if (delivery.id === 1) throw new Error('on purpose');
      }, 1);
      await until(2);
      await worker.close(5000);
      assert.equal(await queue.size(), 0);
      assert.equal(got.length, 2);
    });

    test('two workers share the work, and none is given to both', async (t) => {
      const service = unique('q');
      const [queue, other] = [openQueue(t, service), openQueue(t, service)];
      const { got, take, until } = collector();
      const workers = [queue, other].map((each) => each.work(async (delivery) => take(delivery), 5));
      const ids = Array.from({ length: 200 }, (_, at) => at + 1);
      await queue.add(of(...ids), false);
      await until(200);
      await Promise.all(workers.map((worker) => worker.close(5000)));
      assert.deepEqual(
        got.map(({ id }) => id).toSorted((a, b) => a - b),
        ids,
      );
    });

    test('one service never sees the jobs of another', async (t) => {
      const [queue, other] = [openQueue(t), openQueue(t)];
      await queue.add(of(1), false);
      assert.equal(await other.size(), 0);
      assert.equal(await queue.size(), 1);
    });

    test('is empty once emptied, also of what was under way', async (t) => {
      const queue = openQueue(t);
      await queue.add(of(1, 2, 3), false);
      await queue.empty();
      assert.equal(await queue.size(), 0);
      await queue.add(of(1), false);
      assert.equal(await queue.size(), 1);
    });

    test('closing waits for the job under way, takes no further one, and gives up after its time', async (t) => {
      const queue = openQueue(t);
      await queue.add(of(1, 2), false);
      const { got, take, until } = collector();
      const done = Promise.withResolvers<void>();
      const worker = queue.work(async (delivery) => {
        take(delivery);
        await done.promise;
      }, 1);
      await until(1);
      const closing = worker.close(10_000);
      done.resolve();
      await closing;
      assert.equal(got.length, 1);
      assert.equal(await queue.size(), 1);

      const stuck = Promise.withResolvers<void>();
      const late = queue.work(async (delivery) => {
        take(delivery);
        await stuck.promise;
      }, 1);
      await until(2);
      const began = performance.now();
      await late.close(100);
      // Otherwise it waits for a job that never ends.
      assert.ok(performance.now() - began < 20_000);
      stuck.resolve();
    });
  });
}
