// Formats figures and names in the sentences of guards.
import { shownText } from '../text/quote.ts';

/** The most items that a message lists. */
const mostListed = 5;

/** `9,600` */
export function figure(count: number): string {
  return count.toLocaleString('en');
}

/** `1 row`, `9,600 rows` */
export function countOf(count: number, one: string, several = `${one}s`): string {
  return `${figure(count)} ${count === 1 ? one : several}`;
}

/** `22 %`; never 0 % unless it is nothing, never 100 % unless it is all. */
export function percentOf(part: number, whole: number): string {
  const percent = (part / Math.max(1, whole)) * 100;
  if (percent > 0 && percent < 1) return 'less than 1 %';
  if (percent > 99 && percent < 100) return 'more than 99 %';
  return `${Math.round(percent)} %`;
}

/** A name of a roster, safe to print and cut. */
export function nameOf(name: string): string {
  return shownText(name);
}

/** `A, B and 3 more` */
export function someOf(items: readonly string[]): string {
  const left = items.length - mostListed;
  if (left > 0) return `${items.slice(0, mostListed).join(', ')} and ${figure(left)} more`;
  return items.length > 1 ? `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}` : (items[0] ?? '');
}
