const exportAsCsv = 'Open it and save it as CSV UTF-8, then import that file.';
const unpack = 'Unpack it and import the CSV file in it.';

/** First bytes by which formats are known, as Latin-1 text. */
const signatures: readonly { start: string; what: string; next: string }[] = [
  { start: '\xd0\xcf\x11\xe0', what: 'an old Excel workbook (.xls)', next: exportAsCsv },
  { start: '%PDF', what: 'a PDF', next: 'Ask for the same list as CSV.' },
  { start: '\x1f\x8b', what: 'a gzip archive', next: unpack },
  { start: 'BZh', what: 'a bzip2 archive', next: unpack },
  { start: '\xfd7zXZ', what: 'an xz archive', next: unpack },
  { start: '\x28\xb5\x2f\xfd', what: 'a zstd archive', next: unpack },
  { start: '7z\xbc\xaf', what: 'a 7-Zip archive', next: unpack },
  { start: 'Rar!', what: 'a RAR archive', next: unpack },
  { start: 'PAR1', what: 'a Parquet file', next: 'Export the table as CSV.' },
  { start: 'SQLite format 3', what: 'a SQLite database', next: 'Export the table as CSV.' },
  { start: '\x89PNG', what: 'a picture', next: 'Ask for the same list as CSV.' },
  { start: '\xff\xd8\xff', what: 'a picture', next: 'Ask for the same list as CSV.' },
  { start: '{\\rtf', what: 'an RTF document', next: 'Ask for the same list as CSV.' },
];

/**
 * Says what a file is that is no text, by its first bytes (a few hundred are enough), with what to do instead.
 * Undefined for what may be CSV.
 */
export function recogniseBinary(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 4096)).toString('latin1');
  if (text.startsWith('PK\x03\x04') || text.startsWith('PK\x05\x06')) return zipKind(text);
  const found = signatures.find(({ start }) => text.startsWith(start));
  if (found) return `this is ${found.what}, not CSV. ${found.next}`;
  const start = text.replace(/^\xef\xbb\xbf/, '').trimStart();
  if (/^<(!doctype|html|\?xml)/i.test(start)) {
    return 'this is a web page or XML, not CSV: the download may have ended at a login page. Export the list as CSV.';
  }
  if (/^(\{\s*["}]|\[\s*[{\]])/.test(start)) return 'this is JSON, not CSV. Export the list as CSV.';
  return undefined;
}

function zipKind(text: string): string {
  if (text.includes('[Content_Types].xml') || /\bxl\//.test(text)) {
    return `this is an Excel workbook (.xlsx), not CSV. ${exportAsCsv}`;
  }
  if (text.includes('opendocument.spreadsheet')) return `this is an OpenDocument spreadsheet, not CSV. ${exportAsCsv}`;
  return `this is a zip archive, not CSV. ${unpack}`;
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
