// What all spellings of a heading, a status or another word have in common.
import { foldText } from '../text/wildcard.ts';

/** Signs of Latin letters that no decomposition takes off. */
const letters: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ħ: 'h',
};

/** Without case, accents, spaces and signs, full-width and half-width alike; a `#` at the end is a number. */
export function headingKey(name: string): string {
  const spoken = name.replace(/#\s*$/, ' no');
  // Most headings, and the rest takes ten times as long.
  if (/^[ -~]*$/.test(spoken)) return spoken.toLowerCase().replace(/[^a-z0-9]+/g, '');
  return spoken
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]+|ـ/gu, '')
    .replace(/[øłđðþßæœıħ]/g, (letter) => letters[letter] ?? letter);
}

export function statusKey(text: string): string {
  // The dot that a small letter keeps of a Turkish capital.
  return foldText(text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')).replaceAll('i\u0307', 'i');
}
