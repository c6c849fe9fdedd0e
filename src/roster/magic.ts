import type { RosterFormat } from '../core/row.ts';

const exportAsCsv = 'Open it and save it as CSV UTF-8 or as .xlsx, then import that file.';
const unpack = 'Unpack it and import the file in it.';
const sameAsCsv = 'Ask for the same list as CSV.';

/** First bytes by which formats are known that cannot be read, as Latin-1 text. */
const signatures: readonly { start: string; what: string; next: string }[] = [
  {
    start: '\xd0\xcf\x11\xe0',
    what: 'an old Excel workbook (.xls), or a workbook that is locked with a password',
    next: exportAsCsv,
  },
  { start: '%PDF', what: 'a PDF', next: sameAsCsv },
  { start: 'BZh', what: 'a bzip2 archive', next: unpack },
  { start: '\xfd7zXZ', what: 'an xz archive', next: unpack },
  { start: '\x28\xb5\x2f\xfd', what: 'a zstd archive', next: unpack },
  { start: '7z\xbc\xaf', what: 'a 7-Zip archive', next: unpack },
  { start: 'Rar!', what: 'a RAR archive', next: unpack },
  { start: 'PAR1', what: 'a Parquet file', next: 'Export the table as CSV.' },
  { start: 'SQLite format 3', what: 'a SQLite database', next: 'Export the table as CSV.' },
  { start: '\x89PNG', what: 'a picture', next: sameAsCsv },
  { start: '\xff\xd8\xff', what: 'a picture', next: sameAsCsv },
  { start: 'GIF8', what: 'a picture', next: sameAsCsv },
  { start: 'BEGIN:VCALENDAR', what: 'a calendar', next: sameAsCsv },
  { start: 'Received: ', what: 'an e-mail', next: 'Save the file that is attached to it.' },
  { start: 'Return-Path: ', what: 'an e-mail', next: 'Save the file that is attached to it.' },
  { start: '%!PS', what: 'a PostScript document', next: sameAsCsv },
  { start: '{\\rtf', what: 'an RTF document', next: sameAsCsv },
  { start: '-----BEGIN PGP', what: 'encrypted with PGP', next: 'Decrypt it first.' },
];

/**
 * Says what a file is that cannot be read, by its first bytes (a few hundred are enough), with what to do instead.
 * Undefined for what may be readable.
 */
export function recogniseForeign(head: Uint8Array): string | undefined {
  const text = latin1(head);
  const found = signatures.find(({ start }) => text.startsWith(start));
  if (found) return `this is ${found.what}, which is not read. ${found.next}`;
  if (text.slice(257, 262) === 'ustar') return `this is a tar archive, which is not read. ${unpack}`;
  if (/^<(!doctype|html|\?xml|[a-z][\w.:-]*[\s>])/i.test(text.replace(/^\xef\xbb\xbf/, '').trimStart())) {
    return 'this is a web page or XML, not a list: the download may have ended at a login page. Export the list as CSV.';
  }
  return undefined;
}

function latin1(head: Uint8Array): string {
  return Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 4096)).toString('latin1');
}

/** A zip archive begins with a file, its directory where it is empty, or a mark where it was split. */
const zipStarts = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];

/** What a file holds, as far as its first bytes say. */
export type Content = 'gzip' | 'zip' | 'json' | 'ndjson' | 'csv' | 'vcard';

/**
 * Tells by the first bytes of a file what it holds, and only where they do not say it by its name: records of JSON,
 * one on each line, are known by the second one, which the first few thousand bytes may not reach.
 */
export function recogniseContent(head: Uint8Array, name: string): Content {
  const text = latin1(head);
  if (text.startsWith('\x1f\x8b')) return 'gzip';
  if (zipStarts.some((start) => text.startsWith(start))) return 'zip';
  // UTF-16 as Latin-1 has a NUL beside each character.
  const start = text
    .replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '')
    .trimStart();
  if (/^BEGIN:VCARD/i.test(start)) return 'vcard';
  const extension = /\.(json|ndjson|jsonl)(\.gz)?$/i.exec(name)?.[1]?.toLowerCase();
  const looksLikeJson = /^(\{\s*["}]|\[\s*[{\]])/.test(start) || (extension !== undefined && /^[[{]/.test(start));
  if (!looksLikeJson) return 'csv';
  if (start.startsWith('[')) return 'json';
  const end = start.search(/[\r\n]/);
  if (end === -1 || !isJson(start.slice(0, end))) {
    return extension === 'ndjson' || extension === 'jsonl' ? 'ndjson' : 'json';
  }
  const next = start.slice(end).trimStart();
  return next.startsWith('{') || (next === '' && extension !== 'json' && extension !== undefined) ? 'ndjson' : 'json';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The endings of file names, as far as they name a format. */
const endings: Record<string, RosterFormat> = {
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
};

/** The format that a file in an archive has by its name, packed or not; undefined where its name does not say it. */
export function formatByName(name: string): RosterFormat | undefined {
  return endings[/\.([^./\\]+?)(\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? ''];
}

/** Whether bytes with NULs in them look like UTF-16 without a byte order mark, and which. */
export function recogniseUtf16(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const zeros = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2 === 0 ? 0 : 1]! += 1;
  const [even = 0, odd = 0] = zeros;
  const many = head.length / 4;
  if (odd > many && even < odd / 10) return 'utf-16le';
  if (even > many && odd < even / 10) return 'utf-16be';
  return undefined;
}
