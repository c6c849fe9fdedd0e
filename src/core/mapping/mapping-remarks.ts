// The remarks collected while rows become members.
import type { GroupNames } from './group-names.ts';
import type { NoValues } from './no-values.ts';
import { count, listed } from '../text/figures.ts';
import { quote } from '../text/quote.ts';
import { say } from '../words/say.ts';

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
    const { keeper } = this.#noValues;
    const { merged, refused, odd, codes } = this.#names.remarks;
    const quoted = (names: Iterable<string>): string[] => [...names].map((name) => quote(name));
    const withRows = (names: Iterable<[string, number]>): string[] =>
      [...names].map(([name, rows]) => `${quote(name)} (${count(rows, 'row')})`);
    const groups = Object.entries({
      spellings: [...merged].map(([name, others]) => `${listed(quoted(others))} as ${quote(name)}`),
      oddGroups: quoted(odd),
      [keeper === 'allow.values' ? 'codesBySetting' : 'codesByFlag']: quoted(codes),
      refusedGroups: withRows(refused),
      noGroups: withRows(this.#noValues.groups),
    });
    return [
      ...this.#others,
      ...groups.flatMap(([what, names]) =>
        names.length === 0 ? [] : [say(what, names.length, { groups: listed(names), keeper, code: codes[0] ?? '' })],
      ),
      ...[...this.#seen].map(([what, { count, line, text }]) => say(what, count, { line, text: quote(text), keeper })),
    ];
  }
}
