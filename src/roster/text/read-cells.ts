// Reads the cells of a small CSV file that is no roster.
import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import Papa from 'papaparse';
import { InputError } from '../../core/errors.ts';
import { readFailure } from '../files/read-failure.ts';

/** The rows of a CSV file in UTF-8, with commas, semicolons or tabs; blank ones are left out. */
export async function readCells(file: string): Promise<string[][]> {
  const bytes = await readFile(file).catch((error: unknown) => Promise.reject(readFailure(file, error)));
  if (!isUtf8(bytes)) throw new InputError(`${file}: it is not in UTF-8. Save it as "CSV UTF-8".`);
  const text = new TextDecoder().decode(bytes);
  return Papa.parse<string[]>(text, { header: false, skipEmptyLines: 'greedy' }).data;
}
