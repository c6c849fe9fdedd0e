const months = [
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
    'déc',
  ],
].join('|');
/** `1-Mar`, `01. Mrz 24`: what Excel makes of a text such as `1/3`. */
const dayOfMonth = new RegExp(String.raw`^\d{1,2}[-. ]{1,2}(?:${months})\.?(?:[-. ]{1,2}\d{2,4})?$`, 'iu');
/** `Mar-24`, `Mrz 24` */
const monthOfYear = new RegExp(String.raw`^(?:${months})\.?-\d{2,4}$`, 'iu');
const day = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})(?:[T ][\d:.Z+]*)?$/;

/** A number that a spreadsheet has shortened, such as `4.67012E+11`: its last digits are lost. */
export const shortenedNumber = /^[+-]?\d+(?:[.,]\d+)?E[+-]?\d+$/i;

/** Why a cleaned text with a digit in it is surely nobody's name, as the end of a sentence; undefined where it may be one. */
export function nameFault(text: string): string | undefined {
  if (day.test(text) || dayOfMonth.test(text) || monthOfYear.test(text)) return 'is a date';
  return /\p{L}/u.test(text) && !shortenedNumber.test(text) ? undefined : 'is a number';
}
