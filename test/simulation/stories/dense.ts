import { departments } from '../company.ts';
import { type Deed, type Step, type Story, verbs } from '../story.ts';
import type { Chance } from '../world/chance.ts';
import { deedOf, moods } from './stormy.ts';

/** What most of the trouble of a story is about. */
const themes = ['deaths', 'service', 'holds', 'overtaking', 'pace', 'people', 'canary'] as const;
type Theme = (typeof themes)[number];

/** Few people, several processes, and trouble of one kind while calls are in flight: once per act. */
export function denseStory(seed: number, chance: Chance): Story {
  const theme = chance.weighted<Theme>([
    ['deaths', 5],
    ['service', 4],
    ['holds', 4],
    ['overtaking', 4],
    ['pace', 3],
    ['people', 4],
    ['canary', 0.8],
  ]);
  const processes = chance.weighted([
    [1, theme === 'pace' ? 3 : 1],
    [2, 3],
    [3, 1],
  ]);
  const people = theme === 'canary' ? chance.between(52, 56) : chance.between(5, 11);
  const story: Story = {
    ...{ seed, processes, people, forceSync: chance.happens(0.4), canary: theme === 'canary' },
    endsSoon: chance.happens(0.6),
    steps: [],
  };
  const tell = (deed: Deed, after: Step['after']): void => void story.steps.push({ ...deed, after });
  const anybody = (): number => chance.between(0, processes - 1);
  tell({ do: 'night', source: 'staff', by: 0, file: 'whole', ...(chance.happens(0.8) && { says: 'yes' }) }, 0);
  if (chance.happens(0.3)) tell({ do: 'night', source: 'contractors', by: 0, file: 'whole', says: 'yes' }, 30);
  const acts = theme === 'canary' ? 1 : chance.between(1, 3);
  for (let act = 0; act < acts; act += 1) {
    if (act > 0) {
      for (const { after, ...deed } of wave(chance, story, theme)) tell(deed, after);
    }
    // First what is planned has to be released; the calls take a few seconds.
    let wait = act === 0 ? chance.between(100, 500) : chance.between(100, 900);
    const count = chance.between(2, 5);
    for (let at = 0; at < count; at += 1) {
      const deeds = trouble(chance, story, theme);
      for (const [place, deed] of deeds.entries()) tell(deed, place === 0 ? wait : chance.between(0, 3));
      wait = chance.between(0, 700);
    }
    if (theme === 'service' && chance.happens(0.6)) tell({ do: 'retry', by: anybody(), which: 0 }, 'quiet');
    // Whoever has died is missed.
    if (chance.happens(0.6)) tell({ do: 'start', process: anybody() }, chance.between(0, 3000));
  }
  return story;
}

/** Longer than a process may be silent, and shorter than its calls would take: others have them by then. */
const stallAtLook = (chance: Chance, process: number): Deed => ({
  ...{ do: 'stall', process, ms: chance.between(6500, 10_000) },
  at: { verb: 'begin', when: 'before' },
});

/** Much to send: everybody again, or what so many changes lead to. */
function wave(chance: Chance, { people, processes }: Story, theme: Theme): Step[] {
  const steps: Step[] = [];
  const after = chance.happens(theme === 'overtaking' ? 0.15 : 0.5) ? 'quiet' : chance.between(0, 1500);
  const everybody = chance.happens(theme === 'holds' ? 0.15 : 0.5);
  const ids = chance.shuffled(Array.from({ length: people }, (_, id) => id));
  const count = everybody ? chance.between(0, 2) : chance.between(1, Math.min(people, 8));
  const kind = chance.pick(['rename', 'move', 'second row', 'hire', 'leave', 'address'] as const);
  for (const [at, id] of ids.slice(0, count).entries()) {
    const one = chance.happens(0.6) ? 'rename' : kind;
    const department = chance.pick(departments);
    const change =
      one === 'hire'
        ? ({ change: one, id: people + at + 1, department } as const)
        : one === 'move' || one === 'second row'
          ? ({ change: one, id, department } as const)
          : ({ change: one, id } as const);
    steps.push({ do: 'hr', change, after: at === 0 ? after : 0 });
  }
  const by = chance.between(0, processes - 1);
  const night: Step = { do: 'night', source: 'staff', by, file: 'whole', after: steps.length === 0 ? after : 0 };
  if (everybody) night.all = true;
  if (chance.happens(theme === 'holds' ? 0.2 : 0.5)) night.says = 'yes';
  return [...steps, night];
}

