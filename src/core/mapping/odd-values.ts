// Recognises groups and domains that look like mistakes, for a remark: any of them may be meant.
import { isEmailAddress } from '../cells/email-address.ts';
import { statusKind } from '../cells/status-words.ts';
import { readDay } from '../cells/days.ts';
import { readFlag } from '../cells/yes-or-no.ts';
import { listOf } from '../words/lists.ts';
import { wordSet } from '../words/words.ts';

/** `+46 70 123 45 67`, `(555) 123-4567` */
const telephone = /^\+?[\d() .-]{9,20}$/;

const mostOfGroup = 200;

/** Whether the name of a group is very long or looks like the cell of another column: an address, a telephone, a day, yes or no, a status of people who left. */
export function isOddGroup(name: string): boolean {
  if (name.length > mostOfGroup) return true;
  if (isEmailAddress(name) || (name !== '' && readFlag(name) !== undefined) || statusKind(name) === 'ended')
    return true;
  // Numbers without any sign may be cost centres.
  return /^\+|\d[-./ )]/.test(name) && (telephone.test(name) || typeof readDay(name) !== 'object');
}

/** Whether the name of a group is a number that only an HR system knows, such as a cost centre; years are names. */
export function isCode(name: string): boolean {
  return /^\d{3,}$/.test(name) && !/^(?:19|20)\d{2}$/.test(name);
}

const extensions = wordSet('extensions');
/** `ext. 12` */
const extension = /[,;]?\s*(\p{L}[\p{L} ]*)[.:]?\s*\p{Nd}{1,6}$/u;
/** Two numbers, both long enough, with a slash and space between them. */
const twoNumbers = /\p{Nd}[\p{Nd} ()-]{5,}(?: \/ ?|\/ )\+?[\p{Nd} ()-]{6,}/u;
/** E.164 has at most 15 digits, and two zeros before them may stand for a plus. */
const mostDigits = 17;

/** Whether a telephone is one number, and has no words beside it such as `(mother)`; an extension may follow it. */
export function isOneTelephone(text: string): boolean {
  if (text.length <= mostDigits && /^\+?[\d ()-]+$/.test(text)) return true;
  const plain = text.normalize('NFKC').replace(extension, (whole, word: string) =>
    extensions().has(word.trim().toLowerCase()) ? '' : whole,
  );
  const digits = plain.replaceAll(/\P{Nd}/gu, '').length;
  return digits <= mostDigits && /^\+?[\p{Nd}\s().\p{Pd}/#*+-]*$/u.test(plain) && !twoNumbers.test(plain);
}

const deadEnds = listOf('dead-ends');
const mistyped = listOf('mistyped-domains');

/** Whether no mail to this domain can arrive, or not where it is meant to. */
export function isOddDomain(domain: string): boolean {
  const name = domain.toLowerCase();
  return deadEnds().has(name.slice(name.lastIndexOf('.') + 1)) || mistyped().has(name);
}
