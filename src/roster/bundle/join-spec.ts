// The types of a join: the steps from one file to another.
import type { ReadSettings } from '../../../config/read-schema.ts';

type JoinSettings = NonNullable<ReadSettings['join']>;

/** A file with a row for each person, and the columns that are joined to it. Values are compared in any case. */
export type JoinPeople = JoinSettings['people'][number] & {
  /** The column of e-mail addresses, and one that gives the address if the first has none. Added where it is missing. */
  addresses?: { column: string; from: string };
};

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
