/** What `node --test` does once before and after all test files (`--test-global-setup`). */
import { join } from 'node:path';
import { useMemoryForFiles } from './files-in-memory.ts';
import { postgresSkipReason, startPostgres } from './postgres.ts';
import { redisSkipReason, startSharedRedis } from './redis.ts';
import { shareServers } from './shared-servers.ts';

const stopping: (() => Promise<void> | void)[] = [];

/** Starts the servers that the test files share, and has the processes of all keep what V8 compiles, where the command line keeps it. */
export async function globalSetup(): Promise<void> {
  stopping.push(useMemoryForFiles());
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../node_modules/.cache/roster-sync');
  const [redis, postgres] = await Promise.all([
    redisSkipReason === false ? startSharedRedis() : undefined,
    postgresSkipReason === false ? startPostgres() : undefined,
  ]);
  for (const server of [redis, postgres]) if (server) stopping.push(() => server.stop());
  shareServers({ ...(redis && { redis: redis.port }), ...(postgres && { postgres: postgres.port }) });
}

/** Ends them. */
export async function globalTeardown(): Promise<void> {
  // Last first: the servers keep their files where the tests do.
  for (const stop of stopping.toReversed()) await stop();
}
