// Masks e-mail addresses and cells so that they can be told apart but not used.
import type { ColumnSurvey } from '../columns/column-survey.ts';

/** An address that can be told from others but not used: `a***@example.com`. Other texts are masked whole. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = address;
  return at > 0 ? `${first}***${address.slice(at)}` : '***';
}

/** What ends the part before an `@`, as in a list, in quotes, in brackets, or after a word. */
const stops = stopsOf(' \t\n\v\f\r"<>(),;:\\');
/** Where the `@` is URL-encoded, what parts the values of a query too. */
const queryStops = stopsOf('?&=/#');

function stopsOf(signs: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const sign of signs) table[sign.charCodeAt(0)] = 1;
  return table;
}

const percent = '%'.charCodeAt(0);

/** `jane@example.com` becomes `j***@example.com`, whatever looks like an `@`. Reads each character once. */
export function maskAddresses(text: string): string {
  if (!/[@\uff20\ufe6b]|%40/.test(text)) return text;
  const parts: string[] = [];
  let written = 0;
  // Where the part before an `@` would begin, and where it would if that is URL-encoded.
  let [local, encodedLocal] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 ? stops[code] === 1 : isSpace(code)) {
      local = encodedLocal = at + 1;
      continue;
    }
    const length = signLength(text, at, code);
    if (length === 0) {
      if (queryStops[code] === 1) encodedLocal = at + 1;
      continue;
    }
    const from = length === 1 ? local : encodedLocal;
    const end = at + length;
    if (from < at && beginsDomain(text, end)) {
      const first = String.fromCodePoint(text.codePointAt(from) ?? 0);
      parts.push(text.slice(written, from), first, '***', text.slice(at, end));
      written = end;
    }
    local = encodedLocal = end;
    at = end - 1;
  }
  return parts.join('') + text.slice(written);
}

/** The length of an `@`, or of what stands for one; 0 of anything else. */
function signLength(text: string, at: number, code: number): 0 | 1 | 3 {
  if (code === 0x40 || code === 0xff20 || code === 0xfe6b) return 1;
  return code === percent && text.startsWith('40', at + 1) ? 3 : 0;
}

function isSpace(code: number): boolean {
  if (code === 0xa0 || code === 0x1680 || code === 0x3000 || code === 0xfeff) return true;
  return code >= 0x2000 && code <= 0x206f && /\s/.test(String.fromCharCode(code));
}

function beginsDomain(text: string, at: number): boolean {
  const code = text.codePointAt(at);
  return code !== undefined && /^[\p{L}\p{N}[]/u.test(String.fromCodePoint(code));
}

/** Columns whose content is private, whatever it looks like. */
const secret = /pass|secret|token|ssn|social|birth|salary|iban|bank|gender|religio|ethnic|health|nationalit/i;
const mostShown = 30;

/** Only what is in many rows is shown as it is, and that only of columns that are nothing of a person. */
export function maskedExamples({ name, examples, values, isVocabulary }: ColumnSurvey, isPersonal: boolean): string[] {
  if (secret.test(name)) return examples.map(() => '***');
  if (isVocabulary && values && !isPersonal) {
    const frequent = [...values].toSorted((a, b) => b[1] - a[1]).slice(0, 3);
    return frequent.map(([value, count]) => (count > 1 ? value.slice(0, mostShown) : maskCell(value)));
  }
  return examples.map(maskCell);
}

/** A text of which only its beginning and its kind can be told: `A***`, `a***@example.com`, `+45***`. */
function maskCell(text: string): string {
  if (text.includes('@')) return maskAddress(text);
  if (/^\+?[\d ()./-]{6,}$/.test(text)) return `${text.slice(0, text.startsWith('+') ? 3 : 2)}***`;
  const [first = ''] = text;
  return text.length <= 1 ? text : `${first}***`;
}
