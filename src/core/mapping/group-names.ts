// Turns raw group names into those that are sent: renamed, allowed, one spelling each.
import { InputError } from '../errors.ts';
import type { MappingRules } from './mapping-rules.ts';
import { renamerOf } from './patterns.ts';
import { anyOf, foldText } from '../text/wildcard.ts';
import { isCode, isOddGroup } from './odd-values.ts';
import { quote, withoutQuotes } from '../text/format.ts';

/** More groups of one person are a wrong column, not a person; more different groups too, such as one of addresses. */
export const groupLimits = { perPerson: 100, total: 100_000 };
/** The most raw names whose result is cached. */
const mostKept = 50_000;

/**
 * Turns names of groups as a roster has them into the names that are sent: renamed, allowed or left out, and one
 * spelling for those that differ only in case: the one that the rules write, else the one that the service was given
 * before, else the first of the roster.
 */
export class GroupNames {
  readonly remarks = {
    /** Spellings that differ only in case, by the one that is sent. */
    merged: new Map<string, Set<string>>(),
    /** Names that `allow.groups` leaves out, and how many rows had them. */
    refused: new Map<string, number>(),
    /** Names that nobody wrote or gave before and that look like cells of another column. */
    odd: [] as string[],
    /** The same of those that look like codes. */
    codes: [] as string[],
  };
  /** Hears each name of a row, and what it became: what is sent, or nothing. */
  heard: ((raw: string, name: string | undefined) => void) | undefined;
  readonly perPerson: number;
  /** Names given before. */
  readonly known: readonly string[];
  readonly #total: number;
  readonly #rename: Map<string, string>;
  readonly #renamed: ((name: string) => string | undefined) | undefined;
  readonly #isAllowed: (name: string) => boolean;
  /** The spelling that is sent, by the name without case. */
  readonly #spellings = new Map<string, string>();
  /** What happened to a raw name: for speed only. */
  #kept = new Map<string, string | undefined>();

  /** `fixed`: that the rules write; `known`: given before, most frequent first. */
  constructor(
    { rename = {}, renamePatterns, allow = {} }: Pick<MappingRules, 'rename' | 'renamePatterns' | 'allow'>,
    fixed: readonly string[] = [],
    known: readonly string[] = [],
  ) {
    const { only, except = [], perPerson, total } = { ...groupLimits, ...allow.groups };
    this.#renamed = renamePatterns && renamerOf(renamePatterns);
    this.perPerson = perPerson;
    this.known = known;
    this.#total = total;
    this.#rename = new Map(Object.entries(rename).map(([from, to]) => [foldText(from), to.normalize('NFC').trim()]));
    const isWanted = only ? anyOf(only) : () => true;
    const isRefused = anyOf(except);
    this.#isAllowed = (name) => isWanted(name) && !isRefused(name);
    for (const name of [...fixed, ...this.#rename.values(), ...known]) {
      const key = keyOf(name);
      if (!this.#spellings.has(key)) this.#spellings.set(key, name);
    }
  }

  isAllowed(name: string): boolean {
    return this.#isAllowed(name);
  }

  /** The name that is sent for a cleaned raw one; undefined if it is left out. Throws an `InputError` for too many. */
  nameOf(raw: string): string | undefined {
    const name = this.#nameOf(raw);
    this.heard?.(raw, name);
    return name;
  }

  #nameOf(raw: string): string | undefined {
    const kept = this.#kept.get(raw);
    if (kept !== undefined) return kept;
    if (this.#kept.has(raw)) {
      this.#refuse(raw);
      return undefined;
    }
    const name = this.#find(raw);
    if (this.#kept.size >= mostKept) this.#kept = new Map();
    this.#kept.set(raw, name);
    return name;
  }

  #find(raw: string): string | undefined {
    const name = this.#rename.get(foldText(raw)) ?? this.#renamed?.(raw) ?? raw;
    if (!this.#isAllowed(name)) {
      this.#refuse(raw);
      return undefined;
    }
    const key = keyOf(name);
    const spelling = this.#spellings.get(key);
    if (spelling === undefined) {
      if (this.#spellings.size >= this.#total) throw tooMany(this.#total, name);
      this.#spellings.set(key, name);
      if (isOddGroup(name)) this.remarks.odd.push(name);
      else if (isCode(name)) this.remarks.codes.push(name);
      return name;
    }
    if (spelling !== name) {
      const others = this.remarks.merged.get(spelling) ?? new Set();
      this.remarks.merged.set(spelling, others.add(name));
    }
    return spelling;
  }

  #refuse(name: string): void {
    const { refused } = this.remarks;
    if (refused.size < mostKept || refused.has(name)) refused.set(name, (refused.get(name) ?? 0) + 1);
  }
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase().replace(/\s+/g, ' ');
}

function tooMany(total: number, name: string): InputError {
  const limit = total.toLocaleString('en');
  const message =
    `The roster has more than ${limit} different groups, such as ${quote(name)}. ` +
    'Is a column of names, numbers or addresses read as groups? If not, raise allow.groups.total.';
  return new InputError(message, { withoutWords: withoutQuotes(message) });
}
