// Recognises mailboxes, machines, tests and vacancies among people, for a remark: any of them may be somebody.

/** What comes before the `@` of mailboxes that several people read, or nobody. */
const mailboxes = new Set([
  ...['info', 'hr', 'noreply', 'donotreply', 'admin', 'administrator', 'support', 'helpdesk', 'servicedesk', 'office'],
  ...['contact', 'contactus', 'reception', 'frontdesk', 'sales', 'marketing', 'billing', 'accounts', 'payroll', 'jobs'],
  ...['careers', 'recruiting', 'recruitment', 'team', 'all', 'everyone', 'staff', 'postmaster', 'webmaster', 'hello'],
  ...['mailerdaemon', 'test', 'tester', 'testuser', 'dummy', 'vacant', 'humanresources', 'scanner', 'printer'],
  ...['personal', 'personalabteilung', 'empfang', 'buero', 'büro', 'kontakt', 'bewerbung', 'buchhaltung', 'zentrale'],
  ...['noemail', 'nomail', 'noaddress', 'none', 'unknown', 'nobody', 'keineemail', 'sincorreo', 'sinemail', 'sememail'],
  ...['accueil', 'secretariat', 'secrétariat', 'rh', 'recursoshumanos', 'rrhh', 'contacto', 'contato', 'recepcion'],
  ...['biuro', 'kadry', 'sekretariat', 'recepcja', 'kancelaria', 'receptie', 'personeelszaken', 'segreteria', 'ik'],
]);

/** Words before the rest of an address that only machines have: `svc_backup`, `no-reply-hr`. */
const machine = /^(?:svc|service|noreply|no[-_.]reply|donotreply|do[-_.]not[-_.]reply)[-_.]/;

/** Whether an address looks like that of a mailbox of several people, a machine or a test. */
export function isMailbox(email: string): boolean {
  const local = email.slice(0, email.lastIndexOf('@')).toLowerCase();
  return mailboxes.has(local.replace(/[-_.]/g, '')) || machine.test(local);
}

/** Words of which both names consist where nobody is meant. Many of them are names of people, beside another name. */
const words = new Set([
  ...[
    'test',
    'tester',
    'testing',
    'user',
    'dummy',
    'demo',
    'example',
    'sample',
    'do not use',
    'donotuse',
    'placeholder',
  ],
  ...['vacant', 'vacancy', 'position', 'open', 'new', 'hire', 'new hire', 'starter', 'new starter', 'tbd', 'nn', 'n n'],
  ...[
    'admin',
    'administrator',
    'account',
    'service',
    'shared',
    'mailbox',
    'total',
    'totals',
    'employees',
    'team',
    'desk',
  ],
  ...['vakant', 'stelle', 'unbesetzt', 'benutzer', 'konto', 'testuser', 'person', 'poste', 'vacante', 'à pourvoir'],
  ...['puesto', 'vaga', 'wakat', 'stanowisko', 'testowy', 'użytkownik', 'volné', 'místo', 'vacature', 'info', 'hr'],
  ...['no', 'reply', 'テスト', '空席', '欠員'],
]);

/** Words that are nobody's name at all, so that one of them is enough. */
const surely = /^(?:do not use|donotuse|new hire|new starter|à pourvoir|unbesetzt|vacancy|placeholder)$/;

/** What spellings of a word have in common: no case, signs or numbers. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim();

/** Whether a first and a last name together look like no person: `Test User`, `Vacant Position`, `New hire 3`. */
export function isNobody(firstname: string, lastname: string): boolean {
  const [first, last] = [plain(firstname), plain(lastname)];
  return (words.has(first) && words.has(last)) || surely.test(first) || surely.test(last);
}
