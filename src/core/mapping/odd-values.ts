// Recognises groups and domains that look like mistakes, for a remark: any of them may be meant.
import { isEmailAddress } from '../cells/email-address.ts';
import { statusKind } from '../cells/status-words.ts';
import { readDay } from '../cells/days.ts';
import { readFlag } from '../cells/yes-or-no.ts';

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

/** Ends of addresses that reach nobody outside, or that nobody has registered: slips of the fingers and inner networks. */
const deadEnds = new Set([
  ...['con', 'cmo', 'ocm', 'comm', 'vom', 'coom', 'cpm', 'nett', 'ogr', 'orgg'],
  ...['local', 'localdomain', 'localhost', 'invalid', 'lan', 'corp', 'internal', 'intra', 'home'],
]);

/** Slips of the fingers in the domains where most private mailboxes are. */
const slips = new Set([
  ...['gmial.com', 'gmai.com', 'gamil.com', 'gnail.com', 'gmal.com', 'gmaill.com', 'gmail.co', 'gmail.cm'],
  ...['hotmial.com', 'hotmai.com', 'hotmal.com', 'homail.com', 'hotmil.com', 'hotmail.co', 'outlok.com', 'outloo.com'],
  ...['outlook.co', 'yaho.com', 'yahooo.com', 'yhaoo.com', 'iclod.com', 'icoud.com', 'icloud.co'],
]);

/** Whether no mail to this domain can arrive, or not where it is meant to. */
export function isOddDomain(domain: string): boolean {
  const name = domain.toLowerCase();
  return deadEnds.has(name.slice(name.lastIndexOf('.') + 1)) || slips.has(name);
}
