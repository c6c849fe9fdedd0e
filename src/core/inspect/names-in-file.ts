// The groups of a file by the names that it has for them: how many people have each, and what it becomes.
import { foldText } from '../text/wildcard.ts';

export interface NamedGroup {
  /** As the file first has it. */
  name: string;
  /** What is sent; absent where it is left out. */
  group?: string;
  people: number;
}

/** More people than this are not compared with each other, and more names are not counted: memory must not grow with the roster. */
const mostPeople = 200_000;
const mostNames = 100_000;

/** Each row is heard name by name, and then added, or found to be left out. */
export class NamesInFile {
  readonly #found = new Map<string, NamedGroup>();
  /** What stands for a name: names that only differ in how they are written are one. */
  readonly #keys = new Map<string, NamedGroup>();
  readonly #people = new Map<string, NamedGroup[]>();
  readonly #row: NamedGroup[] = [];

  readonly heard = (raw: string, group: string | undefined): void => {
    const known = this.#keys.get(raw) ?? this.#find(raw, group);
    if (known) this.#row.push(known);
  };

  #find(raw: string, group: string | undefined): NamedGroup | undefined {
    if (this.#keys.size >= mostNames) return undefined;
    const key = foldText(raw);
    // The text of a cell keeps its neighbours in memory.
    const named = this.#found.get(key) ?? {
      name: structuredClone(raw),
      ...(group !== undefined && { group }),
      people: 0,
    };
    this.#found.set(key, named);
    this.#keys.set(raw, named);
    return named;
  }

  /** The row that was heard is of this person. */
  add(person: string): void {
    const row = new Set(this.#row.splice(0));
    const known = this.#people.get(person) ?? [];
    if (known.length === 0 && this.#people.size < mostPeople) this.#people.set(person, known);
    for (const named of row) {
      if (known.includes(named)) continue;
      known.push(named);
      named.people += 1;
    }
  }

  /** The row that was heard is rejected: somebody all of whose groups are left out has them still. */
  reject(personOf: () => string | undefined): void {
    if (this.#row.length === 0) return;
    if (this.#row.every(({ group }) => group === undefined)) this.add(personOf() ?? '');
    else this.#row.length = 0;
  }

  /** This person is none. */
  withdraw(person: string): void {
    for (const named of this.#people.get(person) ?? []) named.people -= 1;
    this.#people.delete(person);
  }

  /** Those that somebody has, most people first. */
  list(): NamedGroup[] {
    return [...this.#found.values()]
      .filter(({ people }) => people > 0)
      .toSorted((a, b) => b.people - a.people || (a.name < b.name ? -1 : 1));
  }
}
