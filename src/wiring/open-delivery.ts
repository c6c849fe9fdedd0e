// The part of the composition root that delivers: opens queue, client and pace.
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Config } from '../../config/load.ts';
import { InputError } from '../core/errors.ts';
import type { Rate } from '../core/pace/pacing.ts';
import type { Tempo } from '../core/pace/waiting-times.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type DeliveryLock, holdDeliveryLock } from '../ledger/database/postgres.ts';
import { isConnectionLoss } from '../ledger/database/reconnect.ts';
import type { Logger } from '../process/logger.ts';
import { openClient, openPacer } from './open-service.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Pacer } from '../queue/pacer.ts';
import { openMemoryQueue, type DeliveryQueue } from '../queue/queue.ts';
import type { Secret } from '../core/secrets/secret.ts';
import type { Releases } from '../process/shutdown.ts';
import type { Trouble } from '../process/trouble.ts';

/** What of a context is needed to deliver. */
interface Deliverable {
  config: Config;
  log: Logger;
  ledger: Ledger;
  mode: 'embedded' | 'production';
  tempo: Tempo;
  trouble: Trouble;
  stayAlive(): Promise<void>;
}

/** What a process that delivers works with in addition. */
export type Delivery = Awaited<ReturnType<typeof openDelivery>>;

/**
 * Opens queue, client and pace. With Redis and PostgreSQL other processes may deliver too; otherwise this one becomes
 * the only one, and begins with an empty queue: the ledger knows everything that was in it.
 * @throws BusyError when another process delivers and only one may; InputError when address or token are missing
 */
export async function openDelivery(
  context: Deliverable,
  { pool, releases, rate }: { pool: Pool; releases: Releases; rate: Rate },
) {
  const { config, log, ledger, mode, tempo } = context;
  // A snapshot of answers keeps a connection of its own for as long as it takes.
  const service = await openClient(config, config.delivery.concurrency + (config.answers.schedule ? 1 : 0));
  releases.add(() => service.close());
  if (config.redisUrl) await requireGoodRedis(config.redisUrl, log);
  const shared = mode === 'production';
  await context.stayAlive();
  const leads = shared
    ? await becomeOneOfMany(context, { pool, releases, service: service.address })
    : await becomeTheOnlyOne(context, pool, releases);
  const queue = await openQueue(context, service.address);
  releases.add(() => queue.close());
  if (!shared) await queue.empty();
  return {
    queue,
    service,
    pacer: await openRememberedPacer(context, { rate, service, releases }),
    /** Whether this process is the one that feeds the queue. */
    leads,
    /** Whether other processes may deliver at the same time. */
    shared,
    /** The total deadline of one call, ms. */
    callTimeoutMs: config.service.timeoutMs,
    /** As the context's; `deadAfterMs` is 0 if there are no other processes to wait for. */
    tempo: shared ? tempo : { ...tempo, deadAfterMs: 0 },
    /** In [0, 1). */
    random: Math.random,
    /** Calls that were in flight when the process before this one ended; they will be repeated. 0 if there may be others. */
    inFlightBefore: shared ? 0 : await ledger.beginAlone(),
  };
}

async function requireGoodRedis(redisUrl: Secret, log: Logger): Promise<void> {
  const { inspectRedis, judgeRedis } = await import('../queue/redis.ts');
  const { problems, warnings } = judgeRedis(await inspectRedis(redisUrl));
  for (const warning of warnings) log.warn(warning);
  if (problems.length > 0) throw new InputError(problems.join('\n'));
}

/** The only process to deliver: an embedded ledger is owned already, PostgreSQL has a lock for it. */
async function becomeTheOnlyOne(
  { config }: Deliverable,
  pool: Pool,
  releases: Releases,
): Promise<() => Promise<boolean>> {
  const stay = config.databaseUrl ? await keepDeliveryLock(pool, 'alone', releases) : undefined;
  return async () => {
    await stay?.();
    return true;
  };
}

/** One of many: one of them at a time feeds the queue of a service, and another takes over once it gives no sign of life. */
async function becomeOneOfMany(
  { ledger, tempo }: Deliverable,
  { pool, releases, service }: { pool: Pool; releases: Releases; service: string },
): Promise<() => Promise<boolean>> {
  const stay = await keepDeliveryLock(pool, 'together', releases);
  let leads = false;
  let askedAt = -Infinity;
  return async () => {
    await stay();
    if (leads && performance.now() - askedAt < tempo.heartbeatMs) return true;
    askedAt = performance.now();
    leads = await ledger.leadFeeding({ name: `feed ${service}`, worker: ledger.worker, forMs: tempo.deadAfterMs });
    return leads;
  };
}

/**
 * Holds the lock of the delivering process. What it returns takes the lock again when the connection that held it has broken.
 * @throws BusyError, at once or then, when another process delivers and this one may not deliver too
 */
async function keepDeliveryLock(
  pool: Pool,
  sharing: 'alone' | 'together',
  releases: Releases,
): Promise<() => Promise<void>> {
  let lock: DeliveryLock | undefined;
  let former: DeliveryLock['session'] | undefined;
  async function take(): Promise<void> {
    const taken = await holdDeliveryLock(pool, sharing, former);
    lock = taken;
    former = taken.session;
    void taken.lost.then(() => {
      if (lock !== taken) return;
      lock = undefined;
      return taken.release();
    });
  }
  await take();
  releases.add(async () => {
    const held = lock;
    lock = undefined;
    await held?.release();
  });
  return async () => {
    if (lock) return;
    await take().catch((error: unknown) => {
      // While the database is away nobody else can take it either.
      if (!isConnectionLoss(error)) throw error;
    });
  };
}

/** The queue of one service of one ledger: a worker for another service never sees its jobs. BullMQ is loaded for Redis only. */
async function openQueue({ config, ledger, tempo, trouble }: Deliverable, address: string): Promise<DeliveryQueue> {
  const { redisUrl, redisPrefix } = config;
  if (!redisUrl) return openMemoryQueue();
  const { openBullQueue } = await import('../queue/bull-queue.ts');
  return openBullQueue({
    ...{ redisUrl, prefix: `${redisPrefix}:${await ledger.ledgerId()}`, tempo },
    service: createHash('sha256').update(address).digest('hex').slice(0, 8),
    onError: (error) => trouble('trouble with the queue', error),
  });
}

/** The pace of a service, which the ledger remembers. */
async function openRememberedPacer(
  context: Deliverable,
  { rate, service, releases }: { rate: Rate; service: ServiceClient; releases: Releases },
): Promise<Pacer> {
  const { ledger, trouble } = context;
  const { address } = service;
  const { pacer, close } = await openPacer(
    context,
    { service, rate },
    {
      async beginning(ofRate, run) {
        const callsAgo = await ledger.recentCalls(address, ofRate, run);
        if (run !== undefined) return { callsAgo, share: 1 };
        return { callsAgo, share: await ledger.rememberedShare(address), throttle: await ledger.throttleOf(address) };
      },
      throttles: {
        keep: (throttle) => ledger.keepThrottle(address, throttle),
        read: () => ledger.throttleOf(address),
      },
      onShare(share) {
        ledger.rememberShare(address, share).catch((error: unknown) => trouble('the pace was not remembered', error));
      },
    },
  );
  releases.add(close);
  return pacer;
}
