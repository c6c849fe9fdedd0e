import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { Rate } from '../../../src/core/pace/pacing.ts';
import { createLocalStore, type PaceBeginning, type PaceStore } from '../../../src/queue/pace-store.ts';
import { createPacer, type Pacer } from '../../../src/queue/pacer.ts';
import { address } from './service.ts';
import type { Surroundings } from './surroundings.ts';

/** What of a world its pace is made of. */
type Paced = Pick<Surroundings, 'clock' | 'chance' | 'config' | 'tempo' | 'isAlone' | 'paces' | 'ledger'>;

/** The pace of the service, as one process has it: its own, or the one that all share. */
export function openPacer(world: Paced, ledger: Ledger): Pacer {
  const { clock, chance, config, tempo, isAlone, paces } = world;
  const { rate } = config.delivery;
  const throttles = {
    keep: (throttle: Parameters<Ledger['keepThrottle']>[1]) => ledger.keepThrottle(address, throttle),
    read: () => ledger.throttleOf(address),
  };
  // What is kept for all is begun once; with Redis, whoever finds nothing there begins it anew.
  const known = isAlone ? ledger : world.ledger;
  const beginning = async (): Promise<PaceBeginning> => ({
    callsAgo: await known.recentCalls(address, rate),
    share: await known.rememberedShare(address),
    throttle: await known.throttleOf(address),
  });
  const storeOf = (
    key: string,
    given: Rate,
    begin: () => Promise<PaceBeginning>,
    memory?: typeof throttles,
  ): PaceStore => {
    const open = (): PaceStore =>
      createLocalStore(given, begin, tempo, {
        clock: () => clock.now,
        ...(memory && isAlone && { throttles: memory }),
      });
    if (isAlone) return open();
    const shared = paces.get(key) ?? open();
    paces.set(key, shared);
    return overNetwork(shared, () => clock.pause(chance.next() * 2));
  };
  return createPacer({
    rate,
    store: storeOf('service', rate, beginning, throttles),
    storeOf: (run) =>
      storeOf(run.id, run.rate, async () => ({
        callsAgo: await known.recentCalls(address, run.rate, run.id),
        share: 1,
      })),
    onShare: (share) => void ledger.rememberShare(address, share),
    trouble: () => {},
  });
}

/** A pace that all processes share: each question takes a while. */
function overNetwork(store: PaceStore, pause: () => Promise<void>): PaceStore {
  const slowly =
    <Given extends unknown[], Result>(ask: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      await pause();
      return ask(...given);
    };
  return {
    now: store.now,
    reserve: slowly(store.reserve),
    hold: slowly(store.hold),
    open: slowly(store.open),
    look: slowly(store.look),
    change: async (apply) => {
      await pause();
      return store.change(apply);
    },
    get pace() {
      return store.pace;
    },
    get gate() {
      return store.gate;
    },
    get why() {
      return store.why;
    },
    get condition() {
      return store.condition;
    },
  };
}
