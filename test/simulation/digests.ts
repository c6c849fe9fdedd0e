import { openSimulation } from './simulation.ts';
import { storyOf } from './stories/story-of.ts';

// Plays these seeds, and prints what stands for their traces, to compare with another machine: `node test/simulation/digests.ts SEED…`.
const simulation = await openSimulation();
for (const seed of process.argv.slice(2)) {
  const { hash } = await simulation.play(storyOf(Number(seed)));
  process.stdout.write(`${hash}\n`);
}
await simulation.close();
