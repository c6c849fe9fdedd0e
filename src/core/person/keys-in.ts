// Finds the keys of people in a text.
import { personKey } from './member.ts';
import { unwritten } from './spellings.ts';

/** What separates an address from what surrounds it in JSON, a form, a URL or a sentence. */
const separators = /[\s"'<>()[\]{},;:=&?]+/;

/** The keys of all that looks like an address in a text, each once, also as JSON or a URL writes it. */
export function keysIn(text: string): string[] {
  const words = [text, unwritten(text)].flatMap((each) => each.split(separators));
  return [...new Set(words.filter((word) => word.includes('@')).map((word) => personKey(word.replace(/\.$/, ''))))];
}
