// The types of a join: the steps from one file to another, and how columns are found.
import type { Bundle } from '../../../config/bundle-schema.ts';

/** A file with a row for each person, and the columns that are joined to it. Values are compared in any case. */
export type JoinPeople = Bundle['people'][number];

/** A way from a person to the values of a column; without a step, to their own. */
export type JoinColumn = JoinPeople['columns'][string][number];

/** One step from a value to others: the rows of a file in which a column holds it, and what another column holds there. */
export type JoinStep = JoinColumn['steps'][number];

/** Which rows hold today: from the day in one column to the day in another, both included. */
export type CurrentRows = NonNullable<JoinStep['current']>;

/** How the files of a folder or an archive belong together. Column names as the headers write them, in any case. */
export interface JoinSpec {
  people: JoinPeople[];
}

/** The column of a header that is meant by a name: as it is written, else in any case. */
export function columnOf(header: readonly string[], name: string): number {
  const wanted = name.trim();
  const exact = header.findIndex((column) => column.trim() === wanted);
  if (exact !== -1) return exact;
  return header.findIndex((column) => column.trim().toLowerCase() === wanted.toLowerCase());
}
