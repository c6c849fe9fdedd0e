// Reads an event: its body (JSON or a form), its id, its kind, and the people it is about; tells test calls.
import { attempt, parseExactly } from '../attempt.ts';
import { saysRemoved } from '../cells/status-words.ts';
import { isDeeper } from '../rows/flatten.ts';
import { isRecord, parsePath, valuesAt } from '../rows/path.ts';
import { createHash } from 'node:crypto';
import { defined } from '../defined.ts';
import type { WebhookPreset } from '../../data/schemas.ts';
import { wildcard } from '../text/wildcard.ts';
import { headerOf, type Received } from './scheme.ts';

export type BodyForm = 'json' | 'form';

/** Nobody needs more fields or deeper ones; a body that has them is not read. */
const mostFields = 20_000;
const deepest = 10;

/** Undefined if not what they are said to be, or too deep. Each part of `data[x][0]` is a key of an object. */
export function readBody(bytes: Uint8Array, form: BodyForm): unknown {
  const text = attempt(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  if (text === undefined) return undefined;
  if (form === 'json') return isDeeper(text) ? undefined : attempt(() => parseExactly(text));
  return readForm(text);
}

type Fields = Map<string, string | Fields>;

function readForm(text: string): unknown {
  const fields: Fields = new Map();
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1;
    const path = pathOf(name);
    if (count > mostFields || path.length > deepest) return undefined;
    put(fields, path, value);
  }
  return count === 0 ? undefined : asObject(fields);
}

/** `data[changedFields][0]` is `data`, `changedFields`, `0`. */
function pathOf(name: string): string[] {
  const [, first, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  return first === undefined ? [name] : [first, ...Array.from(rest.matchAll(/\[([^[\]]*)\]/g), ([, key]) => key ?? '')];
}

function put(fields: Fields, [key = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) {
    fields.set(key, value);
    return;
  }
  const inner = fields.get(key);
  const below: Fields = inner instanceof Map ? inner : new Map();
  fields.set(key, below);
  put(below, rest, value);
}

/** Objects made of entries have only keys of their own, whatever those are called. */
function asObject(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Array.from(fields, ([key, value]) => [key, typeof value === 'string' ? value : asObject(value)]),
  );
}

/** HiBob tests a connection with one of these bodies, and wants a 2xx (apidocs.hibob.com). */
export function isPingText(body: unknown): boolean {
  const text = isRecord(body) && Object.keys(body).length === 1 ? body['text'] : body;
  return text === 'Ping test';
}

/** Gusto sends `{"verification_token": "…"}` first (docs.gusto.com, "Webhooks"): the key of its signatures. */
export function verificationToken(body: unknown): string | undefined {
  if (!isRecord(body) || Object.keys(body).length !== 1) return undefined;
  const token = body['verification_token'];
  return typeof token === 'string' && /^[\w-]{16,200}$/.test(token) ? token : undefined;
}

export type EventShape = WebhookPreset['shape'];

/** An event as far as it was understood. */
export interface WebhookEvent {
  /**
   * What begins with `body:` is good only as long as the event waits: later the same words may be news. Not of people whom it
   * carries: a late repetition would give them again what a newer event has changed.
   */
  key: string;
  /** In the sender's words; empty if it does not say. */
  kind: string;
  use: 'run' | 'ping' | 'ignored';
  /** The ids of the people it is about; undefined if it does not name them all. */
  employees?: string[];
  /**
   * The people it carries; undefined if it carries none, or not all that it is about. One that says that people leave has a list
   * in any case, be it empty: it is checked before those who have come.
   */
  people?: Record<string, unknown>[];
}

/** Kinds of events about people who leave, or do not come after all: `employee.terminated`, `offer_rescinded`. */
const leaving =
  /terminat|offboard|depart(?!ment)|delet|remov|deactivat|disabl|suspend|archiv|resign|retire|dismiss|deceas|separat|leaver|withdr[ae]w|rescind|declin|reject|cancel|unhire|inactiv(?!e?.?to.?active)|(?<![a-z])b?locked|(?:contract|employment|account|membership)[^a-z]*expired|not.?(?:joining|coming|starting)|(?:^|[^a-z])(?:left(?:$|[^a-z])|exit(?!.?interview|ed.?probation))|(?:employee|person|staff|user|worker)[^a-z]*fired|employment.?end/i;

