import type { GroupNames } from './group-names.ts';
import { quote } from '../quote.ts';

/** As many names as a remark lists. */
const mostNamed = 5;

/** What was noticed while rows became members, to be said before anything is sent. */
export class Remarks {
  readonly #names: GroupNames;
  #withoutNumber = 0;
  #firstLine = 0;

  constructor(names: GroupNames) {
    this.#names = names;
  }

  /** The telephone of a line is no number of any country. */
  noNumber(line: number): void {
    this.#withoutNumber += 1;
    if (this.#firstLine === 0) this.#firstLine = line;
  }

  /** Each remark as one sentence without its full stop. */
  list(): string[] {
    const { merged, refused } = this.#names.remarks;
    const spellings = [...merged].map(([name, others]) => `${quotedOf([...others])} as ${quote(name)}`);
    const left = [...refused].map(([name, rows]) => `${quote(name)} (${rows} ${rows === 1 ? 'row' : 'rows'})`);
    return [
      ...(spellings.length > 0 ? [`groups that differ only in case are one: ${some(spellings)}`] : []),
      ...(left.length > 0 ? [`allow.groups leaves out ${some(left)}`] : []),
      ...(this.#withoutNumber > 0
        ? [
            `${this.#withoutNumber} telephone numbers are not valid and are left out; the first: line ${this.#firstLine}`,
          ]
        : []),
    ];
  }
}

function quotedOf(names: readonly string[]): string {
  return some(names.map((name) => quote(name)));
}

function some(items: readonly string[]): string {
  const shown = items.slice(0, mostNamed).join(', ');
  return items.length > mostNamed ? `${shown} and ${items.length - mostNamed} more` : shown;
}
