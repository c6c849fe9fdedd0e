// Chooses the output format from `--format` or the ending of the `-o` file.
import { extname } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/escape.ts';

/** Undefined if neither is given. Throws an `InputError` for anything else. */
export function outputFormat<Format extends string>(
  formats: readonly Format[],
  format: string | undefined,
  output: string | undefined,
): Format | undefined {
  const ending = output === undefined ? '' : extname(output).slice(1).toLowerCase();
  const found = formats.find((one) => one === (format ?? ending));
  if (found === 'xlsx' && output === undefined)
    throw new InputError('--format xlsx: a workbook is no text; name a file with -o.');
  if (found !== undefined) return found;
  const all = formats.join(', ');
  if (format !== undefined) throw new InputError(`--format ${escapeText(format)}: write one of ${all}.`);
  if (output === undefined) return undefined;
  throw new InputError(`-o ${escapeText(output)}: its ending names no format; add --format with one of ${all}.`);
}
