// Samples the first rows of a folder's files.
import { InputError } from '../../core/errors.ts';
import { isReject } from '../../core/rows/row.ts';
import type { Folder } from './folder.ts';

/** The values of a column in the rows that were looked at. */
export interface ColumnSample {
  name: string;
  /** How many rows have one. */
  filled: number;
  values: ReadonlySet<string>;
}

/** What the first rows of a file hold. */
export interface FileSample {
  file: string;
  rows: number;
  /** There are more rows than were looked at. */
  isCut: boolean;
  columns: readonly ColumnSample[];
}

/** Enough to see which columns refer to which; all of it together is some 100 MB at most. */
const most = { files: 30, columns: 60, rows: 20_000, values: 1_500_000, length: 200 };

/** Reads the first rows of a folder's files. Files that are no tables are left out. */
export async function sampleFolder(folder: Folder): Promise<FileSample[]> {
  const samples: FileSample[] = [];
  const room = { left: most.values };
  for (const name of folder.names.slice(0, most.files)) {
    const sample = await sampleFile(folder, name, room).catch((error: unknown) => {
      if (error instanceof InputError) return undefined;
      throw error;
    });
    if (sample) samples.push(sample);
  }
  return samples;
}

async function sampleFile(folder: Folder, file: string, room: { left: number }): Promise<FileSample> {
  const roster = await folder.open(file);
  try {
    const columns = roster.form.header.slice(0, most.columns).map((name) => {
      return { name: name.trim(), filled: 0, values: new Set<string>() };
    });
    let rows = 0;
    for await (const batch of roster.batches()) {
      for (const row of batch) {
        if (isReject(row)) continue;
        if (rows >= most.rows || room.left <= 0) return { file, rows, isCut: true, columns };
        rows++;
        for (const [at, column] of columns.entries()) {
          const value = (row.cells[at] ?? '').trim();
          if (value === '' || value.length > most.length) continue;
          column.filled++;
          if (!column.values.has(value)) room.left--;
          column.values.add(value);
        }
      }
    }
    return { file, rows, isCut: false, columns };
  } finally {
    await roster.close();
  }
}
