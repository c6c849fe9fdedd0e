// Finds, by name, the columns that may say who has left or not started.
import {
  type Column,
  columnsMeaning,
  columnsOffered,
  columnsWithoutMeaning,
  groupRank,
  startDateColumn,
  statusKindOf,
} from '../../columns/columns.ts';
import { defined } from '../../defined.ts';

/** Whether a flag of this name is yes for people who are not there: `Blocked`, `disabled`. */
export function isInvertedName(name: string): boolean {
  return statusKindOf({ index: 0, name }) === 'gone';
}

/**
 * The columns that may say who is there; `statusOrElse` may also be provinces, stages or anything else, by their names, but
 * no answers to a question; `units` name groups.
 */
export function presenceColumns(columns: readonly Column[]): {
  status: Column[];
  statusOrElse: Column[];
  units: Column[];
  end: Column[];
  start?: Column;
} {
  const ends = new Set([...columnsMeaning(columns, 'endDate'), ...columnsOffered(columns, 'endDate')]);
  const start = startDateColumn(columns)?.column;
  return {
    status: columns.filter((column) => statusKindOf(column) !== undefined),
    statusOrElse: [...columnsOffered(columns, 'status'), ...columnsWithoutMeaning(columns)].filter(
      (column) => statusKindOf(column) === undefined && !column.name.includes('?'),
    ),
    units: columns.filter((column) => groupRank(column) !== undefined),
    end: columns.filter((column) => ends.has(column)),
    ...defined({ start }),
  };
}
