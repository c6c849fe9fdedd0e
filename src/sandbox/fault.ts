// A fault: which calls it strikes, what it does to them, and its text form.
import { z } from 'zod';
import { InputError } from '../core/errors.ts';
import { isRecord } from '../core/rows/path.ts';

/** Bodies that take the place of the answer; the others are made from the answer itself. */
const replacingBodies = ['html', 'text', 'empty', 'huge', 'echo'] as const;
/** The answer itself, spoilt on its way. */
const spoilingBodies = ['half-json', 'truncated', 'stalled', 'trickle'] as const;
/** The answer with another shape; these need a successful answer. */
const shapingBodies = [
  'not-success',
  'group-failed',
  'missing',
  'reordered',
  'no-data',
  'no-hash',
  'bare-array',
  'null',
  'string-counts',
] as const;

/** A part of a fault, given as a text or as it is; `expected` goes on behind its key in what is said about a wrong one. */
function part<Value>(expected: string, read: (text: string) => Value | undefined) {
  return z
    .unknown()
    .transform((value, context) => {
      const text = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
      const found = text === '' ? undefined : read(text);
      if (found !== undefined) return found;
      context.addIssue({ code: 'custom', message: text === '' ? 'not to be empty' : expected });
      return z.NEVER;
    })
    .exactOptional();
}

const text = () => part('a text', (given) => given);

const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  part(`a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`, (given) => {
    const number = Number(given);
    return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
  });

const wordOf = <Word extends string>(words: readonly Word[]) =>
  part(`one of ${words.join(', ')}`, (given) => words.find((word) => word === given));

const FaultParts = z.strictObject({
  email: text(),
  group: text(),
  path: text(),
  after: wholeNumber(0),
  first: wholeNumber(1),
  nth: wholeNumber(1),
  every: wholeNumber(1),
  probability: part('a number from 0 to 1', (given) => {
    const number = Number(given);
    return number >= 0 && number <= 1 ? number : undefined;
  }),
  status: wholeNumber(200, 599),
  'retry-after': part('seconds, or date+ and seconds', (given) => {
    if (/^\d+$/.test(given)) return Number(given);
    return /^date\+\d+$/.test(given) ? given : undefined;
  }),
  latency: part('milliseconds, a range of them like 100-300, or forever', (given) => {
    if (/^\d+$/.test(given)) return Number(given);
    const [, from, to] = /^(\d+)-(\d+)$/.exec(given) ?? [];
    const isRange = from !== undefined && to !== undefined && Number(from) <= Number(to);
    return isRange || given === 'forever' ? given : undefined;
  }),
  reset: wordOf(['before', 'after']),
  body: wordOf([...replacingBodies, ...spoilingBodies, ...shapingBodies]),
  interval: wholeNumber(0),
  apply: part('yes or no', (given): boolean | undefined => {
    return { yes: true, true: true, no: false, false: false }[given];
  }),
});

/**
 * One fault: which calls it strikes and what it does to them. docs/sandbox.md says what each key means. The text form
 * has the same keys: `status=429,retry-after=2,first=3`.
 */
export type Fault = z.output<typeof FaultParts>;

/** Reads a fault from its text form or from an object with the same keys; throws `InputError` saying what is wrong. */
export function parseFault(given: unknown): Fault {
  const parts = typeof given === 'string' ? partsOf(given) : given;
  if (!isRecord(parts)) throw new InputError('a fault is a text like "status=429,first=3" or an object of such parts');
  const said = typeof given === 'string' ? given : JSON.stringify(given);
  const keys = Object.keys(FaultParts.shape);
  const stray = Object.keys(parts).find((key) => !keys.includes(key));
  if (stray !== undefined) throw new InputError(`fault "${said}": no key is called "${stray}": ${keys.join(', ')}`);
  const { data, error } = FaultParts.safeParse(parts);
  if (!data) {
    const [issue] = error.issues;
    const key = String(issue?.path[0]);
    throw new InputError(`fault "${said}": ${key} is ${issue?.message}, not "${String(parts[key])}"`);
  }
  const problem = conflictIn(data);
  if (problem) throw new InputError(`fault "${said}": ${problem}`);
  // In the order in which they were given.
  return Object.fromEntries(Object.keys(parts).map((key) => [key, data[key as keyof Fault]]));
}

function partsOf(text: string): Record<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.split(',')) {
    const at = part.indexOf('=');
    const key = part.slice(0, at).trim();
    if (at < 1 || key === '') throw new InputError(`fault "${text}": "${part}" is not of the form key=value`);
    if (parts.has(key)) throw new InputError(`fault "${text}": ${key} is given twice`);
    parts.set(key, part.slice(at + 1).trim());
  }
  return Object.fromEntries(parts);
}

function conflictIn(fault: Fault): string | undefined {
  const { status, reset, body, apply } = fault;
  const isShaping = body !== undefined && (shapingBodies as readonly string[]).includes(body);
  const isReplacing = body !== undefined && (replacingBodies as readonly string[]).includes(body);
  if (!isAnswering(fault) && fault.latency === undefined) return 'it says which calls but not what happens to them';
  if (reset && (status !== undefined || body)) return 'a call that is reset has neither status nor body';
  if (reset === 'before' && (fault.email ?? fault.group) !== undefined) {
    return 'before the body is read nobody knows for whom the call is: leave out email and group, or use reset=after';
  }
  if (fault['retry-after'] !== undefined && status === undefined) return 'retry-after needs a status';
  if (fault.interval !== undefined && body !== 'trickle') return 'interval goes with body=trickle only';
  if (isShaping && status !== undefined && status >= 300) return `body=${body} needs a status below 300`;
  if (reset === 'before' && apply) return 'what was not read cannot be applied';
  if (apply !== undefined && status === undefined && !reset && !isReplacing) {
    return 'apply goes with status, reset=after or a body that takes the place of the answer';
  }
  return undefined;
}

/** The text form of a fault, its parts in the order in which they were given. */
export function formatFault(fault: Fault): string {
  return Object.entries(fault)
    .map(([key, value]) => `${key}=${value === true ? 'yes' : value === false ? 'no' : value}`)
    .join(',');
}

/** Whether the insert is made although this fault strikes. */
export function isApplied(fault: Fault): boolean {
  return fault.apply ?? (fault.reset !== 'before' && (fault.status ?? 200) < 300);
}

/** Whether a fault changes what is answered, beyond making it late. */
export function isAnswering(fault: Fault): boolean {
  return fault.status !== undefined || fault.reset !== undefined || fault.body !== undefined;
}
