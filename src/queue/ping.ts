import { Redis } from 'ioredis';
import type { Secret } from '../core/secret.ts';

const connectTimeout = 5000;

/** Connects to Redis once and returns its version. Throws when it cannot be reached; the address's password is never in the error. */
export async function pingRedis(redisUrl: Secret): Promise<string> {
  const redis = new Redis(redisUrl.reveal(), {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout,
    retryStrategy: null,
  });
  redis.on('error', () => {});
  try {
    await redis.connect();
    const info = await redis.info('server');
    return /redis_version:(\S+)/.exec(info)?.[1] ?? 'of an unknown version';
  } finally {
    redis.disconnect();
  }
}
