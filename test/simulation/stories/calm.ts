import { type Change, departments } from '../company.ts';
import type { Step, Story } from '../story.ts';
import type { Chance } from '../world/chance.ts';

/** Nights on which many change at once, about as many as a guard lets pass. */
export function calmStory(seed: number, chance: Chance): Story {
  const people = chance.between(5, 14);
  const steps: Step[] = [];
  let hired = people;
  for (let night = 0; night < 7; night += 1) {
    const kind = chance.pick(['rename', 'move', 'leave', 'hire', 'second row', 'return', 'mix'] as const);
    const department = chance.pick(departments);
    const among = chance.shuffled(Array.from({ length: people }, (_, id) => id));
    const count = night === 0 ? 0 : chance.between(0, 6);
    for (const id of among.slice(0, count)) {
      const one = kind === 'mix' ? chance.pick(['rename', 'move', 'leave', 'return', 'second row'] as const) : kind;
      if (one === 'hire') hired += 1;
      const change: Change =
        one === 'hire'
          ? { change: one, id: hired, department }
          : one === 'move' || one === 'second row'
            ? { change: one, id, department }
            : { change: one, id };
      steps.push({ do: 'hr', change, after: 0 });
    }
    const says = night === 0 || chance.happens(0.3) ? { says: 'yes' as const } : {};
    steps.push({ do: 'night', source: 'staff', by: 0, file: 'whole', ...says, after: 'quiet' });
    steps.push({ do: 'approve', by: 0, which: 0, after: 'quiet' });
  }
  return { seed, processes: 1, people, forceSync: false, canary: false, isCalm: true, steps };
}
