// Collects what the presence columns say while a roster is read.
import { cleanCell } from '../../cells/read-cell.ts';
import { type Day, readDay } from '../../cells/days.ts';
import { readFlag, saysNoEnd } from '../../cells/status-words.ts';
import {
  type Column,
  columnsMeaning,
  columnsOfDay,
  columnsOffered,
  columnsWithoutMeaning,
  groupRank,
  listColumns,
  startDateColumns,
  statusKindOf,
} from '../../columns/columns.ts';
import { defined } from '../../defined.ts';
import type { CompiledCondition, Test } from '../../mapping/filter.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { isAction } from '../../headings/read-heading.ts';
import { quote, shownText } from '../../text/format.ts';
import { say } from '../../words/say.ts';
import { isRejectColumn, sheetColumn } from '../../rows/row.ts';
import { type DaySign, sayWords, type Sign } from './sign.ts';
import { StatusTally } from './status-tally.ts';

interface PresenceTakerOptions {
  today?: Day;
  except?: readonly number[];
  rules?: readonly CompiledCondition[];
}

/** Only columns with a fitting name are checked, and no cell is kept: memory does not grow with the rows. */
export class PresenceTaker {
  readonly #columns: { index: number; tally: StatusTally | DayTally; isQuiet: boolean; rules: Test[] }[] = [];

  /**
   * @param today without it no day is past or to come
   * @param except columns that are asked about already: a first day that people wait for, groups, of which only names such as
   *   `Leavers` are asked about
   * @param rules what judges the cells of their columns: those of texts only the cells for which they hold. `only` for one column
   *   says nothing of the last days in another
   */
  constructor(header: readonly string[], { today, except = [], rules = [] }: PresenceTakerOptions = {}) {
    const settled = rules.flatMap(({ column, isOfTexts }) => (column && !isOfTexts ? column.index : []));
    const columns = listColumns(header).filter(({ name, index }) => !isRejectColumn(name) && !settled.includes(index));
    const rulesOf = (at: number): Test[] => rules.flatMap(({ column, holds }) => (column?.index === at ? holds : []));
    const ends = new Set([...columnsMeaning(columns, 'endDate'), ...columnsOffered(columns, 'endDate')]);
    const end = columns.filter((column) => ends.has(column));
    const starts = startDateColumns(columns);
    const isAsked = ({ index }: Column): boolean => except.includes(index);
    const actions = columns.filter((column) => isAction(column.name) && !isAsked(column));
    const status = columns.filter((column) => statusKindOf(column) !== undefined);
    // They may also be provinces, stages or anything else, by their names, but no answers to a question.
    const offered = columnsOffered(columns, 'status');
    const begun = offered.filter((column) => columnsOffered([column], 'startDate').length > 0);
    const others = [...offered, ...columnsWithoutMeaning(columns)].filter(
      (column) =>
        ![...status, ...actions].includes(column) &&
        !(column.name.includes('?') || column.name === sheetColumn) &&
        !isAsked(column),
    );
    const isUnit = (column: Column): boolean =>
      groupRank(column) !== undefined || column.name === sheetColumn || (isAsked(column) && !starts.includes(column));
    const take = (found: readonly Column[], tallyOf: (name: string) => StatusTally | DayTally, isQuiet = false): void =>
      void this.#columns.push(
        ...found.map(({ index, name }) => ({ index, tally: tallyOf(name), isQuiet, rules: rulesOf(index) })),
      );
    take(status, (name) => new StatusTally(name));
    take(others, (name) => new StatusTally(name, 'doubtful'));
    take(begun, (name) => new StatusTally(name, 'begun'));
    take(actions, (name) => new StatusTally(name, 'actions'));
    take(columns.filter(isUnit), (name) => new StatusTally(name, 'units'));
    take(end, (name) => new StatusTally(name, 'flags'));
    if (today === undefined) return;
    take(end, (name) => new DayTally('end', name, today));
    // A column such as `Left` may hold the day. Its other texts are no days that cannot be read.
    const gone = status.filter((column) => statusKindOf(column) === 'gone');
    take(gone, (name) => new DayTally('end', name, today), true);
    take(columnsOfDay(columns, 'end'), (name) => new DayTally('end', name, today), true);
    if (!starts.some(isAsked)) take(starts, (name) => new DayTally('start', name, today));
  }

  row(cells: readonly string[]): void {
    for (const { index, tally, rules } of this.#columns)
      if (!rules.some((holds) => holds(cells) === true)) tally.add(cells[index] ?? '');
  }

  get hasColumns(): boolean {
    return this.#columns.some(({ tally, isQuiet }) => {
      if (isQuiet) return tally.sign() !== undefined;
      return tally instanceof DayTally || tally.isUnderstood;
    });
  }

  /** What is not understood of people who are sent, each as one sentence without its full stop. */
  remarks(): string[] {
    return this.#columns.flatMap(({ index, tally, isQuiet }) => {
      if (tally instanceof DayTally) return isQuiet ? [] : tally.remark();
      if (tally.sign()) return [];
      const [unknown, ended] = [tally.unknown(), tally.mentioned()];
      if (ended.length > 0) return [sayWords('endedStatus', tally.column || `Column ${index + 1}`, ended)];
      return unknown.length > 0 ? [sayWords('unknownStatus', tally.column, unknown)] : [];
    });
  }

  signs(): Sign[] {
    const all = { dmy: 0, mdy: 0 };
    for (const { tally } of this.#columns) {
      if (!(tally instanceof DayTally)) continue;
      all.dmy += tally.bad.dmy;
      all.mdy += tally.bad.mdy;
    }
    return this.#columns.flatMap(({ tally }) => (tally instanceof DayTally ? tally.sign(all) : tally.sign()) ?? []);
  }
}

