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
 * Replaces secrets in a text by `***`. `cut` says that the text may end in the middle of something:
 * then a beginning of a secret (from four characters) at its very end is replaced too.
 */
export type Redact = (text: string, cut?: boolean) => string;

/**
 * Builds the function that replaces every form of the given Basic tokens in a text by `***`: the token in
 * both Base64 alphabets, decoded to `user:password`, and the password alone; each of them plain or URL-encoded,
 * escaped as JSON does or as HTML does, character by character. A password under four characters is masked only
 * as part of `user:password`: alone it would hide half of every text.
 */
export function redactor(tokens: readonly Secret[]): Redact {
  const forms = [...new Set(tokens.flatMap((token) => formsOf(token.reveal())))]
    .toSorted((a, b) => b.length - a.length)
    .map((form) => Array.from(form, patternOf));
  if (forms.length === 0) return (text) => text;
  const whole = new RegExp(forms.map((form) => form.join('')).join('|'), 'g');
  // After the beginning there may be part of one more character, in any of its encodings.
  const partial = '(?:%[\\dA-Fa-f]*|\\\\\\w{0,5}|&#?\\w*|[\\uFFFD\\uD800-\\uDBFF])*';
  const begun = new RegExp(`(?:${forms.map(beginningOf).join('|')})${partial}$`);
  return (text, cut = false) => {
    const left = text.replaceAll(whole, mask);
    return cut ? left.replace(begun, mask) : left;
  };
}

function formsOf(token: string): string[] {
  const bytes = Buffer.from(token, 'base64');
  const decoded = [bytes.toString('utf8'), bytes.toString('latin1')];
  const passwords = decoded.map((pair) => pair.slice(pair.indexOf(':') + 1));
  const unpadded = token.replace(/=+$/, '');
  return [token, unpadded, bytes.toString('base64url'), ...decoded, ...passwords].filter((form) => form.length >= 4);
}

const named: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/**
 * A pattern for one character in every encoding in which a service may echo it. Repetitions are bounded, so that no
 * text, however hostile, makes the search slow; eight backslashes are JSON within JSON within JSON.
 */
function patternOf(char: string): string {
  if (/^[A-Za-z0-9]$/.test(char)) return char;
  const codePoint = char.codePointAt(0) ?? 0;
  const percent = (encoding: 'utf8' | 'latin1'): string =>
    Array.from(Buffer.from(char, encoding), (byte) => `%(?:25){0,3}${hexadecimal(byte, 2)}`).join('');
  const units = char.split('').map((unit) => unit.charCodeAt(0));
  return `(?:${[
    percent('utf8'),
    ...(codePoint > 0x7f && codePoint <= 0xff ? [percent('latin1')] : []),
    units.map((unit) => `\\\\{1,8}u${hexadecimal(unit, 4)}`).join(''),
    ...(codePoint <= 0xff ? [`\\\\{1,8}x${hexadecimal(codePoint, 2)}`] : []),
    `&#0{0,6}${codePoint};`,
    `&#[xX]0{0,6}${hexadecimal(codePoint, 1)};`,
    ...(named[char] === undefined ? [] : [`&${named[char]};`]),
    ...(char === ' ' ? ['\\+'] : []),
    // Last: a character that begins an encoding, such as %, must not be taken for itself and leave the rest.
    `\\\\{0,8}${char.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')}`,
  ].join('|')})`;
}

function hexadecimal(value: number, digits: number): string {
  const text = value.toString(16).padStart(digits, '0');
  return text.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** The first four characters of a form, then as many of the others as there are. */
function beginningOf(form: readonly string[]): string {
  return form.slice(0, 4).join('') + form.slice(4).reduceRight((rest, char) => `(?:${char}${rest})?`, '');
}
