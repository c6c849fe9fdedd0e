import { type Change, departments } from '../company.ts';
import type { Deed, Story } from '../story.ts';
import type { Chance } from '../world/chance.ts';
import type { Mood } from '../world/service.ts';

/** What the service may be like; what happens often is there twice. */
export const moods = [
  'slow',
  'throttling',
  'throttling',
  'overloaded',
  'broken',
  'resetting',
  'resetting',
  'away',
  'refusing',
  'odd',
  'partial',
  'picky',
] as const satisfies Mood[];

/** Anything may happen at any time. */
export function stormyStory(seed: number, chance: Chance): Story {
  const processes = chance.weighted([
    [1, 3],
    [2, 4],
    [3, 2],
  ]);
  const people = chance.between(3, 14);
  const canary = chance.happens(0.1);
  const story: Story = {
    ...{ seed, processes, people: canary ? people + 50 : people, forceSync: chance.happens(0.4), canary },
    steps: [{ do: 'night', source: 'staff', by: 0, file: 'whole', says: 'yes', after: 0 }],
  };
  // A first night that nobody looks at is held.
  if (chance.happens(0.3)) story.steps = [{ do: 'night', source: 'staff', by: 0, file: 'whole', after: 0 }];
  if (chance.happens(0.5)) {
    story.steps.push({ do: 'night', source: 'contractors', by: 0, file: 'whole', says: 'yes', after: when(chance) });
  }
  const count = chance.between(5, 18);
  for (let at = 0; at < count; at += 1) {
    story.steps.push({ ...deedOf(chance, story), after: when(chance) });
  }
  return story;
}

function when(chance: Chance): number | 'quiet' {
  return chance.weighted<number | 'quiet'>([
    [0, 3],
    [chance.between(1, 60), 3],
    [chance.between(60, 1000), 4],
    [chance.between(1000, 5000), 1],
    ['quiet', 3],
  ]);
}

/** Any deed. */
export function deedOf(chance: Chance, { processes, people }: Story): Deed {
  const by = chance.between(0, processes - 1);
  const id = chance.between(0, people + 3);
  const department = chance.pick(departments);
  const change = (): Change =>
    chance.weighted<Change>([
      [{ change: 'hire', id, department, isContractor: chance.happens(0.3) }, 3],
      [{ change: 'hire', id: people + chance.between(4, 9), department, inDays: chance.between(2, 3) }, 1.5],
      [{ change: 'leave', id }, 2],
      [{ change: 'return', id }, 1],
      [{ change: 'rename', id }, 4],
      [{ change: 'move', id, department }, 4],
      [{ change: 'second row', id, department }, 1],
      [{ change: 'address', id }, 0.7],
      [{ change: 'share', id, with: chance.between(0, people - 1) }, 0.4],
    ]);
  const night = (): Deed => ({
    ...{ do: 'night', source: chance.happens(0.7) ? 'staff' : 'contractors', by },
    file: chance.weighted([
      ['whole', 7],
      ['half', 1],
      ['old', 1.5],
      ['shuffled', 1],
    ]),
    ...(chance.happens(0.5) && { says: chance.happens(0.9) ? ('yes' as const) : ('no' as const) }),
    ...(chance.happens(0.15) && { all: true }),
  });
  const approve = (): Deed => ({
    ...{
      do: 'approve',
      by,
      which: chance.weighted([
        [0, 5],
        [1, 1],
      ]),
    },
    ...(chance.happens(0.2) && { part: chance.pick(['new', 'changed'] as const) }),
    ...(chance.happens(0.6) && { hash: chance.happens(0.6) ? ('right' as const) : ('wrong' as const) }),
  });
  const make = chance.weighted<() => Deed>([
    [() => ({ do: 'hr', change: change() }), 7],
    [night, 6],
    [() => ({ do: 'event', id, copies: chance.between(1, 2) }), 2],
    [approve, 3],
    [
      () => ({
        do: chance.pick(['pause', 'cancel', 'resume', 'resume', 'retry'] as const),
        by,
        which: chance.weighted([
          [0, 6],
          [1, 1],
        ]),
      }),
      4,
    ],
    [() => ({ do: 'forget', by, id }), 1],
    [() => ({ do: 'resolve', by, id, as: chance.pick(['renamed-there', 'new-account'] as const) }), 0.6],
    [
      () => ({
        do: chance.weighted([
          ['kill', 3],
          ['stop', 1],
          ['start', 2],
        ] as const),
        process: by,
      }),
      4,
    ],
    [
      () => ({
        do: 'stall',
        process: by,
        ms: chance.weighted([
          [chance.between(30, 900), 3],
          [chance.between(900, 9000), 1],
        ]),
      }),
      2,
    ],
    [() => ({ do: 'service', mood: chance.pick(moods), forMs: chance.between(100, 6000) }), 5],
    [() => ({ do: 'queue', how: chance.pick(['lose', 'double'] as const) }), 1.5],
    [() => ({ do: 'clock', byMs: chance.pick([-1, 1]) * chance.pick([500, 30_000, 3_600_000]) }), 0.4],
    [() => ({ do: 'day' }), 2],
  ]);
  return make();
}
