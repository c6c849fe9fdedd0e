// Collects the rows of unchanged people until they are listed.
import { GivenPeople } from '../../src/core/hashing/text-set.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Compared, ListedRows } from '../../src/ledger/planning/unchanged-people.ts';

/** Rows of unchanged people on their way into the ledger: many of them, in little memory. */
export class RowsToList {
  readonly #files = new Map<string, { keys: string[]; texts: string[]; lines: number[] }>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(key: string, { file, line }: { file: string; line: number }): void {
    let ofFile = this.#files.get(file);
    if (ofFile === undefined) this.#files.set(file, (ofFile = { keys: [], texts: [], lines: [] }));
    ofFile.keys.push(key);
    ofFile.lines.push(line);
    this.#size += 1;
  }

  /** Copies the keys that were added. A key may be a part of a larger text, and would keep all of it in memory. */
  pack(): void {
    for (const { keys, texts } of this.#files.values()) {
      if (keys.length > 0) texts.push(keys.join('\n'));
      keys.length = 0;
    }
  }

  /** All rows, those of each file together. */
  all(): ListedRows[] {
    this.pack();
    return [...this.#files].map(([file, { texts, lines }]) => ({ file, keys: texts.join('\n'), lines }));
  }
}

/** Reads two pages at a time: neither side waits for the other, and a server with idle processors uses two. */
export async function readGiven(ledger: Pick<Ledger, 'givenPeople'>, compared: Compared): Promise<GivenPeople> {
  const first = await ledger.givenPeople(compared, 0);
  const given = new GivenPeople();
  given.add(first.lines);
  let next = 1;
  const readOn = async (): Promise<void> => {
    while (next < first.pages) given.add((await ledger.givenPeople(compared, next++)).lines);
  };
  await Promise.all([readOn(), readOn()]);
  return given;
}
