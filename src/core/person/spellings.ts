// How programs write an address: as it is, in a URL, in JSON, in HTML; and the keys of people in such texts.
import { inJson } from '../text/format.ts';
import { personKey } from './member.ts';

/** The ways to write a character, hexadecimal digits in lower case; only itself where nothing escapes it. */
export function writingsOf(character: string): string[] {
  if (/^[a-z0-9]$/i.test(character)) return [character];
  const forms = new Set([character, character.toUpperCase(), character.normalize('NFD')]);
  return [...forms].flatMap((form) => {
    const codes = [...form].map((each) => each.codePointAt(0) ?? 0);
    return [
      ...[form, inUrl(form), inJson(form)],
      ...[codes.map((code) => `&#${code};`).join(''), codes.map((code) => `&#x${code.toString(16)};`).join('')],
    ];
  });
}

/** An address as whole texts to search files for: as it is, and as URLs and JSON write it. */
export function spellingsOf(address: string): string[] {
  const isPlain = /^[a-z0-9._-]$/i;
  const written = (write: (character: string) => string): string =>
    [...address].map((character) => (isPlain.test(character) ? character : write(character))).join('');
  const inJsonOnly = (character: string): string => (character > '\u007f' ? inJson(character) : character);
  const inUrls = written(inUrl);
  return [...new Set([address, inUrls, inUrls.replaceAll(/%../g, (hex) => hex.toUpperCase()), written(inJsonOnly)])];
}

/** A text with everything read that URLs and JSON write otherwise. */
function unwritten(text: string): string {
  return text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
}

function inUrl(text: string): string {
  return Buffer.from(text).toString('hex').replaceAll(/../g, '%$&');
}

/** What separates an address from what surrounds it in JSON, a form, a URL or a sentence. */
const separators = /[\s"'<>()[\]{},;:=&?]+/;

/** The keys of all that looks like an address in a text, each once, also as JSON or a URL writes it. */
export function keysIn(text: string): string[] {
  const words = [text, unwritten(text)].flatMap((each) => each.split(separators));
  return [...new Set(words.filter((word) => word.includes('@')).map((word) => personKey(word.replace(/\.$/, ''))))];
}
