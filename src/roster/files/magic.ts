// Recognises a file's type by its first bytes.
import { parseJson } from '../../core/attempt.ts';
import { type RosterFormat, rosterFormats } from '../../core/rows/row.ts';

const unpack = 'Unpack it and import the file in it.';
const sameAsCsv = 'Ask for the same list as CSV.';

/** Formats that cannot be read: what they are, what to do, and the first bytes by which they are known, as Latin-1 text. */
const signatures: readonly [what: string, next: string, ...starts: string[]][] = [
  ['a PDF', sameAsCsv, '%PDF'],
  ['a bzip2 archive', unpack, 'BZh'],
  ['an xz archive', unpack, '\xfd7zXZ'],
  ['a zstd archive', unpack, '\x28\xb5\x2f\xfd'],
  ['a 7-Zip archive', unpack, '7z\xbc\xaf'],
  ['a RAR archive', unpack, 'Rar!'],
  ['a Parquet file', 'Export the table as CSV.', 'PAR1'],
  ['a SQLite database', 'Export the table as CSV.', 'SQLite format 3'],
  ['a picture', sameAsCsv, '\x89PNG', '\xff\xd8\xff', 'GIF8'],
  ['a calendar', sameAsCsv, 'BEGIN:VCALENDAR'],
  ['an e-mail', 'Save the file that is attached to it.', 'Received: ', 'Return-Path: '],
  ['a web archive (.mht) or an e-mail', 'Open it and save it as .xlsx.', 'MIME-Version:'],
  ['a PostScript document', sameAsCsv, '%!PS'],
  ['an RTF document', sameAsCsv, '{\\rtf'],
  ['a key or a signed text of PGP', 'Ask for the file encrypted, or as it is.', '-----BEGIN PGP'],
];

/** A few hundred bytes are enough. Undefined for a file that may be readable. */
export function recogniseForeign(head: Uint8Array, name: string): string | undefined {
  const text = latin1(head);
  const start = startOf(text);
  if (/\.vcf$/i.test(name) || /^BEGIN:VCARD/i.test(start)) {
    return 'this is an address book of vCards, which is not read. Export the people as CSV.';
  }
  if (/^(?:version: 1\s+)?dn:{1,2} .+=/.test(start))
    return 'this is LDIF, what a directory exports, which is not read. Read the directory itself (`ldap:` of a source), or export givenName, sn, mail and the groups as CSV.';
  if (oldStarts.some((old) => text.startsWith(old))) return beforeExcel97;
  const [what, next] = signatures.find(([, , ...starts]) => starts.some((each) => text.startsWith(each))) ?? [];
  if (what !== undefined) return `this is ${what}, which is not read. ${next}`;
  if (text.slice(257, 262) === 'ustar') return `this is a tar archive, which is not read. ${unpack}`;
  return /^<(!doctype|html|\?xml|[a-z][\w.:-]*[\s>])/i.test(start) ? noList : undefined;
}

/** The first records of workbooks of Excel 2, 3, 4 and 5 that stand alone. */
const oldStarts = ['\t\0\x04\0', '\t\x02\x06\0', '\t\x04\x06\0', '\t\b\b\0'];

/** What is said about a workbook of Excel 5 or older (BIFF5 and before): alone, or in a compound file. */
export const beforeExcel97 =
  'this is a workbook from before Excel 97, which is not read. Open it and save it as .xlsx.';

/** What is said about a web page or XML that is no list of people. */
export const noList =
  'this is a web page or XML, not a list: the download may have ended at a login page. Export the list as CSV.';

/** What a web page or an XML document says about its encoding in its first bytes, as a label. */
export function markupEncoding(head: Uint8Array): string | undefined {
  const text = latin1(head).replaceAll('\0', '');
  return (/^[^<]{0,4}<\?xml\b[^<>]{0,200}?\bencoding\s?=\s?["']([\w-]{1,40})/i.exec(text) ??
    /<meta\b[^<>]{0,200}?\bcharset\s?=\s?["']?([\w-]{1,40})/i.exec(text))?.[1]?.toLowerCase();
}

/** A web page, or a part of one, as systems write tables. */
const htmlStart = /^<(!doctype html|html|head|meta|style|body|table|div|center|font)\b/i;

/** What markup holds that may be a workbook; undefined for what is not, or for no markup. */
function recogniseMarkup(start: string): 'html' | 'xml' | undefined {
  const text = start.replace(/^<\?xml\b[^<>]{0,200}>\s{0,99}/i, '');
  if (htmlStart.test(text)) return 'html';
  const isWorkbook =
    /<(\w{1,20}:)?Workbook\b/.test(text) && text.includes('urn:schemas-microsoft-com:office:spreadsheet');
  return isWorkbook ? 'xml' : undefined;
}

function latin1(head: Uint8Array): string {
  return Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 4096)).toString('latin1');
}

/** How a text begins, without its mark; UTF-16 as Latin-1 has a NUL next to each character. */
function startOf(text: string): string {
  return text
    .replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '')
    .trimStart();
}

