// Masks e-mail addresses and cells so that they can be told apart but not used.
import type { ColumnSurvey } from '../columns/column-survey.ts';

/** An address that can be told from others but not used: `a***@example.com`. Other texts are masked whole. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = address;
  return at > 0 ? `${first}***${address.slice(at)}` : '***';
}

/** What ends the part before an `@`, as in a list, in quotes, in brackets, or after a word. */
const stops = /([\s"<>(),;:\\]+)/;
/** An `@`, or what stands for one. Where it is URL-encoded, what parts the values of a query ends the part before it too. */
const signs = /([@\uff20\ufe6b]|%40)/;
const queryStops = ['?', '&', '=', '/', '#'] as const;

/** `jane@example.com` becomes `j***@example.com`, whatever looks like an `@`. Its steps grow with the length of the text only. */
export function maskAddresses(text: string): string {
  return signs.test(text) ? text.split(stops).map(maskWord).join('') : text;
}

function maskWord(word: string): string {
  const parts = word.split(signs);
  return parts.map((part, at) => (at % 2 === 0 ? maskLocal(part, parts[at + 1], parts[at + 2]) : part)).join('');
}

/** What stands before a sign; as it is where no domain begins behind that. */
function maskLocal(local: string, sign = '', domain = ''): string {
  const from = sign === '%40' ? Math.max(...queryStops.map((stop) => local.lastIndexOf(stop))) + 1 : 0;
  if (from === local.length || !/^[\p{L}\p{N}[]/u.test(domain)) return local;
  return `${local.slice(0, from)}${String.fromCodePoint(local.codePointAt(from) ?? 0)}***`;
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
