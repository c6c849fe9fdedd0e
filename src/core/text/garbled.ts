// Recognises text that was spoilt before it reached us.

/** What a text shows that was once UTF-8 and was read as Windows-1252: `Ã¥` for å, `â€™` for an apostrophe. */
export const mojibake = /[ÃÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘“•–—˜™š›œžŸ]|â€[\u0080-\u2122]/;

/** Signs without which no text is garbled: looking for them is faster than for what makes them so. */
const hintOfGarbled = /[ÃÂâ\ufffd]/;

/** Whether a text was decoded wrongly, or has the sign for a character that was lost. */
export function isGarbled(text: string): boolean {
  return hintOfGarbled.test(text) && (mojibake.test(text) || text.includes('\ufffd'));
}
