// Writes the rows that the filters of a file leave out as CSV.
import { csvLines } from './csv.ts';

/** A row that a filter leaves out: whose it is, where it stands, and what the filter says. */
export interface LeftOut {
  name: string;
  email: string;
  why: string;
  line: number;
}

export const leftOutCsv = (rows: readonly LeftOut[]): AsyncGenerator<string> =>
  csvLines(['name', 'email', 'why', 'line'], rows, ({ name, email, why, line }) => [name, email, why, line]);