/** What of somebody may end, be removed or rejected while they stay. */
const theirs =
  /time.?off|absence|vacation|holiday|leave.?request|address|document|benefit|dependent|(?:retirement|pension).?plan|department|password|token/i;

/** Nobody writes longer ones; what is longer is cut. */
const mostOfKind = 100;
const mostOfKey = 200;

/** `body`: what the bytes say. */
export function readEvent(
  shape: EventShape,
  received: Received,
  { body, timestamp, hasMapping }: { body: unknown; timestamp?: string | undefined; hasMapping: boolean },
): WebhookEvent {
  const kinds = [...new Set(textsAt(body, shape.kind).map((text) => text.slice(0, mostOfKind)))];
  const running = kinds.filter((each) => useOf(shape, each) === 'run');
  // Of an event about several people, as BambooHR sends them, the kind that asks for the most care.
  const kind = kinds.find((each) => saysLeft(each, shape.kinds)) ?? running[0] ?? kinds[0] ?? '';
  const employees = textsAt(body, shape.employees ?? []);
  const people = peopleIn(shape, body, hasMapping) ?? (saysLeft(kind, shape.kinds) ? [] : undefined);
  return {
    key: keyOf(shape, received, { body, timestamp, isKept: people !== undefined && people.length > 0 }),
    kind,
    use: running.length > 0 ? 'run' : useOf(shape, kind),
    ...(employees.length > 0 ? { employees: [...new Set(employees)] } : {}),
    ...defined({ people }),
  };
}

/** Who leaves must not be enrolled: what the source says about them counts, unless the settings name such `kinds`. */
export function saysLeft(kind: string, kinds: readonly string[] = []): boolean {
  return isLeaving(kind) && !kinds.some((pattern) => isLeaving(pattern) && wildcard(pattern)(kind));
}

/** By parts of words, or as actions in files are known, in any language: `userExit`, `Kündigung: Ann Ek`. */
function isLeaving(kind: string): boolean {
  const spoken = kind.replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
  if (theirs.test(spoken) && !/terminat|offboard/i.test(spoken)) return false;
  return [kind, spoken].some((text) => leaving.test(text)) || saysRemoved(spoken);
}

function useOf({ ping = [], kinds }: EventShape, kind: string): WebhookEvent['use'] {
  if (ping.includes(kind)) return 'ping';
  return kinds === undefined || kinds.some((pattern) => wildcard(pattern)(kind)) ? 'run' : 'ignored';
}

function keyOf(
  { id }: EventShape,
  received: Received,
  { body, timestamp, isKept }: { body: unknown; timestamp: string | undefined; isKept: boolean },
): string {
  const given = id && ('header' in id ? headerOf(received, id.header) : textsAt(body, [id.path])[0]);
  if (given !== undefined && given !== '') return `id:${given.length > mostOfKey ? hash(given) : given}`;
  if (timestamp !== undefined) return `sent:${hash(`${timestamp}\n`, received.body)}`;
  return `${isKept ? 'words' : 'body'}:${hash(received.body)}`;
}

function hash(...parts: (string | Uint8Array)[]): string {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest('hex');
}

/** The people that an event carries; only where it carries everybody it is about. */
function peopleIn({ people }: EventShape, body: unknown, hasMapping: boolean): Record<string, unknown>[] | undefined {
  if (!people || (people.needsMapping && !hasMapping)) return undefined;
  const found = people.at === '' ? [body] : valuesAt(body, parsePath(people.at));
  const records = found.filter(isRecord);
  if (records.length === 0 || records.length < found.length || records.some(isBlank)) return undefined;
  const { when } = people;
  return when === undefined || records.every((record) => !valuesAt(record, parsePath(when)).every(isBlank))
    ? records
    : undefined;
}

/** Whether nothing is said in it: as a row it would be an empty line. */
function isBlank(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isBlank);
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** The texts and numbers to which the first path leads that leads anywhere. */
function textsAt(body: unknown, paths: readonly string[]): string[] {
  for (const path of paths) {
    const texts = valuesAt(body, parsePath(path)).flatMap((value) =>
      typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
    );
    if (texts.length > 0) return texts;
  }
  return [];
}
