// Recognises an answer, or a file of one, that says there are more people than it holds.
import { listOf } from '../words/words.ts';

/** Plain values of an answer that are not in a list, by JSON pointer. */
export type Beside = Map<string, unknown>;

/** What says that there is more: a way to the next page, a yes or no, or a number. */
export interface More {
  pointer: string;
  by: 'next' | 'more' | 'number';
}

const names = {
  next: listOf('more-next'),
  more: listOf('more-flags'),
  ends: listOf('more-ends'),
  total: listOf('more-totals'),
  pages: listOf('more-pages'),
  link: listOf('more-links'),
  envelope: listOf('more-envelopes'),
};

const bare = (key: string): string => key.toLowerCase().replaceAll(/[^a-z\d]/g, '');
const keysOf = (pointer: string): string[] => pointer.split('/').slice(1).map(bare);

/** Whether a place, a JSON pointer, is one at which servers put the next page. They leave it out of the last one. */
export function isNextPlace(pointer: string): boolean {
  return isNext(keysOf(pointer));
}

function isNext(keys: readonly string[]): boolean {
  const last = keys.at(-1) ?? '';
  return names.next().has(last) || (keys.at(-2) === 'next' && names.link().has(last));
}

/** Whether a value at this place may say that there is more. */
export function mayTell(pointer: string): boolean {
  const keys = keysOf(pointer);
  const { more, ends, total, pages } = names;
  return isNext(keys) || [more, ends, total, pages].some((list) => list().has(keys.at(-1) ?? ''));
}

/** Undefined if nothing does; a number only if nothing else does. `people`: where they are, and how many. */
export function saysMore(beside: Beside, people: { pointer: string; count: number }): More | undefined {
  let number: More | undefined;
  for (const [pointer, value] of beside) {
    const around = pointer.slice(0, pointer.lastIndexOf('/'));
    // Another number, such as of a payroll, says nothing about people.
    const isBeside = `${people.pointer}/`.startsWith(`${around}/`);
    const steps = keysOf(around);
    if (!isBeside && !names.envelope().has(steps.at(-1) ?? '')) continue;
    const by = howMore(keysOf(pointer), value, people.count);
    if (by === 'number') number ??= { pointer, by };
    else if (by) return { pointer, by };
  }
  return number;
}

function howMore(keys: readonly string[], value: unknown, count: number): More['by'] | undefined {
  const last = keys.at(-1) ?? '';
  const { more, ends, total, pages } = names;
  const isWay = isNext(keys);
  if (isWay && ((typeof value === 'string' && value.trim() !== '') || (typeof value === 'number' && value > 0)))
    return 'next';
  if ((value === true && (more().has(last) || isWay)) || (value === false && ends().has(last))) return 'more';
  const number = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value)) ? Number(value) : 0;
  if ((total().has(last) && number > count) || (pages().has(last) && number > 1)) return 'number';
  return undefined;
}

/** The plain values of an answer that may say so. */
export function besideIn(document: unknown, pointer = '', found: Beside = new Map()): Beside {
  if (Array.isArray(document)) return found;
  if (typeof document !== 'object' || document === null) {
    if (mayTell(pointer)) found.set(pointer, document);
    return found;
  }
  for (const [key, value] of Object.entries(document)) {
    besideIn(value, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, found);
  }
  return found;
}
