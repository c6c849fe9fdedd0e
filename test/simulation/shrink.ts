import type { Ending } from './play.ts';
import { sayStep } from './stories/words.ts';
import type { Step, Story } from './story.ts';

/** What kind of violation it is, without the names and times of this story. */
const kindOf = (violation = ''): string => violation.replace(/\d+|[\da-f]{8}|person\S*/g, '').slice(0, 40);

/**
 * The shortest story found that still ends with the same kind of violation: steps are left out, many at a time and then one by one,
 * and what is left is made simpler.
 * @param isOver whether there is no time left to go on
 */
export async function shrink(
  story: Story,
  ending: Ending,
  { play, isOver = () => false }: { play(story: Story): Promise<Ending>; isOver?: () => boolean },
): Promise<Story> {
  const kinds = new Set(ending.violations.map(kindOf));
  const fails = async (candidate: Story): Promise<boolean> =>
    (await play(candidate)).violations.some((violation) => kinds.has(kindOf(violation)));
  let best = story;
  for (
    let size = Math.ceil(best.steps.length / 2);
    size >= 1 && !isOver();
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = 0; at < best.steps.length && !isOver();) {
      const candidate = { ...best, steps: best.steps.toSpliced(at, size) };
      if (await fails(candidate)) best = candidate;
      else at += size;
    }
  }
  const simpler: ((given: Story) => Story)[] = [
    (given) => ({ ...given, processes: 1, steps: given.steps.map(alone) }),
    (given) => ({ ...given, processes: Math.min(2, given.processes) }),
    (given) => ({ ...given, forceSync: false }),
    (given) => ({ ...given, people: Math.ceil(given.people / 2) }),
    (given) => ({ ...given, people: 3 }),
    (given) => ({ ...given, steps: given.steps.map((step) => ({ ...step, after: 'quiet' as const })) }),
  ];
  for (const make of simpler) {
    if (isOver()) break;
    const candidate = make(best);
    if (JSON.stringify(candidate) !== JSON.stringify(best) && (await fails(candidate))) best = candidate;
  }
  return best;
}

function alone(step: Step): Step {
  if ('by' in step) return { ...step, by: 0 };
  return 'process' in step ? { ...step, process: 0 } : step;
}

/** A story in words, and as a test to paste into test/simulation/stories.test.ts. */
export function tell(story: Story, { violations, hash }: Pick<Ending, 'violations' | 'hash'>): string {
  const { seed, processes, people, forceSync } = story;
  return [
    `Seed ${seed}, trace ${hash}: a company of ${people} people, ${processes === 1 ? 'one process' : `${processes} processes`}${forceSync ? ', forceSync for contractors' : ''}.`,
    ...story.steps.map((step, at) => `  ${at + 1}. ${sayStep(step)}`),
    'Then:',
    ...violations.map((violation) => `  - ${violation}`),
    'As a test:',
    `  it('…', () => tellsNoFault(${JSON.stringify(story)}));`,
  ].join('\n');
}
