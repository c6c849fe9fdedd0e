// Limits how deeply JSON values may be nested.

/** The deepest nesting that is allowed; HR systems use about ten levels. */
export const deepestJson = 64;

/** Looks at each character once, before parsing: deeper values would break whatever walks through them later. */
export function isDeeper(text: string, most: number = deepestJson): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      for (at++; at < text.length && text.charCodeAt(at) !== 34; at++) if (text.charCodeAt(at) === 92) at++;
    } else if (code === 123 || code === 91) {
      if (++depth > most) return true;
    } else if (code === 125 || code === 93) depth--;
  }
  return false;
}
