/** One step from a value to others: the rows of a file in which a column holds it, and what another column holds there. */
export interface JoinStep {
  /** A file of the folder or archive: `enrollments.csv`. */
  file: string;
  /** The column of that file that is compared. */
  where: string;
  /** The column of that file whose value is taken. */
  take: string;
  /** Only rows in which these columns hold one of these values, in any case, count. */
  only?: Readonly<Record<string, readonly string[]>>;
  /** Rows in which these columns hold one of these values, in any case, do not count. */
  except?: Readonly<Record<string, readonly string[]>>;
}

/** A way from a person to the values of a column. */
export interface JoinColumn {
  /** The column of the person's row to begin with. */
  from: string;
  /** What parts several values in that column. */
  split?: string;
  /** Where it leads, one step after the other; the values after the last one are the cell, joined by `;`. Without one, its own. */
  steps: readonly JoinStep[];
}

/** A file with a row for each person, and the columns that are joined to it. */
export interface JoinPeople {
  file: string;
  /** For each new column, the ways that lead to its values; those of all ways are united. */
  columns: Readonly<Record<string, readonly JoinColumn[]>>;
  /** The column of e-mail addresses, and one whose address stands in where it has none. Added where it is missing. */
  addresses?: { column: string; from: string };
  /** Columns that hold the same for everybody in the file. */
  set?: Readonly<Record<string, string>>;
  /** Rows that the file itself says are nobody to enrol: column, values in any case. */
  leaveOut?: Readonly<Record<string, readonly string[]>>;
}

/** How the files of a folder or an archive belong together. Column names as the headers write them, in any case. */
export interface JoinSpec {
  people: readonly JoinPeople[];
}
