import { InputError } from '../core/errors.ts';
import { isObject } from './request.ts';

/** Bodies that take the place of the answer; the others are made from the answer itself. */
const replacingBodies = ['html', 'text', 'empty', 'huge', 'echo'] as const;
/** The answer itself, spoilt on its way. */
const spoilingBodies = ['half-json', 'truncated', 'stalled', 'trickle'] as const;
/** The answer with another shape; these need a successful answer. */
const shapingBodies = [
  'not-success', 'group-failed', 'missing', 'reordered', 'no-data', 'no-hash', 'bare-array', 'null', 'string-counts',
] as const; // prettier-ignore

export type FaultBody =
  | (typeof replacingBodies)[number]
  | (typeof spoilingBodies)[number]
  | (typeof shapingBodies)[number];

const bodies: readonly string[] = [...replacingBodies, ...spoilingBodies, ...shapingBodies];

/**
 * One fault: which calls it strikes and what it does to them. `faultGrammar` says what each key means. The text form
 * has the same keys: `status=429,retry-after=2,first=3`.
 */
export interface Fault {
  email?: string;
  group?: string;
  path?: string;
  after?: number;
  first?: number;
  nth?: number;
  every?: number;
  probability?: number;
  status?: number;
  'retry-after'?: number | `date+${number}`;
  latency?: number | `${number}-${number}` | 'forever';
  reset?: 'before' | 'after';
  body?: FaultBody;
  interval?: number;
  apply?: boolean;
}

/** The fault grammar, for `--help` and docs/sandbox.md. */
export const faultGrammar = `A fault is a list of key=value parts with commas between: which calls, and what happens to them.

Which calls (all must hold; without any, every call):
  email=ADDRESS     calls for this person; *@example.com for a whole domain
  group=NAME        group inserts that name this group
  path=PART         calls whose path contains PART: groups/insert, story-question-analysis
  after=N           not the first N of these calls
  first=N           only the first N of them (after those that after=N lets pass)
  nth=N             only the Nth of them
  every=N           only every Nth of them
  probability=P     each of them with the probability P, from 0 to 1 (from the sandbox's seed)

What happens:
  latency=MS        the answer comes MS milliseconds later; latency=100-300, latency=forever; adds up with other faults
  status=CODE       this HTTP status (200 to 599) and an error as the body; the insert is not made
  retry-after=N     with status: the header Retry-After, in seconds; date+N sends the HTTP-date N seconds from now
  reset=before      the connection is reset before the body is read; the insert is not made
  reset=after       the connection is reset after the body was read; the insert is made
  body=KIND         instead of the answer: html, text, empty, huge (16 MiB), echo (repeats the Authorization header)
                    the answer, spoilt: half-json (ends early), truncated (the connection ends early),
                    stalled (half of it, then nothing), trickle (byte by byte)
                    another shape: not-success, group-failed (the named or first group is not filled), missing (the
                    last item), reordered, no-data, no-hash, bare-array, null, string-counts
  interval=MS       with body=trickle: the time between two bytes, default 100
  apply=yes|no      with status, reset=after or a body instead of the answer: whether the insert is made

The first fault in the list that strikes a call answers it.
Examples: status=429,retry-after=2,first=3   status=401,after=100   status=403,email=ann@example.com
          reset=after,probability=0.1        status=500,apply=yes   body=echo,status=401`;

const numbers: Record<string, { least: number; most?: number; whole: boolean }> = {
  after: { least: 0, whole: true },
  first: { least: 1, whole: true },
  nth: { least: 1, whole: true },
  every: { least: 1, whole: true },
  probability: { least: 0, most: 1, whole: false },
  status: { least: 200, most: 599, whole: true },
  interval: { least: 0, whole: true },
};

const choices: Record<string, readonly string[]> = { reset: ['before', 'after'], body: bodies };

const keys = Object.keys({
  email: 1, group: 1, path: 1, after: 1, first: 1, nth: 1, every: 1, probability: 1,
  status: 1, 'retry-after': 1, latency: 1, reset: 1, body: 1, interval: 1, apply: 1,
} satisfies Record<keyof Fault, 1>); // prettier-ignore

/** Reads a fault from its text form or from an object with the same keys; throws `InputError` saying what is wrong. */
export function parseFault(given: unknown): Fault {
  const parts = typeof given === 'string' ? partsOf(given) : given;
  if (!isObject(parts)) throw new InputError('a fault is a text like "status=429,first=3" or an object of such parts');
  const said = typeof given === 'string' ? given : JSON.stringify(given);
  const fault: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(parts)) {
    if (!keys.includes(key)) throw new InputError(`fault "${said}": no key is called "${key}": ${keys.join(', ')}`);
    fault[key] = readValue(key, value, said);
  }
  const problem = conflictIn(fault);
  if (problem) throw new InputError(`fault "${said}": ${problem}`);
  return fault;
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

function partsOf(text: string): Record<string, string> {
  const parts: Record<string, string> = {};
  for (const part of text.split(',')) {
    const at = part.indexOf('=');
    const key = part.slice(0, at).trim();
    if (at < 1 || key === '') throw new InputError(`fault "${text}": "${part}" is not of the form key=value`);
    if (Object.hasOwn(parts, key)) throw new InputError(`fault "${text}": ${key} is given twice`);
    parts[key] = part.slice(at + 1).trim();
  }
  return parts;
}

function readValue(key: string, value: unknown, said: string): unknown {
  const fail = (expected: string): never => {
    throw new InputError(`fault "${said}": ${key} is ${expected}, not "${String(value)}"`);
  };
  const text = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? `${value}` : '';
  if (text === '') return fail('not to be empty');
  const number = numbers[key];
  if (number) {
    const { least, most = Number.MAX_SAFE_INTEGER, whole } = number;
    const read = Number(text);
    if (read >= least && read <= most && (!whole || Number.isInteger(read))) return read;
    return fail(`a ${whole ? 'whole ' : ''}number from ${least}${number.most === undefined ? '' : ` to ${most}`}`);
  }
  const allowed = choices[key];
  if (allowed) return allowed.includes(text) ? text : fail(`one of ${allowed.join(', ')}`);
  if (key === 'apply') return readYesNo(text) ?? fail('yes or no');
  if (key === 'retry-after') {
    return /^\d+$/.test(text) ? Number(text) : /^date\+\d+$/.test(text) ? text : fail('seconds, or date+ and seconds');
  }
  if (key === 'latency') {
    if (/^\d+$/.test(text)) return Number(text);
    const [, from, to] = /^(\d+)-(\d+)$/.exec(text) ?? [];
    const isRange = from !== undefined && to !== undefined && Number(from) <= Number(to);
    return isRange || text === 'forever' ? text : fail('milliseconds, a range of them like 100-300, or forever');
  }
  return text;
}

function readYesNo(text: string): boolean | undefined {
  return { yes: true, true: true, no: false, false: false }[text];
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
