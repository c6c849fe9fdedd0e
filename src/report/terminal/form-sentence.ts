// Says in a few words how a roster is written: `UTF-8, comma`.
import { escapeText } from '../../core/text/format.ts';
import type { RosterForm } from '../../core/rows/row.ts';
import { indent } from './style.ts';

const delimiters: Record<string, string> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe',
  ':': 'colon',
  ' ': 'space',
};

const formats = {
  xlsx: 'Excel',
  ods: 'OpenDocument',
  xls: 'Excel (.xls)',
  html: 'HTML',
  json: 'JSON',
  ndjson: 'NDJSON',
  bundle: 'several files',
};

export function formSentence({ format, encoding, delimiter, part }: RosterForm): string {
  if (format !== 'csv') {
    const what = format === 'xlsx' || format === 'ods' || format === 'xls' ? 'sheet ' : '';
    return part === undefined ? formats[format] : `${formats[format]}, ${what}${escapeText(part)}`;
  }
  return `${nameOf(encoding)}, ${delimiters[delimiter] ?? `"${escapeText(delimiter)}"`}`;
}

/** `UTF-16 LE`, `Windows-1250`, `ISO-8859-2`, `Macintosh`. */
function nameOf(encoding: string): string {
  const label = escapeText(encoding);
  if (label.startsWith('utf-16')) return `UTF-16 ${label.slice(-2).toUpperCase()}`;
  if (/^(utf|iso|koi8|ibm)/.test(label)) return label.toUpperCase();
  return label.replace(/^(x-)?[a-z]/, (start) => start.toUpperCase());
}

/** How a roster was read whose encoding was judged by its words, so that somebody sees whether that is right. */
export function readAsLines({ readAs = [] }: RosterForm): string[] {
  return readAs.map((line) => `${indent}read as ${escapeText(line)}`);
}
