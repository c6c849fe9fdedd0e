// Parses a fault from its text or object form.
import { InputError } from '../core/errors.ts';
import { isAnswering, replacingBodies, shapingBodies, spoilingBodies, type Fault } from './fault.ts';
import { isObject } from './request.ts';

const bodies: readonly string[] = [...replacingBodies, ...spoilingBodies, ...shapingBodies];

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

const keys = ['email', 'group', 'path', 'retry-after', 'latency', 'apply', ...Object.keys({ ...numbers, ...choices })];

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
