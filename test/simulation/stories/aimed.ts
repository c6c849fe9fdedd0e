import { departments } from '../company.ts';
import type { Deed, Step, Story } from '../story.ts';
import type { Chance } from '../world/chance.ts';
import { deedOf } from './stormy.ts';

/** A story about one situation that chance alone rarely makes. */
type Make = (seed: number, chance: Chance) => Story;

/** What a story is made with: the next deed, `after` so many ms or once everything is quiet. */
interface Telling {
  chance: Chance;
  story: Story;
  tell(deed: Deed, after?: Step['after']): void;
  anybody(): number;
}

/** A story that begins with a night of the staff, unless its telling does, and has a little of anything else in it now and then. */
function about(given: (chance: Chance) => Partial<Story>, tellOn: (telling: Telling) => void): Make {
  return (seed, chance) => {
    const story: Story = {
      ...{ seed, processes: chance.between(1, 2), people: chance.between(6, 10), forceSync: chance.happens(0.3) },
      ...{ canary: false, endsSoon: true, ...given(chance), steps: [] },
    };
    const tell: Telling['tell'] = (deed, after = 'quiet') => void story.steps.push({ ...deed, after });
    const anybody = (): number => chance.between(0, story.processes - 1);
    tellOn({ chance, story, tell, anybody });
    if (chance.happens(0.25)) tell(deedOf(chance, story), chance.between(0, 2000));
    // The storm is over with the last deed: this one waits.
    tell({ do: 'start', process: 0 });
    return story;
  };
}

const first: Deed = { do: 'night', source: 'staff', by: 0, file: 'whole', says: 'yes' };

/** As many newcomers as changes: both are held, and one part is approved. */
const partOfHold = about(
  (chance) => ({ people: chance.between(5, 6) }),
  ({ chance, story: { people }, tell, anybody }) => {
    tell(first, 0);
    for (let id = 0; id < people; id += 1) tell({ do: 'hr', change: { change: 'rename', id } }, id === 0 ? 'quiet' : 0);
    for (let id = 0; id < 5; id += 1)
      tell({ do: 'hr', change: { change: 'hire', id: people + id, department: chance.pick(departments) } }, 0);
    tell({ do: 'night', source: 'staff', by: anybody(), file: 'whole' });
    const parts = chance.shuffled(['new', 'changed'] as const);
    for (const part of parts.slice(0, chance.between(1, 2)))
      tell({ do: 'approve', by: anybody(), which: 0, part }, chance.happens(0.7) ? 'quiet' : 20);
  },
);

/** The service is away for longer than it takes to notice, and comes back. */
const outage = about(
  (chance) => ({ people: chance.between(9, 12) }),
  ({ chance, story, tell, anybody }) => {
    tell(first, 0);
    const mood = chance.pick(['away', 'away', 'away', 'broken'] as const);
    tell({ do: 'service', mood, forMs: 7000 }, chance.between(1200, 1900));
    if (chance.happens(0.4)) tell({ do: 'night', source: 'staff', by: anybody(), file: 'whole', all: true });
    if (chance.happens(0.2)) tell({ do: 'service', mood: 'away', forMs: 6000 }, chance.between(300, 1500));
    if (story.processes > 1 && chance.happens(0.2)) tell({ do: 'kill', process: 1 }, chance.between(0, 9000));
  },
);

/** Large runs are released with care, and what the first people get looks odd, or their process dies. */
const canary = about(
  (chance) => ({ people: chance.between(51, 54), canary: true, forceSync: false }),
  ({ chance, tell, anybody }) => {
    const isHeld = chance.happens(0.2);
    const { says: _, ...unseen } = first;
    tell(isHeld ? unseen : first, 0);
    if (isHeld) tell({ do: 'approve', by: 0, which: 0 });
    if (chance.happens(0.75)) {
      const mood = chance.pick(['partial', 'partial', 'picky'] as const);
      // Reading and planning so many takes a second or two; then the first few are called.
      tell({ do: 'service', mood, forMs: chance.between(6000, 9000) }, chance.between(0, 600));
    } else {
      const process = anybody();
      tell({ do: 'kill', process, at: { verb: 'begin', when: 'before' } }, chance.between(4000, 9000));
      tell({ do: 'start', process }, chance.between(0, 2000));
    }
    if (chance.happens(0.4)) tell({ do: 'resume', by: anybody(), which: 0 });
  },
);

/** A file of an earlier day comes after a newer one. */
const olderFile = about(
  () => ({}),
  ({ chance, story: { people }, tell, anybody }) => {
    tell(first, 0);
    for (let day = 0; day < 2; day += 1) {
      const id = chance.between(0, people - 1);
      tell({ do: 'hr', change: { change: 'rename', id } });
      tell({ do: 'night', source: 'staff', by: anybody(), file: 'whole' }, 0);
    }
    tell({ do: 'night', source: 'staff', by: anybody(), file: 'old', ...(chance.happens(0.3) && { says: 'yes' }) });
    if (chance.happens(0.4)) tell({ do: 'approve', by: anybody(), which: 0 });
  },
);

/** The HR system says that something has changed, and a night of the same source begins at that moment. */
export const knock = about(
  () => ({ processes: 2 }),
  ({ chance, story: { people }, tell }) => {
    tell(first, 0);
    for (const process of [0, 1]) {
      const at = { verb: 'takeEvents', when: 'after' } as const;
      tell({ do: 'stall', process, ms: chance.between(2500, 4500), at }, process === 0 ? 'quiet' : 0);
    }
    tell({ do: 'hr', change: { change: 'rename', id: chance.between(0, people - 1) } }, 0);
    tell({ do: 'event', id: 0, copies: 1, carries: 'nobody' }, 0);
    // Whoever handles events stands still; the other one reads the file.
    const readers = chance.happens(0.5) ? [0, 1] : [chance.between(0, 1)];
    for (const [at, by] of readers.entries()) {
      const after = at === 0 ? chance.between(1900, 2900) : 0;
      tell({ do: 'night', source: 'staff', by, file: 'whole', all: true }, after);
    }
    if (chance.happens(0.3)) tell({ do: 'event', id: 1, copies: 2, carries: 'nobody' }, chance.between(0, 3000));
  },
);

