import type { Story } from '../story.ts';
import { Chance } from '../world/chance.ts';
import { aimed } from './aimed.ts';
import { calmStory } from './calm.ts';
import { denseStory } from './dense.ts';
import { stormyStory } from './stormy.ts';

/** The story of a seed. */
export function storyOf(seed: number): Story {
  const chance = new Chance(seed * 2_654_435_761);
  const make = chance.weighted([
    [chance.pick(aimed), 6],
    [calmStory, 2],
    [stormyStory, 3],
    [denseStory, 6],
  ]);
  return make(seed, chance);
}
