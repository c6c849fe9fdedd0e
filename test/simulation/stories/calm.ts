import { type Change, departments } from '../company.ts';
import type { Deed, Step, Story } from '../story.ts';
import type { Chance } from '../world/chance.ts';

/** What most nights of a story are about. */
const themes = ['people', 'people', 'cells', 'domains', 'strangers', 'removals', 'words'] as const;
type Theme = (typeof themes)[number];

/** What happens to people before a night. */
type Kind = Exclude<Change['change'], 'address' | 'share'>;

const kindsOf: Record<Theme, readonly (Kind | 'mix')[]> = {
  people: ['rename', 'move', 'leave', 'hire', 'second row', 'return', 'mix'],
  cells: ['lose', 'lose', 'find', 'leave', 'return'],
  domains: ['hire', 'hire', 'leave', 'return'],
  strangers: ['leave', 'leave', 'hire', 'return'],
  removals: ['move', 'move', 'move', 'move', 'second row', 'return'],
  words: ['status', 'rename', 'hire'],
};

/** Nights on which many change at once, about as many as a guard lets pass. */
export function calmStory(seed: number, chance: Chance): Story {
  const theme = chance.pick(themes);
  const people = theme === 'removals' ? chance.between(3, 6) : chance.between(5, 14);
  const story: Story = {
    ...{ seed, processes: 1, people, forceSync: theme === 'removals', canary: false, isCalm: true, steps: [] },
    ...((theme === 'words' || chance.happens(0.3)) && { tellsStatus: true, maxInvitations: chance.between(2, 14) }),
  };
  const tell = (deed: Deed, after: Step['after'] = 0): void => void story.steps.push({ ...deed, after });
  let hired = people;
  const hire = (isContractor: boolean): Change => {
    hired += 1;
    const isElsewhere = theme === 'domains' && chance.happens(0.8);
    const department = chance.pick(departments);
    return { change: 'hire', id: hired, department, isContractor, ...(isElsewhere && { domain: 'other' }) };
  };
  // Only what contractors have is ever taken away.
  for (let at = theme === 'removals' ? 5 : 0; at > 0; at -= 1) tell({ do: 'hr', change: hire(true) });
  const asContractors = theme === 'removals' ? 0.8 : theme === 'strangers' && chance.happens(0.5) ? 0.5 : 0;
  for (let night = 0; night < 7; night += 1) {
    const kind = chance.pick(kindsOf[theme]);
    const among = chance.shuffled(Array.from({ length: hired + 1 }, (_, id) => id));
    const count = night === 0 ? 0 : chance.between(0, theme === 'strangers' || theme === 'removals' ? 9 : 6);
    for (const id of among.slice(0, count)) {
      const one = kind === 'mix' ? chance.pick(['rename', 'move', 'leave', 'return', 'second row'] as const) : kind;
      tell({ do: 'hr', change: one === 'hire' ? hire(false) : changeOf(one, id, chance) });
      // Somebody else comes for each who leaves.
      if (theme === 'strangers' && one === 'leave') tell({ do: 'hr', change: hire(false) });
    }
    if (story.tellsStatus === true && chance.happens(0.3))
      tell({ do: 'hr', change: changeOf('status', chance.between(0, hired), chance) });
    const says = night === 0 || chance.happens(0.3) ? { says: 'yes' as const } : {};
    const isBrought = says.says === undefined && chance.happens(theme === 'words' ? 0.5 : 0.15);
    const source = chance.happens(asContractors) ? 'contractors' : 'staff';
    const file = source === 'contractors' && theme === 'strangers' && chance.happens(0.4) ? 'other' : 'whole';
    tell({ do: 'night', source, by: 0, file, ...says, ...(isBrought && { isBrought }) }, 'quiet');
    tell({ do: 'approve', by: 0, which: 0 }, 'quiet');
  }
  return story;
}

function changeOf(change: Exclude<Kind, 'hire'>, id: number, chance: Chance): Change {
  switch (change) {
    case 'move':
    case 'second row':
      return { change, id, department: chance.pick(departments) };
    case 'lose':
      return { change, id, what: chance.pick(['department', 'department', 'email']) };
    case 'status':
      return { change, id, status: chance.pick(['Active', 'Active', 'Active', 'Terminated']) };
    default:
      return { change, id };
  }
}
