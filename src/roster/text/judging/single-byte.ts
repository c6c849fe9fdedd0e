// The tables of single-byte encodings, from bytes to characters and back.
import { unreadTables } from './unread-tables.ts';

/** The single-byte encodings of the WHATWG Encoding Standard (section 9), without the one for binary data. */
// prettier-ignore
export const singleByteEncodings = [
  'windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256',
  'windows-1257', 'windows-1258', 'windows-874', 'iso-8859-2', 'iso-8859-3', 'iso-8859-4', 'iso-8859-5', 'iso-8859-6',
  'iso-8859-7', 'iso-8859-8', 'iso-8859-8-i', 'iso-8859-10', 'iso-8859-13', 'iso-8859-14', 'iso-8859-15', 'iso-8859-16',
  'koi8-r', 'koi8-u', 'ibm866', 'macintosh', 'x-mac-cyrillic',
] as const;

/** A single-byte encoding, as the WHATWG names it. */
export type SingleByte = (typeof singleByteEncodings)[number];

/** An encoding that is recognised and not read. */
export type Unread = keyof typeof unreadTables;

/** Tells an encoding that is only recognised. */
export function isUnread(encoding: string): encoding is Unread {
  return Object.hasOwn(unreadTables, encoding);
}

const tables = new Map<string, readonly string[]>();

/** The character of each of the 256 bytes; U+FFFD for a byte that means nothing. */
export function decodeTable(encoding: SingleByte | Unread): readonly string[] {
  const known = tables.get(encoding);
  if (known) return known;
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const table = isUnread(encoding)
    ? [...new TextDecoder().decode(bytes.subarray(0, 128)), ...unreadTables[encoding]]
    : [...new TextDecoder(encoding).decode(bytes)];
  tables.set(encoding, table);
  return table;
}

const inverses = new Map<SingleByte, ReadonlyMap<string, number>>();

/** The byte of each character that the encoding has: the inverse of its decoder. */
export function encodeTable(encoding: SingleByte): ReadonlyMap<string, number> {
  const known = inverses.get(encoding);
  if (known) return known;
  const bytes = new Map(decodeTable(encoding).map((character, byte) => [character, byte]));
  bytes.delete('\ufffd');
  inverses.set(encoding, bytes);
  return bytes;
}
