// Lists the forms in which a secret can appear, and the words too common to redact.
import { listOf } from '../words/words.ts';

/** A shorter password is redacted only if it is a whole value: elsewhere it may be an ordinary word. */
const shortest = 8;
/** Shorter secrets are redacted only within `user:password`. */
const leastAlone = 4;

/** Words that people take for passwords, and our own: hidden wherever they stand they would tell what the secret is. */
const common = listOf('common-secrets');

/** Whether a secret is short or a common word, so that it cannot be told from other text. */
export function isWeakSecret(value: string): boolean {
  return value.length < shortest || common().has(value.toLowerCase());
}

/** In both Base64 alphabets, padded or not; of a Basic token its pair and password, in UTF-8 and Latin-1. */
export function formsOf(secret: string): string[] {
  const forms = new Set([secret, Buffer.from(secret, 'utf8').toString('latin1')]);
  const addBase64 = (bytes: Buffer): void => {
    const padded = bytes.toString('base64');
    for (const form of [padded, padded.replaceAll('=', ''), bytes.toString('base64url')]) forms.add(form);
  };
  if (!isWeakSecret(secret)) addBase64(Buffer.from(secret));
  const pair = pairIn(secret);
  if (pair) {
    addBase64(pair);
    for (const encoding of ['utf8', 'latin1'] as const) {
      const text = pair.toString(encoding);
      forms.add(text).add(text.slice(text.indexOf(':') + 1));
    }
  }
  return [...forms].filter((form) => form.length >= leastAlone);
}

/** The bytes of `user:password`, where a text is the Base64 of that. */
function pairIn(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  const written = text.replaceAll('=', '').replaceAll('-', '+').replaceAll('_', '/');
  const isPair = bytes.includes(0x3a) && bytes.toString('base64').replaceAll('=', '') === written;
  return isPair ? bytes : undefined;
}
