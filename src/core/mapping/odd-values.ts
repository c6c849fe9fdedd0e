// Recognises groups and domains that look like mistakes, for a remark: any of them may be meant.
import { isEmailAddress } from '../cells/read-cell.ts';
import { readFlag, statusKind, staysSo } from '../cells/status-words.ts';
import { readDay } from '../cells/days.ts';
import { listOf, wordSet } from '../words/words.ts';

/** `+46 70 123 45 67`, `(555) 123-4567` */
const telephone = /^\+?[\d() .-]{9,20}$/;

const mostOfGroup = 200;

/** Whether the name of a group is very long, wholly in brackets, has a list's dots, or looks like the cell of another column: an address, a telephone, a day, yes or no, a status of people who left. */
export function isOddGroup(name: string): boolean {
  if (name.length > mostOfGroup || /^[<({[].*[>)}\]]$|[•·‣▪●]/u.test(name)) return true;
  if (
    isEmailAddress(name) ||
    (name !== '' && readFlag(name) !== undefined) ||
    (statusKind(name) === 'ended' && !staysSo(name))
  )
    return true;
  // Numbers without any sign may be cost centres.
  return /^\+|\d[-./ )]/.test(name) && (telephone.test(name) || typeof readDay(name) !== 'object');
}

/** Whether the name of a group is a number that only an HR system knows, such as a cost centre; years are names. */
export function isCode(name: string): boolean {
  return /^\d{3,}$/.test(name) && !/^(?:19|20)\d{2}$/.test(name);
}

const extensions = wordSet('extensions');
/** E.164 has at most 15 digits, and two zeros before them may stand for a plus. */
const mostDigits = 17;
/** Of two numbers, each has as many. */
const fewestDigits = 6;

/** Whether a telephone is one number, and has no words beside it such as `(mother)`; an extension may follow it. */
export function isOneTelephone(text: string): boolean {
  if (text.length <= mostDigits && /^\+?[\d ()-]+$/.test(text)) return true;
  const number = withoutExtension(text.normalize('NFKC').toLowerCase());
  const digits = (part: string): number => part.replaceAll(/\P{Nd}/gu, '').length;
  const parts = number.split(/ \/|\/ /).filter((part) => digits(part) >= fewestDigits);
  return parts.length < 2 && digits(number) <= mostDigits && /^[\p{Nd}\s().\p{Pd}/#*+]*$/u.test(number);
}

/** `555 0100 ext. 12` without what follows the number. */
function withoutExtension(text: string): string {
  const before = text.replace(/\p{Nd}{1,6}$/u, '').replace(/[.: ]{0,3}$/, '');
  const word = [...extensions()].find((each) => before.endsWith(each));
  const number = word === undefined ? '' : before.slice(0, -word.length);
  return number === '' || /\p{L}$/u.test(number) ? text : number.replace(/[,; ]{0,3}$/, '');
}

const deadEnds = listOf('dead-ends');
const mistyped = listOf('mistyped-domains');

/** Whether no mail to this domain can arrive, or not where it is meant to. */
export function isOddDomain(domain: string): boolean {
  const name = domain.toLowerCase();
  return deadEnds().has(name.slice(name.lastIndexOf('.') + 1)) || mistyped().has(name);
}

const mailboxes = wordSet('mailboxes');

/** Words before or behind the rest of an address that only machines and closed accounts have: `svc_backup`, `no-reply-hr`, `deleted_ann`, `ann-disabled`. */
const machine =
  /^(?:svc|service|noreply|no[-_.]reply|donotreply|do[-_.]not[-_.](?:reply|use)|ex|left|leaver|former|expired|closed|old|zz+|(?:deleted|disabled|deactivated|inactive|suspended|archived|terminated|retired)(?:user)?)[-_.]|[-_.](?:deleted|disabled|deactivated|inactive|suspended|archived|terminated|left|leaver|old|donotuse)$/i;

/** Whether an address looks like that of a mailbox of several people, a machine, a test or a closed account. */
export function isMailbox(email: string): boolean {
  const local = email.slice(0, email.lastIndexOf('@'));
  // No word of the list has a digit, and most addresses of big rosters have.
  return (!/\d/.test(local) && mailboxes().has(local.toLowerCase().replace(/[-_.]/g, ''))) || machine.test(local);
}

/** What spellings of a word have in common: no case, signs or numbers. */
function plain(name: string): string {
  const small = name.toLowerCase();
  return /^[a-z]*$/.test(small) ? small : small.replace(/[^\p{L}\p{M}]+/gu, ' ').trim();
}

/** Words of which both names consist where nobody is meant. Many are names of people, beside another name. */
const nobody = wordSet('nobody', plain);
/** Words that are nobody's name at all, so that one of them is enough. */
const surelyNobody = wordSet('surelyNobody', plain);

/** Whether a first and a last name together look like no person: `Test User`, `Vacant Position`, `New hire 3`. */
export function isNobody(firstname: string, lastname: string): boolean {
  const [first, last] = [plain(firstname), plain(lastname)];
  if (nobody().has(first) && nobody().has(last)) return true;
  return [first, last, `${first} ${last}`].some((name) => surelyNobody().has(name));
}
