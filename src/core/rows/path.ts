// Parses and follows paths into nested records, such as `emails[type=work].value`.
import { parseJson } from '../attempt.ts';
import { InputError, refusal } from '../errors.ts';
import { quote } from '../text/format.ts';

type Step = { key: string } | { index: number } | { key: string; equals: string };

export interface Path {
  text: string;
  steps: readonly Step[];
}

const plainKey = /^[^.[\]"=\s]+$/u;
const token = /(?<dot>\.)|\[(?<inner>(?:"(?:[^"\\]|\\.)*"|[^\]"])*)\]|(?<quoted>"(?:[^"\\]|\\.)*")|(?<key>[^.["\]]+)/uy;

/**
 * Reads a path: keys separated by dots, `[2]` for the third element of an array, `[type=work]` for the elements whose
 * `type` is `work` (in any case), and quotes around a key that has dots or brackets in it:
 * `"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User".department`. Without a filter or number, an array
 * gives all its elements. Throws an `InputError`.
 */
export function parsePath(text: string): Path {
  const steps: Step[] = [];
  let wantsKey = true;
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const { dot, inner, quoted, key } = token.exec(text)?.groups ?? fail(text, at);
    if (dot !== undefined) {
      if (wantsKey) fail(text, at);
      wantsKey = true;
    } else if (inner !== undefined) {
      if (wantsKey && steps.length > 0) fail(text, at);
      steps.push(bracketed(inner, text, at));
      wantsKey = false;
    } else {
      if (!wantsKey) fail(text, at);
      steps.push({ key: quoted === undefined ? (key ?? '') : unquote(quoted, text) });
      wantsKey = false;
    }
  }
  if (wantsKey) fail(text, text.length);
  return { text, steps };
}

/** A path, or a JSON pointer (RFC 6901), which is empty or begins with `/`. Throws an `InputError`. */
export function parsePlace(text: string): Path {
  if (text !== '' && !text.startsWith('/')) return parsePath(text);
  const keys = text
    .split('/')
    .slice(1)
    .map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { text, steps: keys.map((key) => (/^(?:0|[1-9]\d{0,8})$/.test(key) ? { index: Number(key) } : { key })) };
}

/** A place as a JSON pointer. Throws an `InputError` for one that chooses by a value. */
export function pointerTo(place: string): string {
  const keys = parsePlace(place).steps.map((step) => {
    if ('equals' in step)
      throw new InputError(`${quote(place)} chooses by a value: write it like data.people or /data/people`);
    return 'index' in step ? String(step.index) : step.key.replaceAll('~', '~0').replaceAll('/', '~1');
  });
  return keys.map((key) => `/${key}`).join('');
}

function bracketed(inner: string, text: string, at: number): Step {
  if (/^\d{1,9}$/.test(inner)) return { index: Number(inner) };
  const [, quoted] = leadingQuote.exec(inner) ?? [];
  const equals = quoted === undefined ? inner.indexOf('=') : inner.indexOf('=', inner.indexOf('"') + quoted.length);
  const [key, value] = [inner.slice(0, Math.max(equals, 0)).trim(), inner.slice(equals + 1).trim()];
  if (key === '' || !isPart(key) || !isPart(value)) return fail(text, at);
  return { key: unquote(key, text), equals: unquote(value, text) };
}

/** A text in quotes, as JSON has it. */
const leadingQuote = /^\s*("(?:[^"\\]|\\.)*")/u;
const whollyQuoted = /^"(?:[^"\\]|\\.)*"$/u;

/** Whether one side of `key=value` is all in quotes, or has none. */
function isPart(part: string): boolean {
  return whollyQuoted.test(part) || !part.includes('"');
}

function unquote(part: string, text: string): string {
  if (!part.startsWith('"')) return part;
  const value = parseJson(part);
  return typeof value === 'string' ? value : fail(text, text.indexOf(part));
}

function fail(text: string, at: number): never {
  throw refusal('noPath', { text: quote(text), place: at + 1 });
}

/** A key as a path writes it: in quotes where it holds what a path is made of. */
export function writeKey(key: string): string {
  return plainKey.test(key) ? key : JSON.stringify(key);
}

/** In their order: none if it leads nowhere. Only a value's own keys count, so that a record has no `constructor`. */
export function valuesAt(value: unknown, path: Path): unknown[] {
  return placesAt(value, path).flatMap((found) => (Array.isArray(found) ? (found as unknown[]) : [found]));
}

/** What is at a place in a document, a list as it is; undefined where there is nothing. Throws an `InputError`. */
export function valueAt(document: unknown, place: string): unknown {
  return placesAt(document, parsePlace(place))[0];
}

function placesAt(value: unknown, path: Path): unknown[] {
  return path.steps.reduce<unknown[]>(stepInto, [value]);
}

function stepInto(values: readonly unknown[], step: Step): unknown[] {
  const next: unknown[] = [];
  for (const value of values) take(value, step, next);
  return next;
}

/** Its keys may have other capitals; undefined where it leads to nothing there. A value that is null is something. */
export function spelledIn(record: Record<string, unknown>, { text, steps }: Path): Path | undefined {
  const spelled: Step[] = [];
  let values: unknown[] = [record];
  for (const step of steps) {
    const own = 'key' in step ? keyIn(values, step.key) : undefined;
    if ('key' in step && own === undefined) return undefined;
    const found = own === undefined ? step : { ...step, key: own };
    values = stepInto(values, found);
    if (values.length === 0) return undefined;
    spelled.push(found);
  }
  return { text, steps: spelled };
}

function keyIn(values: readonly unknown[], wanted: string): string | undefined {
  const keys = values.flat().flatMap((value) => (isRecord(value) ? Object.keys(value) : []));
  return keys.includes(wanted) ? wanted : keys.find((key) => key.toLowerCase() === wanted.toLowerCase());
}

function take(value: unknown, step: Step, into: unknown[]): void {
  if ('index' in step) {
    if (Array.isArray(value) && step.index < value.length) into.push(value[step.index]);
    else if (isRecord(value) && Object.hasOwn(value, step.index)) into.push(value[step.index]);
  } else if ('equals' in step) {
    for (const element of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const own = isRecord(element) && Object.hasOwn(element, step.key) ? scalarText(element[step.key]) : undefined;
      if (own?.toLowerCase() === step.equals.toLowerCase()) into.push(element);
    }
  } else if (Array.isArray(value)) {
    for (const element of value as unknown[]) if (isRecord(element)) take(element, step, into);
  } else if (isRecord(value) && Object.hasOwn(value, step.key)) {
    into.push(value[step.key]);
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  // The JSON of numbers and booleans is what a person would write.
  return JSON.stringify(value) ?? '';
}

const separator = ';';

/** The text of a cell for the values that a path led to: joined by `;`; of none, empty; of an object, its JSON. */
export function cellText(values: readonly unknown[]): string {
  if (values.length === 1) return scalarText(values[0]);
  const texts = new Set(values.map(scalarText));
  texts.delete('');
  return [...texts].join(separator);
}

export function cellAt(record: Record<string, unknown>, path: Path): string {
  let value: unknown = record;
  for (const step of path.steps) {
    // Plain keys, which are nearly all, need no lists of values.
    if (!('key' in step) || 'equals' in step || !isRecord(value)) return cellText(valuesAt(record, path));
    if (!Object.hasOwn(value, step.key)) return '';
    value = value[step.key];
  }
  return Array.isArray(value) ? cellText(value as unknown[]) : scalarText(value);
}
