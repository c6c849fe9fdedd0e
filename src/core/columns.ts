/** What of a person a column can give. */
export type Field = 'firstname' | 'lastname' | 'email' | 'telephone';

/** A column of a roster. */
export interface Column {
  /** 0-based place in the header. */
  index: number;
  /** The name as the header writes it, trimmed. */
  name: string;
}

/**
 * Names under which HR systems export each field, without case, spaces and signs. A row of names is a rank: a
 * later row counts only where no earlier one is found. Work numbers go before mobile ones, which may be private.
 * Seen in the exports of Google Workspace, Entra, Okta, Workday, BambooHR, HiBob, OneRoster, SDS, Canvas, SCIM.
 */
const synonyms: Record<Field, readonly (readonly string[])[]> = {
  firstname: [
    [
      'firstname',
      'givenname',
      'forename',
      'legalnamefirstname',
      'legalfirstname',
      'voornaam',
      'vorname',
      'prenom',
      'prénom',
      'fornavn',
      'förnamn',
      'rootfirstname',
    ],
  ],
  lastname: [
    [
      ...['lastname', 'surname', 'sn', 'familyname', 'familyname1', 'legalnamelastname', 'legallastname'],
      ...[
        'achternaam',
        'nachname',
        'familienname',
        'nomdefamille',
        'efternavn',
        'etternavn',
        'efternamn',
        'rootsurname',
        'rootlastname',
      ],
    ],
  ],
  email: [
    [
      ...['email', 'emailaddress', 'mail', 'emailuri', 'userprincipalname', 'rootemail'],
      ...['workemail', 'workemailaddress', 'emailwork', 'primaryworkemail', 'businessemail', 'emailbusiness'],
      ...['companyemail', 'corporateemail', 'officeemail'],
      ...['emailadresse', 'dienstlicheemail', 'geschäftlicheemail', 'emailadres', 'zakelijkemail', 'epost'],
    ],
    ['secondaryemail'],
  ],
  telephone: [
    [
      ...['telephone', 'telephonenumber', 'phone', 'phonenumber', 'phone1', 'contactnumber'],
      ...['telefon', 'telefonnummer', 'telefoon', 'telefoonnummer'],
    ],
    ['workphone', 'workphonenumber', 'worktelephone', 'officephone', 'businessphone', 'phonebusiness', 'phonework'],
    [
      'mobile',
      'mobilephone',
      'mobilenumber',
      'mobileno',
      'mobilephonenumber',
      'workmobile',
      'mobilebusiness',
      'cellphone',
      'handy',
      'handynummer',
      'mobil',
      'mobiltelefon',
      'mobilnummer',
    ],
  ],
};

/**
 * The id at the employer: Google Workspace, Workday, ADP, Personio; `Pers.-Nr.` and `Pers.No.` of SAP, `Personalnr` of DATEV;
 * of payrolls elsewhere `medewerkernummer`, `medarbejdernr.`, `ansattnummer`, `anställningsnummer`, `matricule`. Never
 * `personnummer`, which is what a state calls somebody.
 */
const employeeIds = [
  [
    ...['employeeid', 'employeenumber', 'employeeno', 'empid', 'empno', 'workerid', 'workernumber'],
    ...['personnelnumber', 'personnelno', 'persno', 'staffid', 'staffnumber', 'staffno'],
    ...['personalnummer', 'personalnr', 'persnr', 'mitarbeiternummer', 'mitarbeiternr', 'mitarbeiterid'],
    ...['personeelsnummer', 'personeelsnr', 'medewerkernummer', 'medewerkernr'],
    ...['medarbejdernummer', 'medarbejdernr', 'ansattnummer', 'ansattnr', 'anställningsnummer', 'anställningsnr'],
    'matricule',
  ],
];

/**
 * The first day of work, by names that can be nothing else: `Hire Date` of BambooHR, Workday, Gusto and Personio (there
 * `Anstelldatum` as well), `DateofHire`, `Employment Date` of Business Central, `work.startDate` of HiBob, `Eintritt` of German
 * payrolls, and what these and other countries' forms call it. Then those that may be of a contract or a course too:
 * `start_date` of Finch, Deel and Rippling.
 */
const startDates = [
  [
    ...['hiredate', 'hiringdate', 'dateofhire', 'datehired', 'dateofjoining', 'joiningdate', 'employmentdate'],
    ...['employmentstartdate', 'workstartdate', 'firstdayofwork'],
    ...['eintritt', 'eintrittsdatum', 'anstelldatum', 'anstellungsdatum', 'einstellungsdatum', 'diensteintritt'],
    ...['datumindienst', 'indienstdatum', 'datumindiensttreding'],
    ...['ansættelsesdato', 'tiltrædelsesdato', 'ansettelsesdato', 'tiltredelsesdato', 'anställningsdatum'],
    ...['datedembauche', 'dateembauche', 'datedentrée', 'datedentree', 'dateentrée', 'dateentree'],
  ],
  ['startdate', 'startdatum', 'startdato'],
];
const groupNames = [['groups', 'group', 'memberof']];

/** Columns of this kind hold an address or number of somebody else, or one that the employer must not use. */
const notOurs = /personal|private|home|recovery|manager|supervisor|alternat|emergency|parent|guardian/;

