// Opens the HTTP client of the configured service and its pace, and what is needed to ask it without a ledger.
import { type Config, requireBaseUrl } from '../../config/load.ts';
import { parseBaseUrl, readCredentials } from '../service/settings.ts';
import { createServiceClient, type ServiceClient } from '../service/client.ts';
import { readVersion } from '../process/version.ts';
import { tempo, type Tempo } from '../core/pace/waiting-times.ts';
import type { Logger } from '../process/logger.ts';
import { createLocalStore, type PaceBeginning, type PaceStore, type ThrottleMemory } from '../queue/pace-store.ts';
import type { Secret } from '../core/secrets/secret.ts';
import type { Rate } from '../core/pace/pacing.ts';
import { createPacer } from '../queue/pacer.ts';
import { createTrouble } from '../process/trouble.ts';

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
  redisUrl: Secret | undefined,
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
    import('../queue/redis.ts'),
    import('../queue/redis-pace-store.ts'),
  ]);
  const redis = openRedis(redisUrl, onError, tempo);
  return {
    open: (key, rate, beginning, throttles) => createRedisStore({ redis, key, rate, beginning, tempo, throttles }),
    close: async () => redis.disconnect(),
  };
}

/**
 * Opens what is needed to ask the service, and no ledger: nothing is kept, and no data directory is made. With a Redis
 * the call takes its place in the pace of all processes; else it keeps a pace of its own.
 * @throws InputError when address or token are missing
 */
export async function openService(config: Config, log: Logger) {
  const { rate } = config.delivery;
  const service = await openClient(config, 1);
  const trouble = createTrouble(log);
  const onError = (error: Error): void => trouble('trouble with Redis', error);
  const stores = await openPaceStores(config.redisUrl, tempo, onError);
  const nothingKnown = () => Promise.resolve({ callsAgo: [], share: 1 });
  const key = `${config.redisPrefix}:pace:${service.address}`;
  const pacer = createPacer({
    rate,
    store: stores.open(key, rate, nothingKnown),
    storeOf: (run) => stores.open(`${key}:run:${run.id}`, run.rate, nothingKnown),
    onShare: () => {},
  });
  return {
    service,
    pacer,
    trouble,
    random: Math.random,
    policy: config.delivery,
    async close() {
      await service.close();
      await stores.close();
    },
  };
}
