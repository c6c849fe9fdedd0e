// What is noticed while rows become members, and which cells stand for no value.
import { isPlaceholder, type Purpose } from '../cells/placeholders.ts';
import type { GroupNames } from './group-names.ts';
import { count, listed, quote } from '../text/format.ts';
import { foldText } from '../text/wildcard.ts';
import { bySettings, type Wording } from './mapping-rules.ts';
import { say } from '../words/say.ts';

const mostKept = 1000;

export class NoValues {
  /** Placeholders that stood for a group, and how many cells had them. */
  readonly groups = new Map<string, number>();
  readonly wording: Wording;
  readonly #meant: ReadonlySet<string>;

  /** `meant`: texts that look like no value, or like no name, but are one (`allow.values`). */
  constructor(meant: readonly string[] = [], wording: Wording = bySettings) {
    this.wording = wording;
    this.#meant = new Set(meant.map(foldText));
  }

  /** ` (allow.values keeps it)`: what to do if a text is what it says, after a reason. Nobody is called `#REF!` or `--`. */
  sayKeeping(text: string): string {
    if (text.startsWith('#') || !/[\p{L}\p{N}]/u.test(text)) return '';
    return say('keeping', 1, { keeper: this.wording.keeper(text) });
  }

  /** Whether the settings say that a text is what it says. */
  isMeant(text: string): boolean {
    return this.#meant.size > 0 && this.#meant.has(foldText(text));
  }

  has(text: string, purpose?: Purpose): boolean {
    return isPlaceholder(text, purpose) && !this.isMeant(text);
  }

  /** Whether a cleaned text names no group; counts it. */
  isNoGroup(text: string): boolean {
    if (!this.has(text)) return false;
    const { groups } = this;
    if (groups.size < mostKept || groups.has(text)) groups.set(text, (groups.get(text) ?? 0) + 1);
    return true;
  }
}

/** What was noticed while rows became members, to be said before anything is sent. */
export class Remarks {
  readonly #names: GroupNames;
  readonly #noValues: NoValues;
  readonly #others: readonly string[];
  readonly #seen = new Map<string, { count: number; line: number; text: string }>();

  constructor(names: GroupNames, noValues: NoValues, others: readonly string[] = []) {
    this.#others = others;
    this.#names = names;
    this.#noValues = noValues;
  }

  /** Something about a text on a line. */
  note(what: string, text: string, line: number): void {
    const seen = this.#seen.get(what);
    if (seen) seen.count += 1;
    else this.#seen.set(what, { count: 1, line, text });
  }

  /** Each remark as one sentence without its full stop. */
  list(): string[] {
    const { wording } = this.#noValues;
    const keeper = wording.keeper();
    const { merged, refused, odd, codes } = this.#names.remarks;
    const naming = wording.naming([...codes][0] ?? '');
    const quoted = (names: Iterable<string>): string[] => [...names].map((name) => quote(name));
    const withRows = (names: Iterable<[string, number]>): string[] =>
      [...names].map(([name, rows]) => `${quote(name)} (${count(rows, 'row')})`);
    const groups = Object.entries({
      spellings: [...merged].map(([name, others]) => `${listed(quoted(others))} as ${quote(name)}`),
      oddGroups: quoted(odd),
      codes: quoted(codes),
      refusedGroups: withRows(refused),
      noGroups: withRows(this.#noValues.groups),
    });
    return [
      ...this.#others,
      ...groups.flatMap(([what, names]) =>
        names.length === 0 ? [] : [say(what, names.length, { groups: listed(names), keeper, naming })],
      ),
      ...[...this.#seen].map(([what, { count, line, text }]) => say(what, count, { line, text: quote(text), keeper })),
    ];
  }
}