/** A zip archive begins with a file, its directory where it is empty, or a mark where it was split. */
const zipStarts = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];

/** Old workbooks begin as compound files do, or with the first record of one. */
const xlsStarts = ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', '\x09\x08\x10\0'];

/**
 * Whether a file is encrypted with PGP: as text, or by its first packet, a session key for a public key or a passphrase
 * (RFC 9580, 4.2 and 5.1, 5.3), whose version is no sign of a text.
 */
function isEncrypted(text: string): boolean {
  if (/^(\xef\xbb\xbf)?\s{0,99}-----BEGIN PGP MESSAGE-----/.test(text)) return true;
  const tag = text.charCodeAt(0);
  const length = text.charCodeAt(1);
  const isNew = tag >= 0xc0;
  const size = isNew ? (length < 192 ? 1 : length < 224 ? 2 : 5) : 1 << (tag & 3);
  const kind = isNew ? tag & 0x3f : (tag >> 2) & 0x0f;
  if (!(tag >= 0x80) || size > 5) return false;
  const version = text.charCodeAt(1 + size);
  return (kind === 1 && (version === 3 || version === 6)) || (kind === 3 && version >= 4 && version <= 6);
}

export type Content = 'gzip' | 'pgp' | 'zip' | 'json' | 'ndjson' | 'csv' | 'xls' | 'html' | 'xml';

/**
 * Tells by the first bytes of a file what it holds, and only where they do not say it by its name: records of JSON,
 * one on each line, are known by the second one, which the first few thousand bytes may not reach.
 */
export function recogniseContent(head: Uint8Array, name: string): Content {
  const text = latin1(head);
  if (text.startsWith('\x1f\x8b')) return 'gzip';
  if (isEncrypted(text)) return 'pgp';
  if (zipStarts.some((start) => text.startsWith(start))) return 'zip';
  if (xlsStarts.some((start) => text.startsWith(start))) return 'xls';
  const start = startOf(text);
  if (start.startsWith('<')) return recogniseMarkup(start) ?? 'csv';
  const extension = /\.(json|ndjson|jsonl)(\.(gz|pgp|gpg|asc))?$/i.exec(name)?.[1]?.toLowerCase();
  const looksLikeJson = /^(\{\s*["}]|\[\s*[{\]])/.test(start) || (extension !== undefined && /^[[{]/.test(start));
  if (!looksLikeJson) return 'csv';
  if (start.startsWith('[')) return 'json';
  const end = start.search(/[\r\n]/);
  if (end === -1 || parseJson(start.slice(0, end)) === undefined) {
    return extension === 'ndjson' || extension === 'jsonl' ? 'ndjson' : 'json';
  }
  const next = start.slice(end).trimStart();
  return next.startsWith('{') || (next === '' && extension !== 'json' && extension !== undefined) ? 'ndjson' : 'json';
}

/** What each format is called, and the endings of file names by which it is known. */
export const formats: Readonly<Record<RosterFormat, { title: string; endings: string }>> = {
  csv: { title: 'CSV', endings: 'csv tsv tab txt' },
  xlsx: { title: 'an Excel workbook (.xlsx)', endings: 'xlsx xlsm' },
  ods: { title: 'an OpenDocument spreadsheet (.ods)', endings: 'ods' },
  xls: { title: 'an old Excel workbook (.xls)', endings: 'xls' },
  html: { title: 'a web page', endings: 'htm html' },
  json: { title: 'JSON', endings: 'json' },
  ndjson: { title: 'NDJSON', endings: 'ndjson jsonl' },
  bundle: { title: 'a folder or zip archive of files', endings: '' },
};

/** The format that a file in an archive has by its name, packed or not; undefined if its name does not say it. */
export function formatByName(name: string): RosterFormat | undefined {
  const ending = /\.([^./\\]+?)(\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return rosterFormats.find((format) => ending !== '' && formats[format].endings.split(' ').includes(ending));
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