/** The number of different cells remembered, so that each is understood once. */
const mostKept = 4096;
/** So many cells that are no days are shown. */
const mostShown = 3;

/** In which of the two orders of day and month a cell gives a day that counts, and in which it cannot be read. */
interface Reading {
  counts: Record<'dmy' | 'mdy', boolean>;
  bad: Record<'dmy' | 'mdy', boolean>;
  isAmbiguous: boolean;
  /** It says that there is no day: `permanent`, `NULL`, `No`. */
  isOpen: boolean;
}

type OrderCounts = Record<'dmy' | 'mdy', number>;

export class DayTally {
  readonly #kind: DaySign['kind'];
  readonly column: string;
  readonly #today: Day;
  readonly #known = new Map<string, Reading>();
  readonly #found = { dmy: 0, mdy: 0 };
  readonly #bad = { dmy: 0, mdy: 0 };
  readonly #unreadable = { rows: 0, texts: new Set<string>() };
  #filled = 0;
  #ambiguous = 0;

  constructor(kind: DaySign['kind'], column: string, today: Day) {
    this.#kind = kind;
    this.column = column;
    this.#today = today;
  }

  add(cell: string): void {
    if (cell === '') return;
    const { counts, bad, isAmbiguous, isOpen } = this.#read(cell);
    if (isOpen) return;
    this.#filled += 1;
    if (isAmbiguous) this.#ambiguous += 1;
    for (const order of ['dmy', 'mdy'] as const) {
      if (counts[order]) this.#found[order] += 1;
      if (bad[order]) this.#bad[order] += 1;
    }
    if (!bad.dmy || !bad.mdy || readFlag(cell) !== undefined) return;
    this.#unreadable.rows += 1;
    if (this.#unreadable.texts.size < mostShown) this.#unreadable.texts.add(Buffer.from(cell).toString());
  }

  /** What is said about rows whose cell is no day in any order. */
  remark(): string[] {
    const { rows, texts } = this.#unreadable;
    const words = [...texts].map((text) => quote(text)).join(', ');
    return rows === 0 ? [] : [say('unreadableDays', rows, { column: shownText(this.column), words })];
  }

  /** The cells that are no days in each of the two orders of day and month. */
  get bad(): Readonly<OrderCounts> {
    return this.#bad;
  }

  /**
   * Undefined if nobody has left by it, or not begun, or most cells are no days. `all`: what is no day in any column.
   */
  sign(all: Readonly<OrderCounts> = this.#bad): DaySign | undefined {
    // Of two orders the likelier one is that in which more cells can be days, else that by which more people are left out.
    const bad = this.#bad.dmy === this.#bad.mdy ? all : this.#bad;
    const isGuess = bad.dmy === bad.mdy;
    const by = isGuess ? { dmy: -this.#found.dmy, mdy: -this.#found.mdy } : bad;
    const order = by.dmy < by.mdy ? 'dmy' : 'mdy';
    const rows = this.#found[order];
    if (rows === 0 || this.#bad[order] * 2 > this.#filled) return undefined;
    const ambiguous = this.#ambiguous > 0 && ({ order, ...(isGuess && { isGuess }) } as const);
    return { kind: this.#kind, column: this.column, rows, ...ambiguous };
  }

  #read(cell: string): Reading {
    const known = this.#known.get(cell);
    if (known) return known;
    const text = cleanCell(cell);
    const [dmy, mdy] = [readDay(text, 'dmy'), readDay(text, 'mdy')];
    const reading: Reading = {
      counts: { dmy: this.#isCounted(dmy), mdy: this.#isCounted(mdy) },
      bad: { dmy: typeof dmy === 'object', mdy: typeof mdy === 'object' },
      isOpen: saysNoEnd(text),
      isAmbiguous: typeof readDay(text) === 'object' && (typeof dmy === 'number' || typeof mdy === 'number'),
    };
    // A copy: a part of a text would keep all of it in memory.
    if (this.#known.size < mostKept) this.#known.set(Buffer.from(cell).toString(), reading);
    return reading;
  }

  #isCounted(day: ReturnType<typeof readDay>): boolean {
    if (typeof day !== 'number') return false;
    return this.#kind === 'end' ? day < this.#today : day > this.#today;
  }
}

/** What collects who has left or not started, by columns that no rule judges, and by words for which none holds. */
export function presenceOf(
  header: readonly string[],
  { today, fields, groups, only, except, leavers }: Mapping,
): PresenceTaker {
  const asked = [...(fields.startDate?.columns ?? []), ...groups.flatMap(({ columns }) => columns)];
  const rules = [...only, ...except, ...leavers];
  return new PresenceTaker(header, { except: asked.map(({ index }) => index), rules, ...defined({ today }) });
}
