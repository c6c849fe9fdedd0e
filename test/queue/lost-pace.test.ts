import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Rate } from '../../src/core/pace/pacing.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { tempo } from '../../src/core/pace/waiting-times.ts';
import { createPacer, type Pacer } from '../../src/queue/pacer.ts';
import { openRedis } from '../../src/queue/redis.ts';
import { createRedisStore } from '../../src/queue/redis-pace-store.ts';
import { mostCallsInWindow } from '../../src/sandbox/index.ts';
import { redisSkipReason, startRedis } from '../support/redis.ts';

const rate: Rate = { limit: 5, perMs: 1000, and: [] };
const callers = 8;

suite('a pace that is lost while many wait for their slots', { skip: redisSkipReason }, () => {
  test('R4: whoever waits for a slot of before waits for a new one: no window sees more than the limit', async () => {
    const redis = await startRedis();
    const calls: { arrivedAt: number }[] = [];
    const connections = [1, 2].map(() => openRedis(new Secret(redis.url), () => {}));
    const pacers = connections.map((connection): Pacer => {
      const beginning = async () => ({
        callsAgo: calls.map(({ arrivedAt }) => performance.now() - arrivedAt),
        share: 1,
      });
      const store = createRedisStore({ redis: connection, key: 'pace', rate, tempo, beginning });
      return createPacer({ rate, store, storeOf: () => store, onShare: () => {}, trouble: () => {} });
    });
    const { signal } = new AbortController();
    const call = async (pacer: Pacer): Promise<void> => {
      const slot = await pacer.slot({ id: 'run', rate }, () => Promise.resolve(true), signal);
      assert.equal(slot.go, true);
      calls.push({ arrivedAt: performance.now() });
    };
    const waiting = pacers.flatMap((pacer) => Array.from({ length: callers }, () => call(pacer)));
    await Promise.race(waiting);
    await redis.flush();
    // Somebody comes anew, and begins another pace.
    await Promise.all([...waiting, ...pacers.map(call)]);
    for (const connection of connections) connection.disconnect();
    await redis.stop();
    assert.equal(calls.length, 2 * callers + 2);
    const most = mostCallsInWindow(calls, rate.perMs - 20);
    assert.ok(most <= rate.limit, `${most} calls in a second`);
  });
});
