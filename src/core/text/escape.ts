// Makes control and bidirectional characters visible, and recognises text that was spoilt before.

/**
 * What must never reach a terminal or a log as it is: control characters, line and paragraph separators,
 * unpaired surrogates, and the format characters that are invisible or turn the direction of what follows
 * (Trojan Source, CVE-2021-42574). The joiners U+200C and U+200D stay: Persian names and emoji need them.
 */
const unsafe = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufff9-\ufffb[[\p{Cf}&&\p{DI}]--[\u200c\u200d]]]/gv;

const short: Record<string, string> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

/** Each UTF-16 unit as `\uXXXX`, which is also how JSON writes it. */
function units(character: string): string {
  if (character.length === 1) return String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0');
  return Array.from({ length: character.length }, (_, at) => {
    return String.raw`\u` + character.charCodeAt(at).toString(16).padStart(4, '0');
  }).join('');
}

/**
 * Makes a text from a roster or the service safe to print on one line: control, bidirectional and invisible
 * characters become `\n`, `\r`, `\t` or `\uXXXX`. Everything else, a backslash too, stays as it is, so a
 * text that is already escaped comes back unchanged.
 */
export function escapeText(text: string): string {
  return text.replace(unsafe, (character) => short[character] ?? units(character));
}

/**
 * In JSON they stand only inside strings, where `\uXXXX` means the same character: the value parsed back is equal.
 */
export function escapeJson(json: string): string {
  return json.replace(unsafe, (character) => (character === '\n' ? character : units(character)));
}

/** What a text shows that was once UTF-8 and was read as Windows-1252: `Ã¥` for å, `â€™` for an apostrophe. */
export const mojibake = /[ÃÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘“•–—˜™š›œžŸ]|â€[\u0080-\u2122]/;

/** Signs without which no text is garbled: looking for them is faster than for what makes them so. */
const hintOfGarbled = /[ÃÂâ\ufffd]/;

/** Whether a text was decoded wrongly, or has the sign for a character that was lost. */
export function isGarbled(text: string): boolean {
  return hintOfGarbled.test(text) && (mojibake.test(text) || text.includes('\ufffd'));
}
