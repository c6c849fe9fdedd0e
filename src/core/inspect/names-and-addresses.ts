// Compares the names of people with their addresses: shifted or exchanged columns, people with two addresses.
import type { MappedRow } from '../mapping/map-row.ts';
import { foldName, personKey } from '../person/member.ts';
import type { Column } from '../columns/columns.ts';
import { quote } from '../text/format.ts';
import { say } from '../words/say.ts';

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

/** The lines of two rows, and the employee id that they have both. */
interface Found {
  lines: string;
  by: string | undefined;
}

/** Takes people as they are read, and finds at the end what does not fit. */
export class NamesAndAddresses {
  #taken = 0;
  #exchanged = 0;
  /** Addresses that spell their own names; the spellings of all names; addresses that do not spell their own, with their lines. */
  readonly #own = new Set<string>();
  readonly #names = new Set<string>();
  readonly #foreign = new Map<string, number>();
  /** What came first with an employee id, with a name and telephone, or with an address, and on which line. */
  readonly #first = new Map<string, { value: string; line: number }>();
  /** The lines of people with two addresses, and of addresses with two ids. */
  readonly #twice = new Map<string, Found>();
  readonly #several = new Map<string, Found>();
  /** A column that may hold ids, and is not taken for one. */
  readonly #id: Column | undefined;

  constructor(id?: Column) {
    this.#id = id;
  }

  add({ row: { line, cells }, member, employeeId }: MappedRow): void {
    if (this.#taken >= mostPeople) return;
    this.#taken += 1;
    const key = personKey(member.email);
    const compare = (found: Map<string, Found>, mark: string, value: string, by?: string): void => {
      const first = this.#first.get(mark);
      if (!first) this.#first.set(mark, { value, line });
      else if (first.value !== value) found.set(key, { lines: `${first.line} and ${line}`, by });
    };
    const { firstname, lastname, telephone } = member;
    const id = this.#id && cells[this.#id.index]?.trim();
    if (id) compare(this.#several, `address ${key}`, id);
    if (employeeId !== undefined) compare(this.#twice, `id ${employeeId}`, key, employeeId);
    if (telephone !== undefined) compare(this.#twice, `${plain(firstname)} ${plain(lastname)} ${telephone}`, key);
    const local = plain(key.slice(0, key.lastIndexOf('@')).replaceAll(/[_-]/g, '.'));
    const [first, last] = [plain(firstname), plain(lastname)];
    const [own, exchanged] = [spellings(first, last), spellings(last, first)];
    for (const spelling of own) this.#names.add(spelling);
    if (own.includes(local)) this.#own.add(local);
    else if (exchanged.includes(local)) this.#exchanged += 1;
    else this.#foreign.set(local, line);
  }

  /** Why nobody may be sent before a person has looked; undefined where addresses spell no names of others. */
  shifted(): string | undefined {
    const lines = [...this.#foreign]
      .filter(([local]) => this.#names.has(local) && !this.#own.has(local))
      .map(([, line]) => line);
    const isChance = lines.length < fewest || lines.length < share * (this.#own.size + this.#exchanged + lines.length);
    if (isChance) return undefined;
    return say('shifted', lines.length, { line: lines[0] ?? 0 });
  }

  /** What was noticed, a sentence each without its full stop; of `sharedIds` it is known that several people have them. */
  remarks(sharedIds: readonly string[] = []): string[] {
    const isOne = ({ by }: Found): boolean => by === undefined || !sharedIds.includes(by);
    const isExchanged = this.#exchanged >= fewest && this.#exchanged > this.#own.size * 4;
    const remark = (what: string, all: ReadonlyMap<string, Found>, { name = '' }: Partial<Column> = {}): string[] => {
      const found = [...all.values()].filter(isOne);
      return found.slice(0, 1).map(({ lines }) => say(what, found.length, { lines, column: quote(name), name }));
    };
    return [
      ...(isExchanged ? [say('exchanged', this.#exchanged)] : []),
      ...remark('severalIds', this.#several, this.#id),
      ...remark('twoAddresses', this.#twice),
    ];
  }
}
