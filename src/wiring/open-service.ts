// Opens what is needed to ask the service without a ledger.
import type { AnalysisContext } from '../../jobs/story/story-question-analysis.ts';
import type { Config } from '../../config/load.ts';
import { tempo } from '../core/pace/waiting-times.ts';
import type { Logger } from '../process/logger.ts';
import { openClient } from './open-client.ts';
import { openPaceStores } from '../queue/pace-stores.ts';
import { createPacer } from '../queue/pacer.ts';
import { createTrouble } from '../process/trouble.ts';

/**
 * Opens what is needed to ask the service, and no ledger: nothing is kept, and no data directory is made. With a Redis
 * the call takes its place in the pace of all processes; else it keeps a pace of its own.
 * @throws InputError when address or token are missing
 */
export async function openService(config: Config, log: Logger): Promise<AnalysisContext & { close(): Promise<void> }> {
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
