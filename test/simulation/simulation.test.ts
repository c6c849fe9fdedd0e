import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { plantedFaults } from './planted/faults.ts';
import { tell } from './shrink.ts';
import { openSimulation, type Simulation } from './simulation.ts';
import { storyOf } from './stories/story-of.ts';
import type { Story } from './story.ts';

let simulation: Simulation;
before(async () => {
  simulation = await openSimulation();
});
after(() => simulation.close());

async function tellsNoFault(story: Story): Promise<void> {
  const ending = await simulation.play(story);
  assert.deepEqual(ending.violations, [], tell(story, ending));
}

describe('simulated stories', () => {
  it('keep every rule, and go the same way again for the same seed', async () => {
    const story = storyOf(3);
    const first = await simulation.play(story);
    assert.deepEqual(first.violations, [], tell(story, first));
    await tellsNoFault(storyOf(2));
    assert.deepEqual((await simulation.play(story)).trace, first.trace);
  });

  it('go the same way however many were played before', async () => {
    const steps: Story['steps'] = [{ do: 'night', source: 'staff', by: 0, file: 'whole', says: 'yes', after: 0 }];
    const story: Story = { seed: 1, processes: 1, people: 3, forceSync: false, canary: false, endsSoon: true, steps };
    const hashes = new Set<string>();
    // What is kept for later stories, such as random bytes drawn ahead, is used up after some of them.
    for (let times = 0; times < 25; times += 1) hashes.add((await simulation.play(story)).hash);
    assert.equal(hashes.size, 1);
  });
});

it('every fault to be planted still fits the product', () => {
  const misfits = plantedFaults.filter(({ file, find }) => {
    return readFileSync(join(import.meta.dirname, '../..', file), 'utf8').split(find).length !== 2;
  });
  assert.deepEqual(misfits, []);
});

describe('stories that once failed', () => {
  const corpus = JSON.parse(readFileSync(join(import.meta.dirname, 'corpus.json'), 'utf8')) as {
    fault: string;
    story: Story;
  }[];
  for (const { fault, story } of corpus) it(fault, () => tellsNoFault(story));
});
