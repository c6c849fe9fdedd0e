// Writes the rows that the filters of a file leave out to a CSV file.
import { csvText } from './csv.ts';
import { writeWhole } from './whole-file.ts';

/** A row that a filter leaves out: whose it is, where it stands, and what the filter says. */
export interface LeftOut {
  name: string;
  email: string;
  why: string;
  line: number;
}

export async function writeLeftOut(path: string, rows: readonly LeftOut[]): Promise<void> {
  async function* lines(): AsyncGenerator<string> {
    yield csvText([
      ['name', 'email', 'why', 'line'],
      ...rows.map(({ name, email, why, line }) => [name, email, why, line]),
    ]);
  }
  await writeWhole(path, lines());
}
