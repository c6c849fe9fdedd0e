// The tables of single-byte encodings, from bytes to characters and back.
import { createRequire } from 'node:module';
import type * as IconvLite from 'iconv-lite';

/** Encodings of DOS and of old Macs, as iconv-lite names them; the WHATWG does not have them. */
// prettier-ignore
const older = [
  'cp437', 'cp720', 'cp737', 'cp775', 'cp850', 'cp852', 'cp855', 'cp857', 'cp858', 'cp860', 'cp861', 'cp862', 'cp863',
  'cp865', 'cp869', 'maccenteuro', 'maccroatian', 'macgreek', 'maciceland', 'macromania', 'macturkish',
] as const;

type Older = (typeof older)[number];

/** These, and the single-byte encodings of the WHATWG Encoding Standard (section 9), without the one for binary data. */
// prettier-ignore
export const singleByteEncodings = [
  ...older,
  'windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256',
  'windows-1257', 'windows-1258', 'windows-874', 'iso-8859-2', 'iso-8859-3', 'iso-8859-4', 'iso-8859-5', 'iso-8859-6',
  'iso-8859-7', 'iso-8859-8', 'iso-8859-8-i', 'iso-8859-10', 'iso-8859-13', 'iso-8859-14', 'iso-8859-15', 'iso-8859-16',
  'koi8-r', 'koi8-u', 'ibm866', 'macintosh', 'x-mac-cyrillic',
] as const;

export type SingleByte = (typeof singleByteEncodings)[number];

const isOlder = (encoding: string): encoding is Older => older.some((known) => known === encoding);

/** Loaded for a file that needs it only: it takes some 50 ms. */
function iconv(): typeof IconvLite {
  return createRequire(import.meta.url)('iconv-lite') as typeof IconvLite;
}

/** Decodes the bytes of a file part by part; without bytes, at its end. Throws for bytes that are not of the encoding. */
export interface Decoder {
  decode(bytes?: Uint8Array, options?: { stream: boolean }): string;
}

/** A decoder that leaves byte order marks in the text. */
export function decoderOf(encoding: string): Decoder {
  if (!isOlder(encoding)) return new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const decoder = iconv().getDecoder(encoding);
  return {
    decode(bytes) {
      const text = (bytes ? decoder.write(Buffer.from(bytes)) : decoder.end()) ?? '';
      if (text.includes('\ufffd')) throw new TypeError(`a byte that ${encoding} does not have`);
      return text;
    },
  };
}

const tables = new Map<string, readonly string[]>();

/** The character of each of the 256 bytes; U+FFFD for a byte that means nothing. */
export function decodeTable(encoding: SingleByte): readonly string[] {
  const known = tables.get(encoding);
  if (known) return known;
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const table = [...(isOlder(encoding) ? iconv().decode(bytes, encoding) : new TextDecoder(encoding).decode(bytes))];
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
