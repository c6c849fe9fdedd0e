// Keeps cells and rows of a workbook within the length of a record.
import { InputError } from '../../core/errors.ts';
import type { ReadLimits } from '../files/limits.ts';

/** Throws an `InputError` once it is longer than a record may be. */
export function append(text: string, more: string, file: string, { record }: Pick<ReadLimits, 'record'>): string {
  if (text.length + more.length <= record) return text + more;
  throw new InputError(`${file}: one value in it is longer than ${record} characters.`);
}

export function tooLongRow(file: string, { record }: Pick<ReadLimits, 'record'>): InputError {
  return new InputError(`${file}: one row in it is longer than ${record} characters.`);
}

export function assertRowLength(cells: readonly string[], file: string, limits: Pick<ReadLimits, 'record'>): void {
  let length = 0;
  for (const cell of cells) length += cell.length;
  if (length > limits.record) throw tooLongRow(file, limits);
}
