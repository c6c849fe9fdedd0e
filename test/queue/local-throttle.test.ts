import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Rate } from '../../src/core/pace/pacing.ts';
import { tempo } from '../../src/core/pace/waiting-times.ts';
import type { Throttle } from '../../src/core/call/throttle.ts';
import { createLocalStore } from '../../src/queue/pace-store.ts';

const rate: Rate = { limit: 10, perMs: 1000, and: [] };
const hour = 3_600_000;

/** A store with a clock that stands still unless it is moved, and a memory that can be changed. */
function openStore(remembered?: Throttle) {
  let now = 1000;
  let memory = remembered;
  let written = Promise.withResolvers<void>();
  written.resolve();
  const throttles = {
    async keep(throttle: Throttle) {
      await written.promise;
      memory = throttle;
    },
    read: async () => memory,
  };
  const beginning = () => Promise.resolve({ callsAgo: [], share: 1, throttle: memory });
  return {
    store: createLocalStore(rate, beginning, tempo, { clock: () => now, throttles }),
    pass: (ms: number) => void (now += ms),
    remember: (throttle: Throttle | undefined) => void (memory = throttle),
    /** Writing waits, or fails. */
    slowly(fails?: Error) {
      written = Promise.withResolvers<void>();
      if (fails) written.reject(fails);
      return written.resolve;
    },
  };
}

describe('a throttle in a process that delivers alone', () => {
  it('is known from before as soon as somebody looks, with its reason', async () => {
    const { store } = openStore({ forMs: hour, reason: 'HTTP 429' });
    await store.look();
    assert.deepEqual([store.gate - store.now(), store.why], [hour, 'HTTP 429']);
  });

  it('ends by the monotonic clock', async () => {
    const { store, pass } = openStore();
    await store.look();
    await store.hold(hour, 'HTTP 429');
    pass(hour);
    assert.ok('at' in (await store.reserve(0)));
  });

  it('ends by the clock on the wall too: a laptop that slept does not wait again', async () => {
    const { store, pass, remember } = openStore();
    await store.hold(hour, 'HTTP 429');
    pass(1000);
    remember({ forMs: 60_000, reason: 'HTTP 429' });
    await store.look();
    assert.equal(store.gate - store.now(), 60_000);
  });

  it('ends when somebody ends it elsewhere', async () => {
    const { store, pass, remember } = openStore();
    await store.hold(hour, 'HTTP 429');
    remember(undefined);
    pass(1000);
    await store.look();
    assert.ok('at' in (await store.reserve(0)));
  });

  it('R4: a throttle that is not stored yet does not end', async () => {
    const { store, pass, slowly } = openStore();
    const write = slowly();
    const held = store.hold(hour, 'HTTP 429');
    pass(1000);
    await store.look();
    assert.ok('waitMs' in (await store.reserve(0)));
    write();
    await held;
  });

  it('R4: a throttle that could not be stored lasts, and the next one ends when somebody ends it elsewhere', async () => {
    const { store, pass, remember, slowly } = openStore();
    slowly(new Error('The ledger is away.'));
    await assert.rejects(store.hold(hour, 'HTTP 429'), /ledger is away/);
    pass(1000);
    await store.look();
    assert.ok('waitMs' in (await store.reserve(0)));
    pass(hour);
    slowly()();
    await store.hold(hour, 'HTTP 429');
    remember(undefined);
    await store.look();
    assert.ok('at' in (await store.reserve(0)));
  });
});