/** What a bracket says of addresses and numbers that are the employer's. */
const work = /^(?:work|business|company|office|geschäftlich|dienstlich|firma|arbeit|zakelijk|werk|arbejde|arbete)$/;

const wholeNames = [['name', 'fullname', 'displayname', 'employeename']];

/** No column is called by so many characters; what follows them tells nobody which it is. */
const longestName = 300;

/** A name without case, spaces, and signs: what two spellings of one column have in common. */
export function columnKey(name: string): string {
  return name
    .slice(0, longestName)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '');
}

/**
 * The keys a header cell answers to. `First Name [Required]` (Google) is `firstname`; `Vorname [givenName]`
 * (Entra, where only the part in brackets is the same in every language) is `vorname` and `givenname`. `E-Mail
 * (geschäftlich)` is `email`.
 */
function keysOf(column: Column): string[] {
  const known = keys.get(column);
  if (known) return known;
  const found = makeKeys(column.name.slice(0, longestName));
  keys.set(column, found);
  return found;
}

/** Each field asks all columns of a header for their keys, and a header may have many thousands. */
const keys = new WeakMap<Column, string[]>();

function makeKeys(name: string): string[] {
  const path = pathKey(name);
  if (path !== undefined) return [columnKey(name), path];
  const ofWork = /^([^(]+)\(([^)]+)\)\s*$/.exec(name);
  if (ofWork && work.test(columnKey(ofWork[2] ?? ''))) return [columnKey(name), columnKey(ofWork[1] ?? '')];
  const bracket = /^([^[]*)\[([^\]]*)\]/.exec(name);
  if (!bracket) return [columnKey(name)];
  return [columnKey(bracket[1] ?? ''), columnKey(bracket[2] ?? '')].filter((key) => key !== '');
}

/** Levels of JSON that say nothing of whose value it is. */
const containers =
  /^(?:attributes|data|employee|fields|individual|legalname|name|person|profile|properties|record|root|user|worker)$/;

/**
 * The key of a path into JSON that leads to a person's own value: `attributes.first_name.value` is `firstname`,
 * `emails[type=work].value` is `workemail`. Undefined for other names, and for what belongs to somebody or something
 * else (`department.name`).
 */
function pathKey(name: string): string | undefined {
  const typed =
    /^(?:[\w]+\.)*(email|phone|phonenumber)(?:s|_numbers|Numbers|Addresses|es)?\[(?:type|primary)=(\w+)\]\.?\w*$/i.exec(
      name,
    );
  if (typed) return columnKey(`${typed[2] === 'true' ? '' : typed[2]}${typed[1] ?? ''}`);
  const levels = name.split('.').map(columnKey);
  if (levels.length > 1 && levels.at(-1) === 'value') levels.pop();
  const last = levels.pop();
  return levels.length > 0 && levels.every((level) => containers.test(level)) ? last : undefined;
}

/** All columns of a header, in its order. */
export function listColumns(header: readonly string[]): Column[] {
  return header.map((name, index) => ({ index, name: name.trim() }));
}

/** The columns that a person means by a name: those that equal it, else those whose key does. */
export function columnsNamed(columns: readonly Column[], name: string): Column[] {
  const wanted = name.trim();
  const equal = columns.filter((column) => column.name === wanted);
  if (equal.length > 0) return equal;
  const key = columnKey(wanted);
  return columns.filter((column) => key !== '' && (columnKey(column.name) === key || keysOf(column).includes(key)));
}

/** The columns of the best rank that has any: one is an answer, several are ambiguous. */
function bestOf(columns: readonly Column[], ranks: readonly (readonly string[])[]): Column[] {
  for (const names of ranks) {
    const found = columns.filter((column) => keysOf(column).some((key) => names.includes(key)));
    if (found.length > 0) return found;
  }
  return [];
}

/** The columns that can give a field by their name, never somebody else's or a private one. */
export function candidatesFor(columns: readonly Column[], field: Field): Column[] {
  return bestOf(
    columns.filter(({ name }) => !notOurs.test(columnKey(name))),
    synonyms[field],
  );
}

/** The column that holds the employee's id at the employer, where exactly one does. */
export function employeeIdColumn(columns: readonly Column[]): Column | undefined {
  const found = bestOf(columns, employeeIds);
  return found.length === 1 ? found[0] : undefined;
}

/** The column that holds the first day of work, where exactly one does; `isSure` where it can be nothing else. */
export function startDateColumn(columns: readonly Column[]): { column: Column; isSure: boolean } | undefined {
  const [column, ...others] = bestOf(columns, startDates);
  if (!column || others.length > 0) return undefined;
  return { column, isSure: bestOf([column], startDates.slice(0, 1)).length > 0 };
}

/** The columns that name groups of themselves. */
export function groupCandidates(columns: readonly Column[]): Column[] {
  return bestOf(columns, groupNames);
}

/** Columns that hold first and last name in one. */
export function wholeNameColumns(columns: readonly Column[]): Column[] {
  return bestOf(columns, wholeNames);
}

/** Columns that look like e-mail but are nobody's work address. */
export function privateEmailColumns(columns: readonly Column[]): Column[] {
  return columns.filter(({ name }) => /mail/.test(columnKey(name)) && notOurs.test(columnKey(name)));
}
