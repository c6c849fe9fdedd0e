import { Readable } from 'node:stream';
import { EncodingQuestion, InputError } from '../../src/core/errors.ts';
import { decodeTable, type SingleByte } from '../../src/roster/text/encoding.ts';
import { openRoster } from '../../src/roster/open-roster.ts';
import type { NameList } from './names-by-language.ts';

/** A list of made-up staff as CSV: people of the language, in its groups; the same for the same seed. */
export function staffOf({ first, last, groups }: NameList, rows: number, seed: number): string {
  let state = seed;
  const pick = (from: readonly string[]): string => {
    // A linear congruential generator (Numerical Recipes); its high bits choose.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return from[Math.floor((state / 2 ** 32) * from.length)] ?? '';
  };
  const lines = Array.from({ length: rows }, (_, row) =>
    [pick(first), pick(last), `person${row}@example.com`, pick(groups)].join(';'),
  );
  return ['First Name;Last Name;Email;Department', ...lines, ''].join('\n');
}

const bytesOf = new Map<string, Map<string, number>>();

/** For each character of an encoding its byte. */
function bytesOfCharacters(encoding: SingleByte): Map<string, number> {
  const known = bytesOf.get(encoding);
  if (known) return known;
  const made = new Map<string, number>();
  for (const [byte, character] of [...decodeTable(encoding)].entries()) {
    if (!made.has(character)) made.set(character, byte);
  }
  bytesOf.set(encoding, made);
  return made;
}

/** The bytes of a text in an encoding with a byte for each character; what it lacks becomes `?`. */
export function bytesIn(text: string, encoding: SingleByte): Buffer {
  const bytes = bytesOfCharacters(encoding);
  const result = Buffer.alloc(text.length);
  let length = 0;
  for (const character of text) {
    result[length] = bytes.get(character) || 0x3f;
    length += 1;
  }
  return result.subarray(0, length);
}

/**
 * What happens to a file whose encoding is not given: it is read correctly, a person is asked and the right answer is among
 * those offered, it is refused, or it is silently read wrongly.
 */
export type Outcome = 'right' | 'asked' | 'refused' | 'wrong';

/** Reads bytes that are in an encoding, and says how that went. */
export async function outcomeOf(bytes: Buffer, encoding: SingleByte): Promise<Outcome> {
  const read = (as: string): string => {
    const table = decodeTable(as as SingleByte);
    let text = '';
    for (const byte of bytes) text += table[byte];
    return text;
  };
  const isRight = (as: string): boolean => read(as) === read(encoding);
  try {
    const roster = await openRoster(Readable.from([bytes], { objectMode: false }), { name: 'staff.csv' });
    const as = roster.form.encoding;
    await roster.close();
    return isRight(as === 'utf-8' ? 'windows-1252' : as) ? 'right' : 'wrong';
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (!(error instanceof EncodingQuestion)) return 'refused';
    return error.readings.some((reading) => isRight(reading.encoding)) ? 'asked' : 'refused';
  }
}
