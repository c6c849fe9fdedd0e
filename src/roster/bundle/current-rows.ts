// Keeps the rows of a joined file that are valid today.
import { InputError } from '../../core/errors.ts';
import { readDay, type Day } from '../../core/cells/days.ts';
import { quote } from '../../core/text/quote.ts';
import type { Row } from '../../core/rows/row.ts';
import { columnOf, type CurrentRows } from './join-spec.ts';

/** Whether a row holds today, and since when (0 if it does not say); or why nobody can tell. */
export type Held = { isCurrent: boolean; start: Day } | { reason: string };

/** Judges rows by the days in them. Throws an `InputError` for a column that is not there. */
export function currentRows(
  { header, file }: { header: readonly string[]; file: string },
  { start, end, order }: CurrentRows,
  today: Day,
): (row: Row) => Held {
  const [first, last] = [start, end].map((name) => {
    if (name === undefined) return undefined;
    const index = columnOf(header, name);
    if (index === -1) throw new InputError(`${file}: it has no column ${quote(name)}, by whose day rows would count.`);
    return index;
  });
  const dayAt = (row: Row, index: number | undefined): ReturnType<typeof readDay> =>
    index === undefined ? undefined : readDay((row.cells[index] ?? '').trim(), order);
  return (row) => {
    const [from, to] = [dayAt(row, first), dayAt(row, last)];
    if (typeof from === 'object') return from;
    if (typeof to === 'object') return to;
    const isCurrent = (from === undefined || from <= today) && (to === undefined || to >= today);
    return { isCurrent, start: from ?? 0 };
  };
}
