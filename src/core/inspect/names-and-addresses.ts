// Compares the names of people with their addresses: shifted or exchanged columns, people with two addresses.
import type { MappedRow } from '../mapping/map-row.ts';
import { foldName } from '../person/merge.ts';
import { personKey } from '../person/member.ts';
import type { Column } from '../columns/columns.ts';
import { quote } from '../text/quote.ts';
import { count } from '../text/figures.ts';

/** People of later rows are not compared: what is kept must not grow with the roster. */
const mostPeople = 10_000;
/** Fewer addresses than this, or a smaller share of those that spell a name, may be chance. */
const fewest = 3;
const share = 0.2;

/** A name as addresses spell it, the first given first: `ann.ek`, `a.ek`, `annek`, `aek`; no more than letters count. */
function spellings(first: string, last: string): string[] {
  return [`${first}.${last}`, `${first.slice(0, 1)}.${last}`, first + last, first.slice(0, 1) + last];
}

const plain = (text: string): string => foldName(text).replaceAll(/[^\p{L}\p{M}.]/gu, '');

/** Takes people as they are read, and finds at the end what does not fit. */
export class NamesAndAddresses {
  #taken = 0;
  #exchanged = 0;
  /** Addresses that spell their own names; the spellings of all names; addresses that do not spell their own, with their lines. */
  readonly #own = new Set<string>();
  readonly #names = new Set<string>();
  readonly #foreign = new Map<string, number>();
  /** The first address and line by id, and by name and telephone. */
  readonly #first = new Map<string, { key: string; line: number }>();
  readonly #twice = new Map<string, readonly [number, number]>();
  /** A column that may hold ids, and is not taken for one; the id and line of each address; those with two. */
  readonly #id: Column | undefined;
  readonly #ids = new Map<string, { id: string; line: number }>();
  readonly #several = new Map<string, readonly [number, number]>();

  constructor(id?: Column) {
    this.#id = id;
  }

  add({ row: { line, cells }, member, employeeId }: MappedRow): void {
    if (this.#taken >= mostPeople) return;
    this.#taken += 1;
    const key = personKey(member.email);
    const id = this.#id && cells[this.#id.index]?.trim();
    const before = this.#ids.get(key);
    if (id && !before) this.#ids.set(key, { id, line });
    else if (id && before && before.id !== id) this.#several.set(key, [before.line, line]);
    const { firstname, lastname, telephone } = member;
    this.#compare(`id ${employeeId ?? ''}`, employeeId !== undefined, key, line);
    this.#compare(`${plain(firstname)} ${plain(lastname)} ${telephone ?? ''}`, telephone !== undefined, key, line);
    const local = plain(key.slice(0, key.lastIndexOf('@')).replaceAll(/[_-]/g, '.'));
    const [first, last] = [plain(firstname), plain(lastname)];
    const [own, exchanged] = [spellings(first, last), spellings(last, first)];
    for (const spelling of own) this.#names.add(spelling);
    if (own.includes(local)) this.#own.add(local);
    else if (exchanged.includes(local)) this.#exchanged += 1;
    else this.#foreign.set(local, line);
  }

  #compare(mark: string, isKnown: boolean, key: string, line: number): void {
    if (!isKnown) return;
    const first = this.#first.get(mark);
    if (!first) this.#first.set(mark, { key, line });
    else if (first.key !== key) this.#twice.set(key, [first.line, line]);
  }

  /** Why nobody may be sent before a person has looked; undefined where addresses spell no names of others. */
  shifted(): string | undefined {
    const lines = [...this.#foreign]
      .filter(([local]) => this.#names.has(local) && !this.#own.has(local))
      .map(([, line]) => line);
    const isChance = lines.length < fewest || lines.length < share * (this.#own.size + this.#exchanged + lines.length);
    if (isChance) return undefined;
    return `${count(lines.length, 'address', 'addresses')} spell the names of other rows, the first in line ${lines[0]}: was a column sorted on its own, or a cell removed? Correct the file, or approve the run if the addresses are right`;
  }

  /** What was noticed, a sentence each without its full stop. */
  remarks(): string[] {
    const [twice] = this.#twice.values();
    const [several] = this.#several.values();
    const isExchanged = this.#exchanged >= fewest && this.#exchanged > this.#own.size * 4;
    return [
      ...(isExchanged
        ? [
            `${this.#exchanged} addresses spell the last name before the first: check that first and last names are not exchanged`,
          ]
        : []),
      ...(several && this.#id
        ? [
            `${count(this.#several.size, 'person is', 'people are')} on rows of different ${quote(this.#id.name)}: if it tells people apart, set members: { employeeId: ${this.#id.name} } of a source; the first: lines ${several.join(' and ')}`,
          ]
        : []),
      ...(twice
        ? [
            `${count(this.#twice.size, 'person has', 'people have')} two addresses, with the same employee id, or name and telephone; both are sent; the first: lines ${twice.join(' and ')}`,
          ]
        : []),
    ];
  }
}
