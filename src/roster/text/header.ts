// Finds the header of a table, below any title lines.
import { isEmailAddress } from '../../core/cells/read-cell.ts';
import { defaultLimits } from '../files/limits.ts';
import { columnsMeaning, listColumns, wholeNameColumns } from '../../core/columns/columns.ts';
import { listed, quote } from '../../core/text/format.ts';
import { say } from '../../core/words/say.ts';

const mostLinesAbove = 40;

/**
 * Finds the header among the first records of a table, none of them blank: the first one, unless those above another
 * are titles ("Employee report", "Printed on: 2026-03-01", `version:v1.0`): far fewer filled cells than the table is
 * wide. A record under titles counts as the header only where it looks like one, so that no person is taken for it.
 * Gives its index.
 */
export function findHeader(records: readonly (readonly string[])[]): number {
  const width = usualWidth(records);
  const found = records.slice(0, mostLinesAbove).findIndex((cells) => !isTitle(cells, width));
  const header = records[found];
  const below = records[found + 1];
  if (header && below && isSpanning(header, below) && !records.slice(0, found).some(namesFields)) return found + 1;
  if (found < 1 || !header) return 0;
  const above = records.slice(0, found);
  if (above.some(namesFields)) return 0;
  if (namesFields(header)) return found;
  const areSingle = above.every((cells) => cells.length === 1);
  if (areSingle && looksLikeHeader(header)) return found;
  // A report may have a table of figures above that of its people.
  const people = records.slice(0, mostLinesAbove).findIndex(namesPerson);
  return records.slice(0, Math.max(0, people)).flat().some(isEmailAddress) ? 0 : Math.max(0, people);
}

/**
 * A person must never become the header: the second one has to name the address and a name, with no address in it.
 */
function isSpanning(above: readonly string[], below: readonly string[]): boolean {
  const hasGap = below.some((cell, at) => cell.trim() !== '' && (above[at] ?? '').trim() === '');
  return hasGap && !namesFields(above) && namesPerson(below);
}

/** Whether a record can be a header, and names the address and a name. */
function namesPerson(cells: readonly string[]): boolean {
  if (!namesFields(cells) || !looksLikeHeader(cells)) return false;
  const columns = listColumns(cells);
  return columnsMeaning(columns, 'email').length > 0 && kindsOfName(columns) > 0;
}

/** How many of first name, last name and whole name columns are called. */
function kindsOfName(columns: ReturnType<typeof listColumns>): number {
  const found = [columnsMeaning(columns, 'firstname'), columnsMeaning(columns, 'lastname'), wholeNameColumns(columns)];
  return found.filter(({ length }) => length > 0).length;
}

/** The width that most records have, empty cells at their end left out; of two as frequent, the larger. */
function usualWidth(records: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const cells of records) {
    const width = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
    counts.set(width, (counts.get(width) ?? 0) + 1);
  }
  let [best, most] = [0, 0];
  for (const [width, count] of counts)
    if (count > most || (count === most && width > best)) [best, most] = [width, count];
  return best;
}

function isTitle(cells: readonly string[], width: number): boolean {
  let filled = 0;
  for (const cell of cells) if (cell !== '' && cell.trim() !== '') filled++;
  return filled <= 2 && filled * 2 <= width;
}

/** Whether a record has the names of at least two columns that give fields of a person, or that of the e-mail. */
export function namesFields(cells: readonly string[]): boolean {
  if (cells.length > defaultLimits.columns) return false;
  const columns = listColumns(cells);
  return columnsMeaning(columns, 'email').length > 0 || kindsOfName(columns) >= 2;
}

/** Whether a record can be names of columns: no address, no number, nothing twice, almost nothing empty. */
function looksLikeHeader(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (filled.length * 2 <= cells.length || new Set(filled).size < filled.length) return false;
  return filled.every((cell) => !isEmailAddress(cell) && !/^[\d\s.,:/-]+$/.test(cell));
}

export function headerNotes(header: readonly string[]): string[] {
  const places = new Map<string, string[]>();
  for (const [index, name] of header.entries()) {
    const key = name.trim();
    places.set(key, [...(places.get(key) ?? []), String(index + 1)]);
  }
  const empty = places.get('') ?? [];
  places.delete('');
  const notes = [...places]
    .filter(([, columns]) => columns.length > 1)
    .map(([name, columns]) => say('sameNames', columns.length, { column: quote(name), columns: listed(columns) }));
  return empty.length === 0 ? notes : [...notes, say('noNames', empty.length, { columns: listed(empty) })];
}
