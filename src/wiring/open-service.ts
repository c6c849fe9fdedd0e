// Opens the HTTP client of the configured service and its pace, and what is needed to ask it without a ledger.
import { type Config, requireBaseUrl } from '../../config/load.ts';
import { parseBaseUrl, readCredentials } from '../service/settings.ts';
import { createServiceClient, type ServiceClient } from '../service/client.ts';
import { readVersion } from '../process/version.ts';
import { tempo, type Tempo } from '../core/pace/waiting-times.ts';
import type { Logger } from '../process/logger.ts';
import { createLocalStore, type PaceBeginning, type PaceStore, type ThrottleMemory } from '../queue/pace-store.ts';
import type { Rate } from '../core/pace/pacing.ts';
import { createPacer } from '../queue/pacer.ts';
import { createTrouble, type Trouble } from '../process/trouble.ts';

/**
 * The client of the configured service, with a limit of connections; the caller closes it.
 * @throws InputError when address or token are missing
 */
export async function openClient(config: Config, concurrency: number): Promise<ServiceClient> {
  const { timeoutMs, ...credentials } = config.service;
  return createServiceClient({
    baseUrl: parseBaseUrl(requireBaseUrl(config)),
    credentials: await readCredentials(credentials),
    setAt: {
      address: placesOf(config, ['service.baseUrl']),
      // A file of a token is named by itself.
      token: placesOf(config, ['service.token', 'service.username', 'service.password']),
    },
    concurrency,
    timeoutMs,
    analysis: { silenceMs: config.answers.silence, timeoutMs: config.answers.timeout },
    userAgent: `roster-sync/${readVersion()}`,
    environment: config.proxyEnvironment,
  });
}

/** Where settings are set: `roster-sync.yaml:3`, the name of a variable. */
function placesOf({ settings }: Config, names: readonly string[]): string {
  const places = settings.flatMap(({ name, value, from }) => (names.includes(name) && value !== undefined ? from : []));
  return [...new Set(places)].join(' and ');
}

/** What is known about a service from before, and what of its pace must be known later. */
interface PaceMemory {
  /** Asked of the service when its pace begins, and of a run (by its id) that has a slower one. */
  beginning(rate: Rate, run?: string): Promise<PaceBeginning>;
  throttles?: ThrottleMemory;
  onShare(share: number): void;
}

/**
 * Opens the pace of a service: in Redis for all processes, or without a Redis, whose client is not loaded then, in this
 * process alone.
 */
export async function openPacer(
  { config: { redisUrl, redisPrefix }, tempo, trouble }: { config: Config; tempo: Tempo; trouble: Trouble },
  { service: { address, connect }, rate }: { service: Pick<ServiceClient, 'address' | 'connect'>; rate: Rate },
  { beginning, throttles, onShare }: PaceMemory,
) {
  const onError = (error: Error): void => trouble('trouble with Redis', error);
  const redis = redisUrl && (await import('../queue/redis.ts')).openRedis(redisUrl, onError, tempo);
  const inRedis = redis && (await import('../queue/redis-pace-store.ts')).createRedisStore;
  function open(key: string, ofRate: Rate, run?: string): PaceStore {
    const memory = { beginning: () => beginning(ofRate, run), throttles: run === undefined ? throttles : undefined };
    return inRedis
      ? inRedis({ redis, key, rate: ofRate, tempo, ...memory })
      : createLocalStore(ofRate, memory.beginning, tempo, memory);
  }
  const key = `${redisPrefix}:pace:${address}`;
  const pacer = createPacer({
    ...{ rate, onShare, trouble, connect },
    store: open(key, rate),
    storeOf: (run) => open(`${key}:run:${run.id}`, run.rate, run.id),
  });
  return { pacer, close: async () => redis?.disconnect() };
}

/**
 * Opens what is needed to ask the service, and no ledger: nothing is kept, and no data directory is made. With a Redis
 * the call takes its place in the pace of all processes; else it keeps a pace of its own.
 * @throws InputError when address or token are missing
 */
export async function openService(config: Config, log: Logger) {
  const { rate } = config.delivery;
  const service = await openClient(config, 1);
  const { pacer, close } = await openPacer(
    { config, tempo, trouble: createTrouble(log) },
    { service, rate },
    {
      beginning: () => Promise.resolve({ callsAgo: [], share: 1 }),
      onShare: () => {},
    },
  );
  return {
    ...{ service, pacer, random: Math.random, policy: config.delivery },
    async close() {
      await service.close();
      await close();
    },
  };
}
