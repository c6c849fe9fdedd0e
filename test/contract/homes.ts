import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { Rate } from '../../src/core/pace/pacing.ts';
import { tempo } from '../../src/core/pace/waiting-times.ts';
import { openEmbedded } from '../../src/ledger/database/embedded/embedded.ts';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { openPostgres } from '../../src/ledger/database/postgres.ts';
import { createLocalStore, type PaceBeginning, type PaceStore } from '../../src/queue/pace-store.ts';
import { openBullQueue } from '../../src/queue/bull-queue.ts';
import { openMemoryQueue, type DeliveryQueue } from '../../src/queue/queue.ts';
import { openRedis } from '../../src/queue/redis.ts';
import { createRedisStore } from '../../src/queue/redis-pace-store.ts';
import { copyEmptyDataDirectory } from '../support/empty-data-directory.ts';
import { postgresSkipReason, testPostgres } from '../support/postgres.ts';
import { redisSkipReason, freshRedis } from '../support/redis.ts';

/** Where ledger, queue and pace live: each contract test runs in every home. */
export interface Home {
  /** The ledger's database. */
  pool: Pool;
  /** A ledger of its own over the database, as a process of this name has it. */
  ledger(worker: string): Promise<Ledger>;
  /** The queue of a service. */
  queue(service: string): DeliveryQueue;
  /** Makes the pace of a key; each store of it is one process. */
  pace(key: string, rate: Rate, beginning?: () => Promise<PaceBeginning>): OpenPace;
  close(): Promise<void>;
}

/** One pace, as several processes may see it. */
export interface OpenPace {
  /** What another process has; the same one where only one process delivers. */
  another(): PaceStore;
  /** Loses what is kept of it, as a crash or an emptied Redis does. Stores opened before may go on. */
  lose(): Promise<void>;
  /** Sets the clock of the machine that keeps the pace back by so many ms. */
  setClockBack(byMs: number): Promise<void>;
}

/** Nothing is known from before. */
const nothingBefore = (): Promise<PaceBeginning> => Promise.resolve({ callsAgo: [], share: 1 });

const lossPolicy = { forMs: 0, onLoss: () => {} };

async function openEmbeddedHome(): Promise<Home> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-contract-'));
  await copyEmptyDataDirectory(join(folder, 'data'));
  const { pool, close } = await openEmbedded(join(folder, 'data/ledger'));
  const queues = new Map<string, DeliveryQueue>();
  return {
    pool,
    ledger: (worker) => openLedger(pool, { worker, lossPolicy }),
    queue(service) {
      const queue = queues.get(service) ?? openMemoryQueue();
      queues.set(service, queue);
      return queue;
    },
    pace(_key, rate, beginning = nothingBefore) {
      let store = createLocalStore(rate, beginning);
      return {
        another: () => store,
        lose: async () => {
          store = createLocalStore(rate, beginning);
        },
        // The clock in process is monotonic: nobody can set it.
        setClockBack: () => Promise.resolve(),
      };
    },
    async close() {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openProductionHome(): Promise<Home> {
  const postgres = await testPostgres();
  const redis = await freshRedis();
  const redisUrl = new Secret(redis.url);
  const { pool, close } = await openPostgres(await postgres.freshLedger());
  const connections: { disconnect(): void }[] = [];
  return {
    pool,
    ledger: (worker) => openLedger(pool, { worker, lossPolicy }),
    queue: (service) => openBullQueue({ redisUrl, prefix: 'contract', service, onError: throwIt, tempo }),
    pace(key, rate, beginning = nothingBefore) {
      return {
        another() {
          const connection = openRedis(redisUrl, throwIt);
          connections.push(connection);
          return createRedisStore({ redis: connection, key, rate, beginning, tempo });
        },
        lose: () => redis.flush(),
        async setClockBack(byMs) {
          await redis.command('EVAL', movePaceAhead, '1', key, String(byMs * 1000), String(rate.and.length));
        },
      };
    },
    async close() {
      for (const connection of connections) connection.disconnect();
      await redis.flush();
      await close();
    },
  };
}

/** To everything that is kept of a pace, a clock that is set back is as if it were that much later than it was. */
const movePaceAhead = `
for _, field in ipairs({ 'seen', 'next', 'gate' }) do
  if redis.call('HEXISTS', KEYS[1], field) == 1 then redis.call('HINCRBY', KEYS[1], field, ARGV[1]) end
end
for k = 1, ARGV[2] do
  local list = KEYS[1] .. ':' .. k
  for at, slot in ipairs(redis.call('LRANGE', list, 0, -1)) do
    redis.call('LSET', list, at - 1, string.format('%.0f', slot + ARGV[1]))
  end
end`;

function throwIt(error: Error): never {
  throw error;
}

/** A home, and why it is not available here, if so. */
interface NamedHome {
  name: string;
  skip: string | false;
  open(): Promise<Home>;
}

export const production: NamedHome = {
  name: 'on Redis and PostgreSQL',
  skip: postgresSkipReason || redisSkipReason,
  open: openProductionHome,
};

/** Every home: `for (const { name, skip, open } of homes) suite(…, { skip }, …)`. */
export const homes: NamedHome[] = [{ name: 'embedded', skip: false, open: openEmbeddedHome }, production];
