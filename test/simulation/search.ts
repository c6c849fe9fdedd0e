import type { Ending } from './play.ts';
import { shrink, tell } from './shrink.ts';
import type { Simulation } from './simulation.ts';
import { storyOf } from './stories/story-of.ts';

/** What a search has seen. */
export interface Found {
  seeds: number;
  nights: number;
  calls: number;
  ms: number;
  moves: Set<string>;
  tripped: Set<string>;
  passed: Set<string>;
  /** The first seed that failed, and its shortest story in words. */
  failure?: { seed: number; said: string };
}

/** The processor time of this process, ms: on a busy machine a search goes as far as on an idle one. */
function spent(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Plays the stories of one seed after the other until one fails or the processor time is over; the one that fails is made shorter.
 * @param shrinkMs how long that may take
 */
export async function search(
  { play }: Pick<Simulation, 'play'>,
  {
    from,
    forMs,
    shrinkMs,
    onSeed = () => {},
  }: { from: number; forMs: number; shrinkMs: number; onSeed?(seed: number, ending: Ending): void },
): Promise<Found> {
  const began = spent();
  const found: Found = {
    seeds: 0,
    nights: 0,
    calls: 0,
    ms: 0,
    moves: new Set(),
    tripped: new Set(),
    passed: new Set(),
  };
  for (let seed = from; spent() - began < forMs; seed += 1) {
    const story = storyOf(seed);
    const ending = await play(story);
    onSeed(seed, ending);
    found.seeds += 1;
    found.nights += ending.nights;
    found.calls += ending.calls;
    ending.moves.forEach((move) => found.moves.add(move));
    ending.tripped.forEach((guard) => found.tripped.add(guard));
    ending.passed.forEach((guard) => found.passed.add(guard));
    found.ms = spent() - began;
    if (ending.violations.length === 0) continue;
    const until = spent() + shrinkMs;
    const short = shrinkMs > 0 ? await shrink(story, ending, { play, isOver: () => spent() > until }) : story;
    found.failure = { seed, said: tell(short, short === story ? ending : await play(short)) };
    return found;
  }
  return found;
}
