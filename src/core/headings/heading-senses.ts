// Looks up what a heading can mean in all languages, ignoring case, accents and signs.
import { readSense, type Sense } from '../words/senses.ts';
import { words } from '../words/words.ts';

/** What each key means, as the words have it. */
let packed: ReadonlyMap<string, string> | undefined;
const read = new Map<string, readonly Sense[]>();

/** What a heading with this key (`headingKey`) can mean in any language. */
export function sensesOf(key: string): readonly Sense[] {
  packed ??= new Map(
    Object.entries(words().senses).flatMap(([senses, keys]) => keys.split(' ').map((each) => [each, senses] as const)),
  );
  const senses = packed.get(key);
  if (senses === undefined) return [];
  const known = read.get(senses);
  if (known) return known;
  const made = senses.split('|').map(readSense);
  read.set(senses, made);
  return made;
}
