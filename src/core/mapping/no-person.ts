// Recognises mailboxes, machines, tests and vacancies among people, for a remark: any of them may be somebody.
import { wordSet } from '../words/words.ts';

const mailboxes = wordSet('mailboxes');

/** Words before the rest of an address that only machines have: `svc_backup`, `no-reply-hr`. */
const machine = /^(?:svc|service|noreply|no[-_.]reply|donotreply|do[-_.]not[-_.]reply)[-_.]/;

/** Whether an address looks like that of a mailbox of several people, a machine or a test. */
export function isMailbox(email: string): boolean {
  const local = email.slice(0, email.lastIndexOf('@')).toLowerCase();
  return mailboxes().has(local.replace(/[-_.]/g, '')) || machine.test(local);
}

/** What spellings of a word have in common: no case, signs or numbers. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim();
}

/** Words of which both names consist where nobody is meant. Many are names of people, beside another name. */
const nobody = wordSet('nobody', plain);
/** Words that are nobody's name at all, so that one of them is enough. */
const surelyNobody = wordSet('surelyNobody', plain);

/** Whether a first and a last name together look like no person: `Test User`, `Vacant Position`, `New hire 3`. */
export function isNobody(firstname: string, lastname: string): boolean {
  const [first, last] = [plain(firstname), plain(lastname)];
  return (nobody().has(first) && nobody().has(last)) || [first, last].some((name) => surelyNobody().has(name));
}
