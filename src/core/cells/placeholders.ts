// Recognises cells that stand for no value (`n/a`, `#REF!`), in every known language.
import { words } from '../words/words.ts';

/** An error of a spreadsheet in any language: `#REF!`, `#NAME?`, `#DIV/0!`, `#¿NOMBRE?`, `#ЗНАЧ!`. */
const error = /^#[¡¿]?[\p{Lu}_/0]{2,20}[!?]$/u;

export type Purpose = 'name' | 'other';

/** The words of all languages, gathered when they are first asked for. */
let known: ReturnType<typeof gather> | undefined;

function gather() {
  const { noValue, excelErrors, noValueOrName, noValueInBrackets } = words();
  const always = [...noValue, ...excelErrors, '0'];
  const inBrackets = [...noValue, ...noValueOrName, ...noValueInBrackets];
  const lengths = new Map<number, number>();
  for (const word of [...always, ...noValueOrName])
    for (const first of [word.charCodeAt(0), word.toUpperCase().charCodeAt(0)])
      lengths.set(first, (lengths.get(first) ?? 0) | (1 << word.length));
  return {
    always: new Set(always),
    exceptInNames: new Set(noValueOrName),
    inBrackets: new Set(inBrackets),
    longest: Math.max(...[...always, ...inBrackets].map((word) => word.length)) + 2,
    /** The lengths that placeholders have, as bits, by their first character: most texts are told from them by this alone. */
    lengths,
    /** The same of ASCII, where it is asked for a few times in each row of a roster. */
    lengthsOfAscii: Int32Array.from({ length: 128 }, (_, first) => lengths.get(first) ?? 0),
  };
}

/** Whether a text that begins with this is a letter or digit of the usual scripts: nearly every text does. */
function isLetterOrDigit(first: number): boolean {
  if (first < 128) return (first > 96 && first < 123) || (first > 64 && first < 91) || (first > 47 && first < 58);
  return (first > 191 && first < 0x2000) || (first > 0x303f && first < 0xe000);
}

const brackets: Readonly<Record<string, string>> = { '(': ')', '<': '>', '[': ']', '{': '}' };
/** No letter, no digit, and no symbol that somebody may have chosen for a name, such as a star. */
const signsOnly = /^[\p{P}\p{Z}~|^`+=<>¬¦]+$/u;

/** What stands for a formula whose value was never stored: it is damaged. */
export const neverStored = '#FORMULA!';

/** An error of LibreOffice, and what Google Sheets shows while it computes, in the languages of the pages and some more. */
const unfinished =
  /^(?:Err:\d{3}|(?:Loading|Wird geladen|Laden|Chargement|Cargando|Carregando|Caricamento(?: in corso)?|Indlæser|Läser in|Laster inn)(?:\.\.\.|…))$/;

/** `#REF!`, `#VALUE!`, `########`: a spreadsheet could not compute or show what is there. A lookup that finds nothing, `#N/A`, is none. */
export function isDamaged(text: string): boolean {
  if (text.charCodeAt(0) === 35) return error.test(text) || /^#(?:#{2,}|GETTING_DATA)$/.test(text);
  // Asked of nearly every cell: few end so.
  const last = text.charCodeAt(text.length - 1);
  return (last === 46 || last === 0x2026 || text.startsWith('Err:')) && unfinished.test(text);
}

/** `n/a`, `(blank)`, `#REF!`, `-` or `########`, without regard to case; an empty text does not. */
export function isPlaceholder(text: string, purpose: Purpose = 'other'): boolean {
  const { always, exceptInNames, inBrackets, longest, lengths, lengthsOfAscii } = (known ??= gather());
  const first = text.charCodeAt(0);
  const isShort = text.length <= longest;
  const bits = first < 128 ? lengthsOfAscii[first] : lengths.get(first);
  if (isShort && bits !== undefined && (bits >> text.length) % 2 !== 0) {
    const word = text.toLowerCase();
    if (always.has(word) || (purpose === 'other' && exceptInNames.has(word))) return true;
  }
  // The rest neither begins nor ends with one.
  if (isLetterOrDigit(first) || isLetterOrDigit(text.charCodeAt(text.length - 1))) return false;
  if (isShort && error.test(text)) return true;
  const close = brackets[text[0] ?? ''];
  const isInBrackets = isShort && close !== undefined && text.endsWith(close);
  return (isInBrackets && inBrackets.has(text.slice(1, -1).trim().toLowerCase())) || signsOnly.test(text);
}
