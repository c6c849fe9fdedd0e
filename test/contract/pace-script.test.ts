import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { PaceBook, type Rate, slackOf, spacingOf } from '../../src/core/pace/pacing.ts';
import { tempo } from '../../src/core/pace/waiting-times.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { PaceBeginning, PaceStore } from '../../src/queue/pace-store.ts';
import { beginScript, createRedisStore, holdScript, reserveScript } from '../../src/queue/redis-pace-store.ts';
import { openRedis } from '../../src/queue/redis.ts';
import { redisSkipReason, freshRedis, startRedis } from '../support/redis.ts';

const micro = (ms: number): number => Math.round(ms * 1000);
/** In Redis each spacing is rounded to a microsecond. */
const roundingMs = 0.001;

const windowOf = fc.record({ limit: fc.integer({ min: 1, max: 12 }), perMs: fc.integer({ min: 1, max: 50_000 }) });
const rateOf: fc.Arbitrary<Rate> = fc
  .tuple(windowOf, fc.array(windowOf, { maxLength: 2 }))
  .map(([first, and]) => ({ ...first, and }));
const passed = fc.nat({ max: 5000 });
const stepOf = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ passed, slots: fc.integer({ min: 1, max: 5 }), share: fc.constantFrom(1, 0.5, 0.25) }),
  },
  { weight: 1, arbitrary: fc.record({ passed, holdMs: fc.nat({ max: 20_000 }) }) },
);

suite('the script of the pace in Redis', { skip: redisSkipReason }, () => {
  let redis: Redis;
  before(async () => {
    redis = openRedis(new Secret((await freshRedis()).url), () => {});
  });
  after(() => redis.disconnect());

  /** A pace at given times, in ms. */
  async function openPace(rate: Rate, now: number) {
    const keys = ['pace', ...rate.and.map((_, at) => `pace:${at}`)];
    await redis.del(...keys);
    await redis.eval(beginScript, keys.length, ...keys, 'name', 0, ...rate.and.map(() => 0), micro(now));
    const slack = slackOf(rate);
    return {
      async reserve(
        at: number,
        slots: number,
        aheadMs: number,
        share = 1,
      ): Promise<{ slots: number[]; waitMs: number }> {
        const windows = rate.and.flatMap(({ limit, perMs }) => [limit, micro(perMs)]);
        const wanted = [slots, micro(aheadMs), micro(spacingOf(rate) / share), micro(slack), ...windows, micro(at)];
        const reply = (await redis.eval(reserveScript, keys.length, ...keys, ...wanted)) as string[];
        const [waitMs = 0, ...given] = reply.slice(2).map((value) => Number(value) / 1000);
        return { slots: given, waitMs };
      },
      hold: (at: number, holdMs: number) => redis.eval(holdScript, keys.length, ...keys, micro(holdMs), '', micro(at)),
    };
  }

  test('gives the slots that the pure arithmetic gives, whatever the rate, the holds and the shares', async () => {
    await fc.assert(
      fc.asyncProperty(rateOf, fc.array(stepOf, { maxLength: 30 }), async (rate, steps) => {
        let now = 1_000_000;
        const pace = await openPace(rate, now);
        const book = new PaceBook(rate);
        let taken = 0;
        for (const step of steps) {
          now += step.passed;
          if ('holdMs' in step) {
            book.hold(now + step.holdMs);
            await pace.hold(now, step.holdMs);
          } else {
            const { slots } = await pace.reserve(now, step.slots, 1e9, step.share);
            assert.equal(slots.length, step.slots);
            for (const slot of slots) {
              const expected = book.reserve(now, step.share);
              taken += 1;
              assert.ok(Math.abs(slot - expected) <= taken * roundingMs, `slot ${slot}, not ${expected}`);
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('gives no slot that is too far away, says how long it would be, and does not use it up', async () => {
    await fc.assert(
      fc.asyncProperty(rateOf, fc.nat({ max: 3000 }), fc.integer({ min: 1, max: 20 }), async (rate, aheadMs, count) => {
        const now = 1_000_000;
        const pace = await openPace(rate, now);
        const { slots, waitMs } = await pace.reserve(now, count, aheadMs);
        for (const slot of slots) assert.ok(slot - now <= aheadMs);
        if (slots.length === count) return;
        assert.ok(waitMs > aheadMs);
        const later = await pace.reserve(now, 1, 1e9);
        assert.ok(Math.abs((later.slots[0] ?? 0) - (now + waitMs)) < roundingMs);
      }),
      { numRuns: 40 },
    );
  });

  test('a time before one that was seen counts as that one, and goes on from there', async () => {
    const rate: Rate = { limit: 10, perMs: 1000, and: [{ limit: 3, perMs: 5000 }] };
    const pace = await openPace(rate, 1_000_000);
    const before = await pace.reserve(1_000_000, 3, 1e9);
    await pace.hold(1_000_000, 2000);
    const [setBack = 0] = (await pace.reserve(400_000, 1, 1e9)).slots;
    assert.ok(Math.abs(setBack - ((before.slots[0] ?? 0) + 5000 + slackOf(rate))) < roundingMs);
    // Ten seconds later on the clock that was set back, there is no wait.
    const [later = 0] = (await pace.reserve(410_000, 1, 1e9)).slots;
    assert.equal(later, 1_010_000);
  });

  test('a gate that a wrong clock has shut for years is shut for a day from when that is seen, and no longer', async () => {
    const day = 86_400_000;
    const pace = await openPace({ limit: 10, perMs: 1000, and: [] }, 1_000_000);
    await redis.hset('pace', 'gate', String(micro(1_000_000 + 1000 * day)));
    const { waitMs } = await pace.reserve(1_000_000, 1, 1000);
    assert.equal(waitMs, day);
    assert.equal((await pace.reserve(1_000_000 + day / 2, 1, 1000)).waitMs, day / 2);
    assert.deepEqual((await pace.reserve(1_000_000 + day, 1, 1000)).slots, [1_000_000 + day]);
  });

  test('R4: of a Redis that was started again with an older copy, the pace starts again, by what the ledger knows', async (t) => {
    const rate: Rate = { limit: 10, perMs: 1000, and: [{ limit: 3, perMs: 60_000 }] };
    const own = await startRedis();
    t.after(() => own.kill());
    const connections: Redis[] = [];
    t.after(() => connections.forEach((each) => each.disconnect()));
    let before: PaceBeginning = { callsAgo: [], share: 1 };
    const another = (): PaceStore => {
      const connection = openRedis(new Secret(own.url), () => {});
      connections.push(connection);
      return createRedisStore({ redis: connection, key: 'pace', rate, beginning: async () => before, tempo });
    };
    const store = another();
    await store.reserve(60_000);
    await own.command('SAVE');
    for (const _ of [1, 2]) await store.reserve(60_000);
    before = { callsAgo: [3000, 2000, 1000], share: 1, throttle: { forMs: 40_000, reason: 'HTTP 429' } };
    await own.kill();
    await own.start();
    for (const one of [another(), store]) {
      const asked = await one.reserve(1000);
      assert.ok('waitMs' in asked && asked.waitMs > 50_000, JSON.stringify(asked));
      assert.ok(one.gate - one.now() > 30_000);
    }
  });
});
