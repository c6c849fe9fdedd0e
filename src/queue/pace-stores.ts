// Chooses where the pace is kept: in Redis, or in this process.
import type { Rate } from '../core/pace/pacing.ts';
import type { Tempo } from '../core/pace/waiting-times.ts';
import { createLocalStore, type PaceBeginning, type PaceStore, type ThrottleMemory } from './pace-store.ts';
import type { RedisUrl } from './redis.ts';

/**
 * Opens the pace of this key, at this rate; `beginning` returns what is known from before, and `throttles` stores what must
 * be known later.
 */
export type OpenPaceStore = (
  key: string,
  rate: Rate,
  beginning: () => Promise<PaceBeginning>,
  throttles?: ThrottleMemory,
) => PaceStore;

/** Paces in Redis for all processes, or without a Redis, whose client is not loaded then, in this process alone. */
export async function openPaceStores(
  redisUrl: RedisUrl | undefined,
  tempo: Tempo,
  onError: (error: Error) => void,
): Promise<{ open: OpenPaceStore; close(): Promise<void> }> {
  if (redisUrl === undefined) {
    return {
      open: (_key, rate, beginning, throttles) =>
        createLocalStore(rate, beginning, tempo, throttles === undefined ? {} : { throttles }),
      close: () => Promise.resolve(),
    };
  }
  const [{ openRedis }, { createRedisStore }] = await Promise.all([
    import('./redis.ts'),
    import('./redis-pace-store.ts'),
  ]);
  const redis = openRedis(redisUrl, onError, tempo);
  return {
    open: (key, rate, beginning, throttles) => createRedisStore({ redis, key, rate, beginning, tempo, throttles }),
    close: async () => redis.disconnect(),
  };
}
