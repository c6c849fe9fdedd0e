// Opens Redis connections and checks that a Redis is fit for use.
import { Redis, type RedisOptions } from 'ioredis';
import { defined } from '../core/defined.ts';
import { StorageError } from '../core/errors.ts';
import { say } from '../core/words/say.ts';
import type { Secret } from '../core/secrets/secret.ts';
import { tempo, type Tempo } from '../core/pace/waiting-times.ts';

/**
 * How connections behave, each for a reason of its own:
 * - `maxRetriesPerRequest: null`: a command waits until Redis is back instead of failing a job;
 * - `retryStrategy`: back within 2 s of Redis being back, however long it was away;
 * - `socketTimeout`: a network that swallows packets without closing is noticed after 15 s, not after minutes; it
 *   must be longer than the longest blocking read (`longestBlockMs`);
 * - no `commandTimeout`: it would break the blocking reads of workers.
 */
function behaviour({ silenceMs }: Tempo) {
  return {
    maxRetriesPerRequest: null,
    retryStrategy: (times: number) => Math.min(200 * times, 2000),
    socketTimeout: silenceMs,
    connectTimeout: 10_000,
  } satisfies RedisOptions;
}

/** The longest a blocking read may last, ms. */
export function longestBlockMs({ silenceMs }: Tempo): number {
  return silenceMs / 3;
}

/** Options for BullMQ, which makes connections of its own. */
export function connectionOptions(url: Secret, given: Tempo): RedisOptions & { url: string } {
  return { ...behaviour(given), url: url.reveal() };
}

/** Opens a connection of our own. `onError` gets errors, which it survives. */
export function openRedis(url: Secret, onError: (error: Error) => void, given: Tempo = tempo): Redis {
  const redis = new Redis(url.reveal(), behaviour(given));
  redis.on('error', onError);
  return redis;
}

const connectOnceMs = 5000;

/**
 * Connects once and asks Redis about itself.
 * @throws StorageError when it cannot be reached; the password is never in the message
 */
export async function inspectRedis(url: Secret) {
  const redis = new Redis(url.reveal(), {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: connectOnceMs,
    retryStrategy: () => null,
  });
  let reason = '';
  redis.on('error', ({ message }: Error) => {
    reason = message;
  });
  try {
    await redis.connect();
    const info = await redis.info();
    const read = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
    const refusal = await redis.set('roster-sync:doctor', '', 'PX', 1).then(
      () => undefined,
      (error: Error) => error.message,
    );
    return {
      /** Why it refuses to write just now; absent when it writes. */
      ...defined({ refusal }),
      version: read('redis_version'),
      maxmemoryPolicy: read('maxmemory_policy'),
      appendOnly: read('aof_enabled') === '1',
      // One of several that share the keys among them (Redis Cluster). Valkey calls it `server_mode`.
      cluster: (read('redis_mode') || read('server_mode')) === 'cluster',
    };
  } catch (error) {
    const { host } = new URL(url.reveal());
    const why = reason || (error instanceof Error ? error.message : String(error));
    throw new StorageError(say('noRedis', 1, { host, why: why.replace(/\.$/, '') }));
  } finally {
    redis.disconnect();
  }
}

/**
 * What prevents working with this Redis, and what is only worth a warning; each with the command that fixes it.
 * An eviction policy other than `noeviction` drops jobs under pressure, silently.
 */
export function judgeRedis(facts: Awaited<ReturnType<typeof inspectRedis>>) {
  const { version, maxmemoryPolicy, appendOnly, cluster } = facts;
  const problems: string[] = [];
  const warnings: string[] = [];
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 6 || (major === 6 && minor < 2)) problems.push(say('oldRedis', 1, { version }));
  if (maxmemoryPolicy !== '' && maxmemoryPolicy !== 'noeviction')
    problems.push(say('evictingRedis', 1, { policy: maxmemoryPolicy }));
  if (cluster) problems.push(say('redisCluster', 1));
  if (!appendOnly) warnings.push(say('redisWithoutAof', 1));
  return { problems, warnings };
}
