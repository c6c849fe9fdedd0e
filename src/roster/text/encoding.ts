// Names encodings, finds byte order marks, has the tables of single-byte encodings, and decodes bytes to text.
import { attempt } from '../../core/attempt.ts';
import { refusal, InputError } from '../../core/errors.ts';
import { createRequire } from 'node:module';
import type * as IconvLite from 'iconv-lite';

const unicode = ['utf-8', 'utf-16le', 'utf-16be'] as const;
/** Encodings with several bytes for a character: read where they are asked for, never found, never written. */
const multiByte = ['shift_jis', 'euc-jp', 'gbk', 'gb18030', 'big5', 'euc-kr'] as const;

export const isMultiByte = (encoding: string): boolean => multiByte.some((known) => known === encoding);

/** The encodings that are written, as WHATWG or, of DOS and old Macs, iconv-lite names them. */
export type WrittenEncoding = (typeof unicode)[number] | SingleByte;
/** The encodings that are read. */
export type Encoding = WrittenEncoding | (typeof multiByte)[number];

/** Any WHATWG label, `UTF8`, `latin1`, `cp1250`, `IBM-850`. Throws an `InputError` for one that is not read here. */
export function parseEncoding(name: string): Encoding {
  const label = name.trim().replace(/^utf16/i, 'utf-16');
  const older = label.toLowerCase().replace(/^(ibm|cp|dos)?-?(?=\d{3}$)/, 'cp');
  const encoding = attempt(() => new TextDecoder(label).encoding) ?? older;
  const found = [...unicode, ...singleByteEncodings, ...multiByte].find((known) => known === encoding);
  if (found) return found;
  throw refusal('wrongEncoding', { name });
}

const marks: readonly { encoding: Encoding; bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** The byte order mark at the beginning of a file, if there is one. */
export function findMark(head: Uint8Array): { encoding: Encoding; length: number } | undefined {
  const found = marks.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte));
  return found && { encoding: found.encoding, length: found.bytes.length };
}

/** The bytes of the byte order mark of an encoding; none for one that has none. */
export function markOf(encoding: Encoding): Uint8Array {
  return Uint8Array.from(marks.find((mark) => mark.encoding === encoding)?.bytes ?? []);
}

/** In what a file is written beside one that was read: in the same encoding, or in UTF-8 with a mark where that is only read. */
export function writtenLike(encoding: Encoding, bom: boolean): { encoding: WrittenEncoding; bom: boolean } {
  const same = [...unicode, ...singleByteEncodings].find((known) => known === encoding);
  return same === undefined ? { encoding: 'utf-8', bom: true } : { encoding: same, bom };
}

/** The bytes of a text; what is not in a single-byte encoding becomes `?`. */
export function encode(text: string, encoding: WrittenEncoding): Uint8Array {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text, 'utf8');
    case 'utf-16le':
      return Buffer.from(text, 'utf16le');
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16();
    default: {
      const bytes = encodeTable(encoding);
      return Uint8Array.from([...text], (character) => bytes.get(character) ?? 0x3f);
    }
  }
}

/** The end of a file as DOS marks it. */
const endMark = '\x1a';

/**
 * Without byte order mark and the end mark of DOS. Throws an `InputError` for bytes not of the encoding, and for NUL.
 */
export async function* decode(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, markLength }: { encoding: Encoding; markLength: number },
  file: string,
  line: () => number,
): AsyncGenerator<string> {
  const decoder = decoderOf(encoding);
  const attempt = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      const message = `${file}, after line ${line()}: it is not ${encoding}, or it is cut off. Export it again.`;
      throw new InputError(message, { cause });
    }
  };
  let skip = markLength;
  let held = '';
  for await (const chunk of chunks) {
    const text = attempt(skip > 0 ? chunk.subarray(skip) : chunk);
    skip = Math.max(0, skip - chunk.length);
    if (text.includes('\0')) throw refusal('nulCharacter', { file, line: line() });
    if (text === '') continue;
    const isMarked = text.endsWith(endMark);
    const ready = held + (isMarked ? text.slice(0, -1) : text);
    held = isMarked ? endMark : '';
    if (ready !== '') yield ready;
  }
  const last = attempt();
  if (last !== '') yield held + last;
}

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
function encodeTable(encoding: SingleByte): ReadonlyMap<string, number> {
  const known = inverses.get(encoding);
  if (known) return known;
  const bytes = new Map(decodeTable(encoding).map((character, byte) => [character, byte]));
  bytes.delete('\ufffd');
  inverses.set(encoding, bytes);
  return bytes;
}
