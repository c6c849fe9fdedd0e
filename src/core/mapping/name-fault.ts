// Recognises numbers, dates, addresses and lists that cannot be a person's name, and remarks beside a name.
import { statusKind } from '../cells/status-words.ts';
import { isEmailAddress } from '../cells/email-address.ts';
import { isGarbled } from '../text/garbled.ts';

const months = new Set([
  ...[
    'jan',
    'feb',
    'fév',
    'mar',
    'mär',
    'mrz',
    'maa',
    'apr',
    'avr',
    'may',
    'mai',
    'maj',
    'mei',
    'mag',
    'jun',
    'juin',
    'giu',
  ],
  ...[
    'jul',
    'juil',
    'lug',
    'aug',
    'août',
    'ago',
    'sep',
    'sept',
    'set',
    'oct',
    'okt',
    'ott',
    'out',
    'nov',
    'dec',
    'dez',
    'dic',
  ],
  'déc',
]);
/** `1-Mar`, `01. Mrz 24`: what Excel makes of a text such as `1/3`. */
const dayOfMonth = /^\d{1,2}[-. ]{1,2}(\p{L}{3,4})(?:[-. ]{1,2}\d{2,4})?$/u;
/** `Mar-24`, `Mrz.-24` */
const monthOfYear = /^(\p{L}{3,4})\.?-\d{2,4}$/u;
const day = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})(?:[T ][\d:.Z+]*)?$/;

const shortened = /^\d(?:[.,]\d+)?E[+-]?\d+$/i;

/** Whether a text is a number that a spreadsheet has shortened, such as `4.67012E+11`: its last digits are lost. */
export function isShortened(text: string): boolean {
  // Called for every telephone and id: nearly all have a digit or a space in the second place.
  const second = text.charCodeAt(1);
  return !(second === 32 || (second > 47 && second < 58)) && shortened.test(text);
}

/** `Ren?`, `M?ller` */
const lostLetter = /\p{L}\?|\?\p{L}/u;

/** `&uuml;`, `&#39;` */
const htmlCode = /&(?:\p{L}+|#\d+|#x[\da-f]+);/iu;

/** What stands in brackets, or after a dash with spaces around it: `[LEFT] Ann`, `Ek (ausgeschieden)`, `Ek - on leave`. */
const beside = /[([{]([^()[\]{}]{3,60})[)\]}]|\s[-\u2013\u2014]+\s*([^-\u2013\u2014]{3,60})$/gu;

/** What a cleaned text with a sign in it says about a person beside the name, such as `LEFT`; undefined if it is a name. */
export function statusInName(text: string): string | undefined {
  for (const [, inBrackets, afterDash] of text.matchAll(beside)) {
    const said = (inBrackets ?? afterDash ?? '').trim();
    const kind = statusKind(said);
    if (kind !== undefined && kind !== 'active') return said;
  }
  return undefined;
}

/** Why a cleaned text with a digit, an `@`, a `;`, a `?` or a sign of garbled text in it is surely nobody's name, as the end of a sentence; undefined if it may be one. */
export function nameFault(text: string): string | undefined {
  if (isGarbled(text)) return 'is garbled';
  if (lostLetter.test(text)) return 'has a "?" where a letter was lost';
  if (htmlCode.test(text)) return 'is text with HTML codes';
  if (text.includes(';')) return 'is a list';
  if (text.includes('@') && text.split(/[\s<>()]/).some(isEmailAddress)) return 'has an e-mail address in it';
  const month = (dayOfMonth.exec(text) ?? monthOfYear.exec(text))?.[1];
  if (day.test(text) || (month !== undefined && months.has(month.toLowerCase()))) return 'is a date';
  return /\p{L}/u.test(text) && !isShortened(text) ? undefined : 'is a number';
}
