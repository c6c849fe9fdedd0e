// Says what was noticed of a roster, or why it cannot be read, in the sentences of `src/data/sentences`.
import { dataOf } from '../../data/data.ts';
import type { Sentences } from '../../data/schemas/lists.ts';
import { type Beside, InputError, type RosterSyncError } from '../errors.ts';
import type { NextStep } from '../next-step.ts';
import { figure } from '../text/format.ts';

export const sentences = dataOf<Sentences, Sentences>('sentences', {
  by: (files) => Object.assign({}, ...Object.values(files)) as Sentences,
  code: [import.meta.filename],
});

/** The sentence of a name about so many, with what its braces stand for. */
export function say(
  name: string,
  count: number,
  said: Readonly<Record<string, string | number | undefined>> = {},
): string {
  return (sentences()[name] ?? name)
    .replaceAll(/\[([^[|\]]*)\|([^[\]]*)\]/g, (_, one: string, many: string) => (count === 1 ? one : many))
    .replaceAll(/#(?= )|\{(\w+)\}/g, (_, key?: string) => (key === undefined ? figure(count) : String(said[key])));
}

/** A text as a sentence: with a capital, and a full stop where it has no sign at its end. */
export function sentence(text: string): string {
  return `${text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())}${/[.?!]$/.test(text) ? '' : '.'}`;
}

/** What was said, and what to do next, each step by the name that a face has for it: `There is no run a1. The page “Runs” lists them.` */
export function withNext(
  said: string,
  steps: readonly NextStep[] = [],
  nameOf: (step: NextStep) => string | undefined,
): string {
  const ways = steps.flatMap((step) => {
    const name = nameOf(step);
    return name === undefined ? [] : [`${name} ${say(`next-${'act' in step ? step.act : step.setting}`, 1)}`];
  });
  if (ways.length === 0) return said;
  const [first = '', ...lines] = said.split('\n');
  return [`${first}${/[.?!]$/.test(first) ? '' : '.'} ${sentence(ways.join(', '))}`, ...lines].join('\n');
}

/** What an error says where no people belong, in logs, mails and what is kept of a run, with the settings that help. */
export function briefly(error: RosterSyncError): string {
  const said = error instanceof InputError ? error.withoutWords : error.message;
  return withNext(said, error.next, (step) =>
    'setting' in step ? `\`${step.setting}${step.value === undefined ? '' : `: ${step.value}`}\`` : undefined,
  );
}

/** The refusal of a name. */
export function refusal(name: string, said: Parameters<typeof say>[2], beside?: Beside): InputError {
  return new InputError(say(name, 1, said), beside);
}
