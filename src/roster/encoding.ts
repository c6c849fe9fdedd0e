import { InputError } from '../core/errors.ts';

/** The encodings that are read and written, as WHATWG labels. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const encodings: readonly Encoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'];

/**
 * Reads the name of an encoding as people write it (`UTF8`, `latin1`, `cp1252`; any WHATWG label). Throws an
 * `InputError` for one that is not read here.
 */
export function parseEncoding(name: string): Encoding {
  const label = name.trim().replace(/^utf16/i, 'utf-16');
  try {
    const { encoding } = new TextDecoder(label);
    const found = encodings.find((known) => known === encoding);
    if (found) return found;
  } catch {
    // An unknown label: said below.
  }
  throw new InputError(`"${name}" is not an encoding that is read here: give one of ${encodings.join(', ')}.`);
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

let windows1252: Map<string, number> | undefined;

/** The inverse of the WHATWG decoder, which gives each of the 256 bytes a character of its own. */
function windows1252Bytes(): Map<string, number> {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const characters = [...new TextDecoder('windows-1252').decode(all)];
  return (windows1252 ??= new Map(characters.map((character, byte) => [character, byte])));
}

/** The bytes of a text; what Windows-1252 lacks becomes `?`. */
export function encode(text: string, encoding: Encoding): Uint8Array {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text, 'utf8');
    case 'utf-16le':
      return Buffer.from(text, 'utf16le');
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16();
    case 'windows-1252': {
      const bytes = windows1252Bytes();
      return Uint8Array.from([...text], (character) => bytes.get(character) ?? 0x3f);
    }
  }
}
