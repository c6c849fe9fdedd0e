// Fills templates such as `{first}.{last}@example.com` from columns.
import { cleanCell } from '../cells/clean-cell.ts';
import type { ColumnFinder } from './column-finder.ts';
import type { Column } from '../columns/columns.ts';
import { parseTemplate } from './mapping-rules.ts';

export interface Template {
  columns: Column[];
  /** The text for a row; undefined if one of its columns is empty. */
  read(cells: readonly string[]): string | undefined;
  /** The text for a row, in which an empty column leaves no double space. */
  readLoosely(cells: readonly string[]): string;
}

/** What is not there goes to the finder's problems. A cell that stands for no value (`isNone`) counts as empty. */
export function compileTemplate(
  template: string,
  finder: ColumnFinder,
  asker: string,
  isNone: (cell: string) => boolean,
): Template {
  const parts = parseTemplate(template).map((part) => {
    if ('text' in part) return part;
    return { column: finder.one(part.column, asker) };
  });
  const columns = parts.flatMap((part) => ('column' in part && part.column ? [part.column] : []));
  if (columns.length === 0 && !parts.some((part) => 'column' in part)) {
    finder.problems.push(`the template "${template}" has no {Column} in it.`);
  }
  const cellOf = (cells: readonly string[], column: Column | undefined): string => {
    const cell = column ? cleanCell(cells[column.index] ?? '') : '';
    return isNone(cell) ? '' : cell;
  };
  return {
    columns,
    read: (cells) => {
      let text = '';
      for (const part of parts) {
        const piece = 'text' in part ? part.text : cellOf(cells, part.column);
        if (piece === '') return undefined;
        text += piece;
      }
      return cleanCell(text);
    },
    readLoosely: (cells) => {
      if (columns.every((column) => cellOf(cells, column) === '')) return '';
      const text = parts.map((part) => ('text' in part ? part.text : cellOf(cells, part.column))).join('');
      return cleanCell(text).replace(/ {2,}/g, ' ');
    },
  };
}
