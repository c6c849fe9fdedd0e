import { type Change, departments } from './company.ts';
import { Chance } from './world/chance.ts';
import type { Mood } from './world/service.ts';

export type SourceName = 'staff' | 'contractors';

/** What happens in a story. */
export type Deed =
  | { do: 'hr'; change: Change }
  | {
      do: 'night';
      source: SourceName;
      by: number;
      /** Which file comes: today's, half of it, an earlier one again, or today's in another order. */
      file: 'whole' | 'half' | 'old' | 'shuffled';
      /** Somebody looks at the plan and says yes or no; else it is a schedule. */
      says?: 'yes' | 'no';
      all?: boolean;
    }
  | { do: 'event'; id: number; copies: number }
  | { do: 'approve'; by: number; which: number; part?: 'new' | 'changed'; hash?: 'right' | 'wrong' }
  | { do: 'pause' | 'cancel' | 'resume' | 'retry'; by: number; which: number }
  | { do: 'forget'; by: number; id: number }
  | { do: 'resolve'; by: number; id: number; as: 'renamed-there' | 'new-account' }
  | { do: 'kill' | 'stop' | 'start'; process: number }
  | { do: 'stall'; process: number; ms: number }
  | { do: 'service'; mood: Mood; forMs: number }
  | { do: 'queue'; how: 'lose' | 'double' }
  | { do: 'clock'; byMs: number }
  | { do: 'day' };

/** A deed, and when it happens: after the one before has begun, or once everything is quiet. */
export type Step = Deed & { after: number | 'quiet' };

/** Everything that a simulated story is made of. The same one always goes the same way. */
export interface Story {
  /** What is left to chance besides the steps: how long everything takes, and who comes first. */
  seed: number;
  /** One process with everything in it, or several. */
  processes: number;
  /** People of the beginning. */
  people: number;
  /** Contractors are sent with `forceSync`. */
  forceSync: boolean;
  /** Large runs are released with care. */
  canary: boolean;
  /** Nothing goes wrong, and every plan and hold can be foretold. */
  isCalm?: boolean;
  steps: Step[];
}

const moods = [
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

/** The story of a seed. */
export function storyOf(seed: number): Story {
  const chance = new Chance(seed * 2_654_435_761);
  return chance.happens(0.2) ? calmStory(seed, chance) : stormyStory(seed, chance);
}

/** Nights on which many change at once, about as many as a guard lets pass. */
function calmStory(seed: number, chance: Chance): Story {
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

function stormyStory(seed: number, chance: Chance): Story {
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

function deedOf(chance: Chance, { processes, people }: Story): Deed {
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

/** A step in words. */
export function sayStep(step: Step): string {
  const soon = step.after === 0 ? 'At the same time' : `${step.after} ms later`;
  return `${step.after === 'quiet' ? 'Once everything is quiet' : soon}, ${sayDeed(step)}.`;
}

const processName = (number: number): string => `process ${number + 1}`;
const runName = (which: number): string => (which === 0 ? 'the newest run' : `the run ${which} before the newest`);

function sayDeed(deed: Deed): string {
  switch (deed.do) {
    case 'hr':
      return sayChange(deed.change);
    case 'night': {
      const file = {
        whole: 'a new file',
        half: 'half a file',
        old: 'the file before',
        shuffled: 'a new file in another order',
      };
      const who = deed.says ? `, and somebody says ${deed.says} to the plan` : ' by schedule';
      return `${processName(deed.by)} reads ${file[deed.file]} of ${deed.source}${deed.all ? ', to send everybody' : ''}${who}`;
    }
    case 'event':
      return `the HR system sends an event about person ${deed.id}${deed.copies > 1 ? `, ${deed.copies} times` : ''}`;
    case 'approve': {
      const part = deed.part ? `the ${deed.part} people of ` : '';
      return `somebody approves ${part}${runName(deed.which)} at ${processName(deed.by)}${deed.hash ? `, with the ${deed.hash} hash` : ''}`;
    }
    case 'pause':
    case 'cancel':
    case 'resume':
    case 'retry':
      return `somebody asks ${processName(deed.by)} to ${deed.do} ${runName(deed.which)}`;
    case 'forget':
      return `person ${deed.id} is forgotten at ${processName(deed.by)}`;
    case 'resolve':
      return `somebody resolves the new address of person ${deed.id} as ${deed.as}`;
    case 'kill':
      return `${processName(deed.process)} is killed`;
    case 'stop':
      return `${processName(deed.process)} is stopped`;
    case 'start':
      return `${processName(deed.process)} is started`;
    case 'stall':
      return `${processName(deed.process)} stands still for ${deed.ms} ms`;
    case 'service':
      return `the service is ${deed.mood} for ${deed.forMs} ms`;
    case 'queue':
      return deed.how === 'lose' ? 'the queue loses everything' : 'the queue gives out again what is being worked on';
    case 'clock':
      return `the clock on the wall jumps by ${deed.byMs} ms`;
    case 'day':
      return 'everybody sleeps until the next day';
  }
}

function sayChange(change: Change): string {
  const who = `person ${change.id}`;
  switch (change.change) {
    case 'hire':
      return `${who} is hired for ${change.department}${change.inDays ? `, to begin in ${change.inDays} days` : ''}`;
    case 'leave':
      return `${who} leaves`;
    case 'return':
      return `${who} comes back`;
    case 'rename':
      return `${who} has a new last name`;
    case 'address':
      return `${who} has a new address`;
    case 'move':
      return `${who} moves to ${change.department}`;
    case 'second row':
      return `${who} has a second row, for ${change.department}`;
    case 'share':
      return `${who} shares the address of person ${change.with}`;
  }
}
