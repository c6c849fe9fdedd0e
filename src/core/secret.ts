import { inspect } from 'node:util';

const mask = '***';

/** A value that must never be shown: it prints as `***` everywhere except through `reveal()`. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  /** The value itself; only for the place that puts it on the wire. */
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return mask;
  }
  toJSON(): string {
    return mask;
  }
  [inspect.custom](): string {
    return mask;
  }
}

/**
 * Every way in which a Basic token could show up in a text: as it is, decoded to `user:password`, the
 * password alone, and each of them URL-encoded, with JSON's escaped slash, and in the other Base64 alphabet.
 */
function formsOf(token: string): string[] {
  const decoded = Buffer.from(token, 'base64').toString('utf8');
  const password = decoded.slice(decoded.indexOf(':') + 1);
  const plain = [token, token.replace(/=+$/, ''), Buffer.from(decoded).toString('base64url'), decoded, password];
  return [...new Set(plain.flatMap((form) => [form, encodeURIComponent(form), form.replaceAll('/', '\\/')]))]
    .filter((form) => form.length >= 4)
    .toSorted((a, b) => b.length - a.length);
}

/** Returns a function that replaces every form of the given Basic tokens in a text by `***`. */
export function redactor(tokens: readonly Secret[]): (text: string) => string {
  const forms = tokens.flatMap((token) => formsOf(token.reveal()));
  return (text) => forms.reduce((left, form) => left.replaceAll(form, mask), text);
}