/** A run is stopped half way, and something changes before it goes on: a newer roster is sent, or somebody is erased. */
const stopped = about(
  (chance) => ({ people: chance.between(8, 12) }),
  ({ chance, story: { people }, tell, anybody }) => {
    tell(first, 0);
    tell({ do: 'pause', by: anybody(), which: 0 }, chance.between(700, 1600));
    if (chance.happens(0.5)) {
      for (const id of [0, people - 1])
        tell({ do: 'hr', change: { change: 'move', id, department: 'Labs' } }, id === 0 ? 'quiet' : 0);
      tell({ ...first, by: anybody() }, 0);
    } else {
      const [id = 0, other = 1] = chance.shuffled(Array.from({ length: people }, (_, at) => at));
      tell({ do: 'forget', by: anybody(), id });
      tell({ do: 'forget', by: anybody(), id: other }, chance.between(0, 500));
    }
    for (const which of [0, 1]) tell({ do: 'resume', by: anybody(), which }, which === 0 ? 'quiet' : 0);
  },
);

/** The queue loses what it holds while much of a run is due. */
const emptyQueue = about(
  (chance) => ({ processes: chance.between(2, 3), people: chance.between(24, 30) }),
  ({ chance, tell }) => {
    tell(first, 0);
    for (let times = chance.between(1, 2); times > 0; times -= 1)
      tell({ do: 'queue', how: 'lose' }, chance.between(600, 1500));
  },
);

/** Calls take longer than it takes to notice that their process has died. */
const longCalls = about(
  (chance) => ({ processes: 2, people: chance.between(8, 11), timeout: chance.between(15, 20) }),
  ({ chance, tell }) => {
    tell(first, 0);
    tell({ do: 'service', mood: 'slow', forMs: 25_000 }, chance.between(0, 200));
    const process = chance.between(0, 1);
    const at = { verb: 'insertGroups', when: 'during' } as const;
    tell({ do: 'kill', process, ...(chance.happens(0.5) && { at }) }, chance.between(2800, 5500));
    if (chance.happens(0.3)) tell({ do: 'start', process }, chance.between(0, 4000));
  },
);

/** A process dies with claims in its hands that are not calls yet. */
const handsFull = about(
  (chance) => ({ processes: chance.between(2, 3), people: chance.between(8, 12) }),
  ({ chance, story: { processes }, tell, anybody }) => {
    tell(first, 0);
    tell({ do: 'kill', process: chance.between(0, processes - 1) }, chance.between(1000, 3000));
    if (chance.happens(0.4)) tell({ do: 'stop', process: anybody() }, chance.between(0, 1500));
    if (chance.happens(0.5)) tell({ do: 'start', process: anybody() }, chance.between(0, 9000));
  },
);

/** Somebody records a roster as given elsewhere; later ones bring only what is new. */
const givenElsewhere = about(
  () => ({ endsSoon: false }),
  ({ chance, story: { people }, tell, anybody }) => {
    if (chance.happens(0.5)) tell(first, 0);
    tell({ do: 'hr', change: { change: 'rename', id: chance.between(0, people - 1) } });
    tell({ ...first, by: anybody(), baseline: true }, chance.happens(0.7) ? 'quiet' : chance.between(0, 900));
    tell({ do: 'hr', change: { change: 'move', id: chance.between(0, people - 1), department: 'Labs' } });
    tell({ do: 'night', source: 'staff', by: anybody(), file: 'whole' }, 0);
  },
);

/** Some calls fail for good, and somebody tries the failures again. */
const failures = about(
  () => ({}),
  ({ chance, tell, anybody }) => {
    tell(first, 0);
    const mood = chance.pick(['picky', 'partial', 'broken'] as const);
    tell({ do: 'service', mood, forMs: chance.between(3000, 6000) }, chance.between(300, 900));
    tell({ do: 'retry', by: anybody(), which: 0 });
    if (chance.happens(0.4)) tell({ do: 'retry', by: anybody(), which: 0 }, chance.between(0, 2000));
  },
);

/** A file has nobody in it for a night, and everybody again on the next one (R10). */
const emptied = about(
  (chance) => ({ people: chance.between(4, 6) }),
  ({ chance, story: { people }, tell, anybody }) => {
    tell(first, 0);
    const everybody = (change: 'leave' | 'return'): void => {
      for (let id = 0; id < people; id += 1) tell({ do: 'hr', change: { change, id } }, id === 0 ? 'quiet' : 0);
    };
    everybody('leave');
    tell(
      { do: 'night', source: 'staff', by: anybody(), file: 'whole', ...(chance.happens(0.3) && { says: 'yes' }) },
      0,
    );
    everybody('return');
    tell({ do: 'night', source: 'staff', by: anybody(), file: 'whole' }, 0);
  },
);

/** Every kind of story that is about one situation; twice what seldom comes to it. */
export const aimed: readonly Make[] = [
  partOfHold,
  outage,
  canary,
  olderFile,
  knock,
  longCalls,
  longCalls,
  handsFull,
  stopped,
  emptyQueue,
  givenElsewhere,
  failures,
  emptied,
];
