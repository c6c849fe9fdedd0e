import { escapeText } from '../core/escape.ts';
import type { RosterForm } from '../core/row.ts';

const encodings: Record<string, string> = {
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
};
const delimiters: Record<string, string> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe',
  ':': 'colon',
  ' ': 'space',
};

const formats = { xlsx: 'Excel', json: 'JSON', ndjson: 'NDJSON', bundle: 'several files' };

/** How a roster is written: `UTF-8, comma`; `Excel, sheet Staff`. */
export function formSentence({ format, encoding, delimiter, part }: RosterForm): string {
  if (format !== 'csv') {
    const what = format === 'xlsx' ? 'sheet ' : '';
    return part === undefined ? formats[format] : `${formats[format]}, ${what}${escapeText(part)}`;
  }
  const name = encodings[encoding] ?? escapeText(encoding).toUpperCase();
  return `${name}, ${delimiters[delimiter] ?? `"${escapeText(delimiter)}"`}`;
}
