// Names encodings, finds byte order marks, and decodes bytes to text, wherever the chunks are split.
import { refusal } from '../../core/words/say.ts';
import { encodeTable, type SingleByte, singleByteEncodings, decoderOf } from './judging/single-byte.ts';
import { InputError } from '../../core/errors.ts';

const unicode = ['utf-8', 'utf-16le', 'utf-16be'] as const;
/** Encodings with several bytes for a character: read where they are asked for, never found, never written. */
const multiByte = ['shift_jis', 'euc-jp', 'gbk', 'gb18030', 'big5', 'euc-kr'] as const;

/** The encodings that are written, as WHATWG or, of DOS and old Macs, iconv-lite names them. */
export type WrittenEncoding = (typeof unicode)[number] | SingleByte;
/** The encodings that are read. */
export type Encoding = WrittenEncoding | (typeof multiByte)[number];

/** Any WHATWG label, `UTF8`, `latin1`, `cp1250`, `IBM-850`. Throws an `InputError` for one that is not read here. */
export function parseEncoding(name: string): Encoding {
  const label = name.trim().replace(/^utf16/i, 'utf-16');
  let encoding: string;
  try {
    ({ encoding } = new TextDecoder(label));
  } catch {
    encoding = label.toLowerCase().replace(/^(ibm|cp|dos)?-?(?=\d{3}$)/, 'cp');
  }
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