/** One stroke of trouble; its deeds come at the same time. */
function trouble(chance: Chance, story: Story, theme: Theme): Deed[] {
  const { processes, people } = story;
  const process = chance.between(0, processes - 1);
  const by = chance.between(0, processes - 1);
  const other = (by + 1) % processes;
  const which = chance.happens(0.8) ? 0 : 1;
  const id = chance.between(0, people - 1);
  if (chance.happens(0.2)) return [deedOf(chance, story)];
  const steer = (name: 'pause' | 'cancel' | 'resume' | 'retry'): Deed => ({ do: name, by, which });
  const night: Deed = { do: 'night', source: 'staff', by, file: 'whole', says: 'yes' };
  switch (theme) {
    case 'deaths': {
      const at = { verb: chance.pick(verbs), when: chance.pick(['before', 'during', 'after'] as const) };
      return chance.weighted<Deed[]>([
        [[{ do: 'kill', process, at }], 5],
        [[{ do: 'kill', process }], 2],
        [[{ do: 'stall', process, ms: chance.between(2000, 12_000), at }], 2],
        [
          [
            { do: 'kill', process, at },
            { do: 'queue', how: 'double' },
          ],
          1,
        ],
        [[{ do: 'queue', how: 'double' }], 1],
        [[{ do: 'queue', how: 'lose' }], 1],
        [[{ do: 'start', process }], 3],
        [[{ do: 'stop', process }], 1.5],
        [[{ do: 'service', mood: 'slow', forMs: 12_000 }, stallAtLook(chance, process)], 2],
        [
          [
            { do: 'service', mood: 'slow', forMs: 3000 },
            { do: 'kill', process, at },
          ],
          3,
        ],
      ]);
    }
    case 'service': {
      const mood = chance.pick(moods);
      return chance.weighted<Deed[]>([
        [[{ do: 'service', mood, forMs: chance.between(500, 6000) }], 6],
        [[steer('resume')], 2],
        [[steer('retry')], 2],
        [
          [
            { do: 'service', mood: 'resetting', forMs: 2500 },
            { do: 'kill', process },
          ],
          1,
        ],
      ]);
    }
    case 'holds':
      return chance.weighted<Deed[]>([
        [[{ do: 'approve', by, which }], 2],
        [
          [
            { do: 'approve', by, which },
            { do: 'approve', by: other, which },
          ],
          2,
        ],
        [[{ do: 'approve', by, which, part: 'new' }], 2],
        [[{ do: 'approve', by, which, part: 'changed' }], 1.5],
        [[{ do: 'approve', by, which, hash: 'wrong' }], 1.5],
        [[{ do: 'approve', by, which }, { ...steer('cancel'), by: other } as Deed], 1],
        [
          [
            { do: 'approve', by, which },
            { ...night, by: other },
          ],
          1,
        ],
        [
          [
            { do: 'approve', by, which },
            { do: 'kill', process, at: { verb: 'approveHeld', when: 'after' } },
          ],
          1,
        ],
        [[steer('cancel')], 1],
        [[steer('pause')], 1],
      ]);
    case 'overtaking':
      return chance.weighted<Deed[]>([
        [[{ do: 'hr', change: { change: 'rename', id } }, night], 4],
        [[steer('pause'), { do: 'hr', change: { change: 'rename', id } }, night, steer('resume')], 3],
        [[steer('pause')], 2],
        [[{ do: 'resume', by, which: 1 }], 2],
        [[steer('resume'), { ...steer('resume'), by: other } as Deed], 1],
        [[{ ...night, file: 'old' }], 1],
        [[{ ...night, file: 'half' }], 0.7],
        [[steer('cancel')], 1],
      ]);
    case 'pace':
      return chance.weighted<Deed[]>([
        [[{ do: 'stall', process, ms: chance.between(200, 1200) }], 4],
        [[{ do: 'service', mood: 'throttling', forMs: chance.between(1500, 5000) }], 3],
        [
          [
            { do: 'kill', process },
            { do: 'start', process },
          ],
          2,
        ],
        [
          [
            { do: 'stop', process },
            { do: 'start', process },
          ],
          1,
        ],
        [[{ do: 'night', source: 'contractors', by, file: 'whole', says: 'yes', all: true }], 1],
      ]);
    case 'people':
      return chance.weighted<Deed[]>([
        [[{ do: 'forget', by, id }], 4],
        [[{ do: 'event', id, copies: chance.between(1, 2) }], 3],
        [[{ do: 'hr', change: { change: 'rename', id } }, { do: 'event', id, copies: 1 }, night], 2],
        [[{ do: 'hr', change: { change: 'address', id } }, night], 2],
        [[{ do: 'resolve', by, id, as: chance.pick(['renamed-there', 'new-account']) }, night], 1],
        [[{ do: 'hr', change: { change: 'second row', id, department: chance.pick(departments) } }, night], 1.5],
        [[{ do: 'hr', change: { change: 'share', id, with: (id + 1) % people } }, night], 1],
        [
          [
            { do: 'event', id, copies: 1 },
            { do: 'kill', process, at: { verb: 'eventsHandled', when: 'before' } },
          ],
          1,
        ],
        [[{ do: 'hr', change: { change: 'hire', id: people + 3, department: 'Labs', inDays: 2 } }, night], 1],
      ]);
    case 'canary':
      return chance.weighted<Deed[]>([
        [[{ do: 'service', mood: chance.pick(['partial', 'picky', 'odd']), forMs: 4000 }], 5],
        [[steer('resume')], 1],
        [[{ do: 'kill', process }], 1],
      ]);
  }
}
