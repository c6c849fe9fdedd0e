// Cuts a JSON document or NDJSON into the texts of its records, and finds the list of people in a document.
import { parseJson } from '../../core/attempt.ts';
import { say } from '../../core/words/say.ts';
import { refusal, InputError } from '../../core/errors.ts';
import type { ReadLimits } from '../files/limits.ts';
import { JsonCutter, JsonFailure, type Visitor } from '../../core/rows/json-cutter.ts';
import { listed, quote } from '../../core/text/format.ts';
import { listOf } from '../../core/words/words.ts';
import { type Beside, mayTell, saysMore } from '../../core/rows/says-more.ts';

/** The text of one record, and where it stands: its line, or in a document, which record it is. */
export interface RecordText {
  text: string;
  line: number;
}

/** Walks through all of a document. Throws an `InputError` with the line where it is no JSON. */
export async function walk(
  texts: AsyncIterable<string>,
  visitor: Visitor,
  file: string,
  limits: ReadLimits,
): Promise<void> {
  for await (const _ of steps(texts, visitor, file, limits));
}

async function* steps(
  texts: AsyncIterable<string>,
  visitor: Visitor,
  file: string,
  limits: ReadLimits,
): AsyncGenerator<void> {
  const cutter = new JsonCutter(visitor, limits);
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof JsonFailure)) throw error;
      throw refusal('wrongJson', { file, line: error.line, why: error.message }, { cause: error });
    }
  };
  for await (const text of texts) {
    attempt(() => cutter.push(text));
    yield;
  }
  attempt(() => cutter.end());
  yield;
}

/** Gives the texts of the records of the list at a pointer; with `''` and no list there, of the document. */
export async function* cutDocument(
  texts: AsyncIterable<string>,
  pointer: string,
  file: string,
  limits: ReadLimits,
): AsyncGenerator<RecordText[]> {
  let found: RecordText[] = [];
  let number = 0;
  const visitor: Visitor = {
    begins(kind, list, parent, index) {
      if (parent === 'array' && list === pointer) return 'take';
      const at = parent === 'array' ? `${list}/${index}` : list;
      if (at === pointer) return kind === 'array' ? 'enter' : 'take';
      return kind !== 'scalar' && pointer.startsWith(`${at}/`) ? 'enter' : 'skip';
    },
    takes(text) {
      found.push({ text, line: ++number });
    },
  };
  for await (const _ of steps(texts, visitor, file, limits)) {
    if (found.length > 0) yield found;
    found = [];
  }
}

export async function* cutLines(
  texts: AsyncIterable<string>,
  file: string,
  limits: ReadLimits,
): AsyncGenerator<RecordText[]> {
  let rest = '';
  let line = 1;
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > limits.record)
      throw refusal('longJsonLine', { file, line: line + lines.length, record: limits.record });
    const found = lines.map((text) => ({ text, line: line++ })).filter(({ text }) => text.trim() !== '');
    if (found.length > 0) yield found;
  }
  if (rest.trim() !== '') yield [{ text: rest, line }];
}

const known = listOf('record-lists');
/** Arrays deeper than this are not looked for; they can be named. */
const mostDepth = 6;
const mostLists = 200;

interface List {
  pointer: string;
  records: number;
  others: number;
}

/** Takes down which lists a document has, and how many objects are in each. */
export class ListFinder implements Visitor {
  readonly lists = new Map<string, List>();
  /** What is beside them and may say that there is more. */
  readonly beside: Beside = new Map();
  documents = 0;
  kind: 'object' | 'array' | 'scalar' = 'scalar';
  #taken = '';

  begins(kind: 'object' | 'array' | 'scalar', pointer: string, parent: 'document' | 'object' | 'array') {
    if (parent === 'document') {
      if (this.documents === 0) this.kind = kind;
      this.documents++;
    }
    if (parent === 'array') {
      const list = this.lists.get(pointer);
      if (list && kind === 'object') list.records++;
      else if (list) list.others++;
      return 'skip';
    }
    if (kind === 'array') {
      if (this.lists.size < mostLists) this.lists.set(pointer, { pointer, records: 0, others: 0 });
      return 'enter';
    }
    if (kind === 'scalar' && this.beside.size < mostLists && mayTell(pointer)) {
      this.#taken = pointer;
      return 'take';
    }
    return kind === 'object' && pointer.split('/').length <= mostDepth ? 'enter' : 'skip';
  }
  takes(text: string): void {
    // The form of values beside the people is not checked.
    const value = parseJson(text);
    if (value !== undefined) this.beside.set(this.#taken, value);
  }
}

/**
 * Chooses the list that holds the people: the one that is named; else the document if it is a list; else the one
 * under a key by which HR systems are known, outer ones first; else the only one that holds objects. Throws an
 * `InputError` that tells the lists when there is none of these, or several.
 */
export function chooseRecords({ lists, kind }: ListFinder, asked: string | undefined, file: string): string {
  const all = [...lists.values()];
  if (asked !== undefined) {
    // A list in an element of another one is not looked for.
    if (asked === '' || lists.has(asked) || /\/\d+(?:\/|$)/.test(asked)) return asked;
    throw new InputError(`${file}: there is no list at "${asked}"; ${sayLists(all)}`, { next });
  }
  if (kind === 'array') return '';
  const named = all.filter(({ pointer }) => known().has(pointer.slice(pointer.lastIndexOf('/') + 1)));
  const outermost = Math.min(...named.map(({ pointer }) => pointer.split('/').length));
  const outer = named.filter(({ pointer }) => pointer.split('/').length === outermost);
  const full = outer.filter(({ records }) => records > 0);
  const candidates = full.length > 0 ? full : outer;
  const [first] = candidates;
  if (first && candidates.length === 1) return first.pointer;
  const others = all.filter(({ records }) => records > 0);
  const [only] = others;
  if (only && others.length === 1) return only.pointer;
  if (all.length === 0)
    throw new InputError(`${file}: this does not look like a list of people: ${sayLists(all)}`, { next });
  throw new InputError(`${file}: it is not clear which of its values are the people. ${sayLists(all)}`, { next });
}

/**
 * What a document says about more people than it holds; the answer of a server that does is refused, and whatever reports
 * errors beside its people.
 */
export function partOf(
  { lists, beside }: ListFinder,
  { pointer, where, isAnswer }: { pointer: string; where: string; isAnswer: boolean },
): string | undefined {
  const count = ({ records, others }: List): number => records + others;
  const [list, errors] = [lists.get(pointer), lists.get('/errors')];
  if (errors && pointer !== '/errors' && count(errors) > 0) throw refusal('errorsInFile', { where });
  const more = list && saysMore(beside, { pointer, count: count(list) });
  if (!more) return undefined;
  if (!isAnswer) return say('partOfJson', 1, { pointer: quote(more.pointer) });
  const how = more.by === 'next' ? `{ by: next, path: "${more.pointer}" } or { by: cursor, … }` : '{ by: … }';
  throw refusal('onePage', { where, pointer: quote(more.pointer), how });
}

const mostListed = 20;
const next = [{ setting: 'read.records' }] as const;

function sayLists(lists: readonly List[]): string {
  const whole = 'If the whole document is one person, say read.records: "".';
  if (lists.length === 0) return `it holds no list of records. ${whole}`;
  const said = lists.map(({ pointer, records }) => `${pointer || '""'} (${records} records)`);
  return `Name one (read.records): ${listed(said, mostListed)}. ${whole}`;
}
