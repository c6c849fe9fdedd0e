// Finds the list of people in a JSON document.
import { refusal } from '../../core/words/say.ts';
import { InputError } from '../../core/errors.ts';
import { listed } from '../../core/text/figures.ts';
import { quote } from '../../core/text/quote.ts';
import { listOf } from '../../core/words/words.ts';
import type { Visitor } from '../../core/rows/json-cutter.ts';
import { type Beside, mayTell, saysMore } from '../../core/rows/says-more.ts';

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
    try {
      this.beside.set(this.#taken, JSON.parse(text));
    } catch {
      // The form of values beside the people is not checked.
    }
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
  const named = all.filter(({ pointer }) => known().has(lastOf(pointer)));
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

/** Throws an `InputError` for the answer of a server that says it is not all, or reports errors beside its people. */
export function refusePart({ lists, beside }: ListFinder, pointer: string, where: string): void {
  const count = ({ records, others }: List): number => records + others;
  const [list, errors] = [lists.get(pointer), lists.get('/errors')];
  if (errors && pointer !== '/errors' && count(errors) > 0) {
    throw new InputError(`${where} gave errors beside its data, so people may be missing. Nothing from it was used.`);
  }
  const more = list && saysMore(beside, { pointer, count: count(list) });
  if (!more) return;
  const how = more.by === 'next' ? `{ by: next, path: "${more.pointer}" } or { by: cursor, … }` : '{ by: … }';
  throw refusal('onePage', { where, pointer: quote(more.pointer), how });
}

function lastOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

const mostListed = 20;
const next = [{ setting: 'read.records' }] as const;

function sayLists(lists: readonly List[]): string {
  const whole = 'If the whole document is one person, say read.records: "".';
  if (lists.length === 0) return `it holds no list of records. ${whole}`;
  const said = lists.map(({ pointer, records }) => `${pointer || '""'} (${records} records)`);
  return `Name one (read.records): ${listed(said, mostListed)}. ${whole}`;
}
