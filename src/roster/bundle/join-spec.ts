// The types of a join: the steps from one file to another.

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
  /** Only rows that hold today count: the contract or enrolment of now. */
  current?: CurrentRows;
}

/** Which rows hold today: from the day in one column to the day in another, both included. */
export interface CurrentRows {
  /** The column of the first day; without it, or where it is empty, it has begun. */
  start?: string;
  /** The column of the last day; without it, or where it is empty, it goes on. */
  end?: string;
  /** How days such as `03/04/2026` are meant. */
  order?: 'dmy' | 'mdy';
  /** `newest`: where none of the rows of one value of `where` holds today, those with the newest start count. */
  else?: 'newest';
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
  /** The column of e-mail addresses, and one that gives the address if the first has none. Added where it is missing. */
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
