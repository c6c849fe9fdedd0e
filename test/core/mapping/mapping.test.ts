import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { surveyColumns } from '../../../src/core/columns/column-survey.ts';
import type { Field } from '../../../src/core/columns/columns.ts';
import { InputError } from '../../../src/core/errors.ts';
import { addressesSeen } from '../../../src/core/mapping/unsettled-columns.ts';
import { mapRow, type MappedRow } from '../../../src/core/mapping/map-row.ts';
import { describeMapping, resolveColumns } from '../../../src/core/mapping/mapping.ts';
import type { MappingOptions } from '../../../src/core/mapping/mapping-options.ts';
import { isReject, type Reject } from '../../../src/core/rows/row.ts';
import { bySettings } from '../../../src/core/mapping/mapping-rules.ts';
import { besideSettings, byFlags } from '../../../src/report/terminal/commands.ts';

const everybody: MappingOptions = { groups: ['All'], groupColumns: [] };

function fieldsOf(header: string, options: Partial<MappingOptions> = {}): Partial<Record<Field, string>> {
  const mapping = resolveColumns(header.split(','), { ...everybody, ...options });
  return Object.fromEntries(describeMapping(mapping).map(({ field, column }) => [field, column]));
}

function refusal(header: string, options: Partial<MappingOptions> = {}): string {
  try {
    resolveColumns(header.split(','), { ...everybody, wording: byFlags, ...options });
  } catch (error) {
    assert.ok(error instanceof InputError);
    return error.message;
  }
  return assert.fail('the header was accepted');
}

const staff = 'Employee ID,First Name,Last Name,Work Email,Mobile,Department,Country';

const inDepartments = { groups: [], groupColumns: ['Department'] };

function map(cells: string[], options: Partial<MappingOptions> = {}, header = staff): MappedRow | Reject {
  const mapping = resolveColumns(header.split(','), { ...everybody, ...options });
  const result = mapRow({ file: 'staff.csv', line: 7, cells }, mapping);
  return 'filtered' in result ? assert.fail(`the row was filtered: ${result.filtered}`) : result;
}

function memberOf(result: MappedRow | Reject): MappedRow['member'] {
  assert.ok(!isReject(result), 'reason' in result ? result.reason : '');
  return result.member;
}

function rejectOf(result: MappedRow | Reject): Pick<Reject, 'column' | 'value' | 'reason'> {
  assert.ok(isReject(result));
  const { column, value, reason } = result;
  return { column, value, reason };
}

suite('columns', () => {
  const headers: [system: string, header: string, email: string, firstname: string, lastname: string][] = [
    ['the interface', 'firstname,lastname,email,telephone', 'email', 'firstname', 'lastname'],
    [
      'Google Workspace',
      'First Name [Required],Last Name [Required],Email Address [Required],Recovery Email',
      'Email Address [Required]',
      'First Name [Required]',
      'Last Name [Required]',
    ],
    [
      'Entra, in German',
      'Benutzername [userPrincipalName] Required,Vorname [givenName],Name [surname]',
      'Benutzername [userPrincipalName] Required',
      'Vorname [givenName]',
      'Name [surname]',
    ],
    [
      'Workday',
      'First_Name,Last_Name,Primary_Work_Email,Manager_Email',
      'Primary_Work_Email',
      'First_Name',
      'Last_Name',
    ],
    ['HelloID', 'GivenName,FamilyName,EmailPrivate,EmailBusiness', 'EmailBusiness', 'GivenName', 'FamilyName'],
    ['BambooHR', 'firstName,lastName,workEmail,homeEmail', 'workEmail', 'firstName', 'lastName'],
    ['HiBob', 'root.firstName,root.surname,root.email', 'root.email', 'root.firstName', 'root.surname'],
    ['LDAP', 'givenName,sn,mail', 'mail', 'givenName', 'sn'],
  ];
  for (const heading of [
    ...[
      'Secondary Email',
      'Private',
      'Home',
      'Personal',
      'Personal Email',
      'Email (private)',
      'E-Mail privat',
      'Private [mail]',
    ],
    ...[
      'Courriel personnel [mail]',
      'Sekundäre E-Mail [mail]',
      'Correo personal',
      'Privé e-mail',
      'Hjemme [email]',
      '自宅 [mail]',
    ],
  ]) {
    test(`a column ${heading} is never used as the address automatically, only offered`, () => {
      const message = refusal(`First Name,Last Name,${heading}`);
      assert.match(message, /no column gives the e-mail/);
      const isMail = /mail|courriel|correo/i.test(heading);
      assert.equal(message.includes(`"${heading}" is not used automatically: it may not be the work address`), isMail);
    });
  }

  for (const [system, header, email, firstname, lastname] of headers) {
    test(`the header of ${system} is understood`, () => {
      const { email: mail, firstname: first, lastname: last } = fieldsOf(header);
      assert.deepEqual([mail, first, last], [email, firstname, lastname]);
    });
  }

  for (const header of [
    'Vorname,Nachname,E-Mail (geschäftlich),E-Mail (privat)',
    'Vorname,Familienname,Dienstliche E-Mail,Private E-Mail',
    'Fornavn,Efternavn,E-mail (work),E-mail (home)',
    'Prénom,Nom de famille,E-mail (work),E-mail (home)',
  ]) {
    test(`${header}: names in other languages are understood, of several addresses the one for work`, () => {
      const [firstname, lastname, email] = header.split(',');
      assert.deepEqual(fieldsOf(header), { ...fieldsOf(header), firstname, lastname, email });
    });
  }

  test('the fields are listed in the order of the header', () => {
    const mapping = resolveColumns(['Mobile', 'Email', 'Surname', 'First name'], everybody);
    assert.deepEqual(describeMapping(mapping), [
      { column: 'Mobile', field: 'telephone' },
      { column: 'Email', field: 'email' },
      { column: 'Surname', field: 'lastname' },
      { column: 'First name', field: 'firstname' },
    ]);
  });

  test('what gives groups and the employee id is listed too, of many groups the first, the last and how many', () => {
    const described = (header: string, groupColumns: string[]): string[] =>
      describeMapping(resolveColumns(header.split(','), { groups: [], groupColumns })).map(
        ({ column, field }) => `${column}>${field}`,
      );
    assert.deepEqual(described('Team,First name,Last name,Email,Employee ID,Site', ['Site', 'Team']), [
      ...['Team>groups', 'First name>firstname', 'Last name>lastname', 'Email>email', 'Employee ID>employeeId'],
      'Site>groups',
    ]);
    const many = Array.from({ length: 9 }, (_, at) => `Group ${at + 1}`);
    assert.deepEqual(described(`First name,Last name,Email,${many}`, many), [
      ...['First name>firstname', 'Last name>lastname', 'Email>email', 'Group 1 … Group 9 (9 columns)>groups'],
    ]);
  });

  for (const column of [
    'Personal Email',
    'homeEmail',
    'EmailPrivate',
    'Recovery Email',
    'manager_email',
    'Alternate E-mail',
    'Secondary Email',
    'Email [personal]',
    'Email (private)',
    'E-Mail (privat)',
  ]) {
    test(`"${column}" is never taken for the work address`, () => {
      const message = refusal(`First Name,Last Name,${column}`);
      assert.match(message, /no column gives the e-mail: name it with --map email="COLUMN"/);
      assert.ok(message.includes(`"${column}"`));
    });
  }

  test('a private address is taken when it is named', () => {
    assert.equal(
      fieldsOf('First Name,Last Name,Personal Email', { map: { email: 'personal email' } }).email,
      'Personal Email',
    );
  });

  test('addresses of Exchange are taken where there is no other column of addresses, the primary one', () => {
    const names = 'givenName,sn,proxyAddresses';
    assert.equal(fieldsOf(`${names},mail`).email, 'mail');
    const cells = ['Ann', 'Ek', 'smtp:ek@example.com;SMTP:ann@example.com'];
    assert.equal(memberOf(map(cells, {}, names)).email, 'ann@example.com');
  });

  test('two columns for one field are refused with their names and the flag', () => {
    const message = refusal('First Name,Last Name,Email,Work Email', { file: 'staff.csv' });
    assert.match(
      message,
      /^staff\.csv: e-mail can come from "Email" or "Work Email": say which with --map email="COLUMN"\./,
    );
    assert.match(message, /Columns found: "First Name", "Last Name", "Email", "Work Email"\./);
  });

  test('of several columns with ids of employees the first tells people apart, and it is said', () => {
    const mapping = resolveColumns(['First Name', 'Last Name', 'Email', 'Employee Number', 'Payroll Number'], {
      ...{ groups: ['All'], groupColumns: [] },
    });
    assert.equal(mapping.fields.employeeId?.columns[0]?.name, 'Employee Number');
    assert.match(
      mapping.remarks.list().join('\n'),
      /"Employee Number" tells people apart, and "Payroll Number" holds ids of employees, too: if it does, set members: \{ employeeId: "Payroll Number" \}/,
    );
  });

  test('a name settles which of two columns is meant', () => {
    assert.equal(fieldsOf('First Name,Last Name,Email,Work Email', { map: { email: 'Email' } }).email, 'Email');
    assert.equal(
      fieldsOf('First Name,Last Name,Email,Work Email', { map: { email: 'work_email' } }).email,
      'Work Email',
    );
  });

  test('a name that no column has is refused, with the one that was probably meant', () => {
    assert.match(
      refusal('First Name,Last Name,Email', { map: { email: 'Mail' } }),
      /there is no column "Mail", which --map names for the e-mail\. Did you mean "Email"\?/,
    );
    assert.doesNotMatch(refusal('First Name,Last Name,Email', { map: { email: 'Xylophone' } }), /Did you mean/);
    assert.match(
      refusal('First Name,Last Name,Email,Department', { groups: [], groupColumns: ['Departmnet'] }),
      /there is no column "Departmnet", which --group-column names\. Did you mean "Department"\?/,
    );
  });

  test('all that is missing is said at once', () => {
    const message = refusal('Team,Department');
    for (const field of ['firstname', 'lastname', 'email'])
      assert.ok(message.includes(`--map ${field}="COLUMN"`), field);
    assert.match(refusal('Name,Department'), /"Name" is not split.*\n.*--map email="COLUMN"/);
  });

  test('a file without a header is told from one with strange columns', () => {
    assert.match(
      refusal('Åse,Lindqvist,ase.lindqvist@example.com'),
      /^The roster: the first line looks like a person, so the file seems to have no header row\. Add a line above it that names the columns.*\n {2}Columns found: [^\n]*$/,
    );
    assert.match(
      refusal('Åse,Lindqvist,ase.lindqvist@example.com', { map: { email: 'Mail' } }),
      /^The roster: the first line looks like a person[^]*there is no column "Mail"/,
    );
  });

  test('a column twice matters only when it is used', () => {
    assert.match(
      refusal('First Name,Last Name,Email,Email'),
      /"Email" \(column 3\) or "Email" \(column 4\): give them names of their own/,
    );
    assert.equal(fieldsOf('Notes,First Name,Last Name,Email,Notes').email, 'Email');
  });

  test('a general telephone goes before a work one, that before a mobile one; a private one is never taken', () => {
    assert.equal(fieldsOf(`${staff},Work Phone,Home Phone,Phone`).telephone, 'Phone');
    assert.equal(fieldsOf(`${staff},Work Phone,Home Phone`).telephone, 'Work Phone');
    assert.equal(fieldsOf(`${staff},Home Phone,Recovery Phone`).telephone, 'Mobile');
    assert.equal(fieldsOf('firstname,lastname,email,Home Phone').telephone, undefined);
    assert.equal(
      fieldsOf('firstname,lastname,email,Office phone [telephoneNumber],Mobile phone [mobile]').telephone,
      'Office phone [telephoneNumber]',
    );
  });

  test('two telephones of one kind are refused, and can be left out', () => {
    assert.match(refusal('firstname,lastname,email,Phone,Telephone'), /--map telephone="COLUMN"/);
    assert.equal(fieldsOf('firstname,lastname,email,Phone,Telephone', { map: { telephone: '' } }).telephone, undefined);
  });

  test('the names of object properties are ordinary column names', () => {
    const header = '__proto__,constructor,toString,email,hasOwnProperty';
    assert.deepEqual(fieldsOf(header, { map: { firstname: '__proto__', lastname: 'constructor' } }), {
      ...{ firstname: '__proto__', lastname: 'constructor', email: 'email' },
    });
    assert.match(refusal('firstname,lastname,email', { map: { telephone: '__proto__' } }), /no column "__proto__"/);
  });

  test('the columns of a rejects file are not looked at', () => {
    const mapping = resolveColumns('firstname,lastname,email,_line,_reason,_run'.split(','), everybody);
    assert.equal(describeMapping(mapping).length, 3);
    assert.match(refusal('firstname,lastname,email,_run', { groupColumns: ['_run'] }), /no column "_run"/);
  });
});

suite('groups', () => {
  test('nothing that gives groups is refused with both flags', () => {
    const message = refusal('firstname,lastname,email', { groups: [] });
    assert.match(message, /--group NAME/);
    assert.match(message, /--group-column COLUMN/);
  });

  test('nothing, or several columns, of a source that takes no flags is refused with its settings alone', () => {
    const nothing = refusal('firstname,lastname,email', { groups: [], rules: {}, wording: bySettings });
    assert.match(
      nothing,
      /set groups of the source: \[\{ always: NAME \}\], \[\{ column: COLUMN \}\] .* or \[\{ matrix: COLUMNS \}\]/,
    );
    const several = refusal('firstname,lastname,groups,memberOf,mail,email', {
      groups: [],
      rules: {},
      wording: bySettings,
    });
    assert.match(several, /"groups" or "memberOf": say which with groups: \[\{ column: COLUMN \}\] of the source/);
    for (const message of [nothing, several]) assert.doesNotMatch(message, /--/);
    const either = refusal('firstname,lastname,email', { groups: [], rules: {}, wording: besideSettings(false) });
    assert.match(either, /--group NAME.*, or set groups of the source\./);
  });

  for (const column of ['groups', 'Group', 'memberOf']) {
    test(`a column ${column} gives groups when none is named`, () => {
      const row = ['Åse', 'Ek', 'a@example.com', 'A/B; C'];
      assert.deepEqual(memberOf(map(row, { groups: [] }, `firstname,lastname,email,${column}`)).groups, ['A/B', 'C']);
    });
  }

  test('a groups column is not used when groups are named', () => {
    const row = ['Åse', 'Ek', 'a@example.com', 'Admins'];
    assert.deepEqual(memberOf(map(row, {}, 'firstname,lastname,email,groups')).groups, ['All']);
  });

  test('constants come first, then the columns in the order named, each group once', () => {
    const row = ['1', 'Åse', 'Lindqvist', 'ase@example.com', '', 'Finance; New starters', 'Sweden'];
    const options = { groups: ['New starters'], groupColumns: ['country', 'Department'] };
    assert.deepEqual(memberOf(map(row, options)).groups, ['New starters', 'Sweden', 'Finance']);
  });

  test('a group column that is not there is refused', () => {
    assert.match(refusal(staff, { groupColumns: ['Team'] }), /no column "Team", which --group-column names/);
  });

  test('a group without a name is refused', () => {
    assert.match(refusal(staff, { groups: [' '] }), /A group that is given has no name/);
  });

  test('a row without any group is a reject', () => {
    const row = ['1', 'Åse', 'Lindqvist', 'ase@example.com', '', ' ', ';'];
    assert.deepEqual(rejectOf(map(row, { groups: [], groupColumns: ['Department', 'Country'] })), {
      ...{ column: 'Department', value: '', reason: 'no group: Department and Country are empty' },
    });
  });
});

suite('rows', () => {
  test('values are trimmed, composed, and freed of what cannot be seen', () => {
    const row = [
      '7',
      ' A\u030ase\u200b',
      'Lind\u00adqvist\t ',
      '\u00a0Ase@Example.com\ufeff',
      '\u202a+46 70 174 06 00\u202c',
      'x',
      'y',
    ];
    const { member, employeeId } = map(row) as MappedRow;
    assert.deepEqual(member, {
      ...{
        firstname: '\u00c5se',
        lastname: 'Lindqvist',
        email: 'Ase@Example.com',
        telephone: '+46 70 174 06 00',
        groups: ['All'],
      },
    });
    assert.equal(employeeId, '7');
  });

  test('a line break in a name is a space, spaces within stay', () => {
    const { firstname, lastname } = memberOf(map(['', 'Anna\r\nMaria', 'de la  Cruz', 'a@example.com', '', '', '']));
    assert.deepEqual([firstname, lastname], ['Anna Maria', 'de la  Cruz']);
  });

  test('the joiners that a script needs stay in names', () => {
    const { firstname, lastname } = memberOf(map(['', 'ශ්\u200dරී', 'علی\u200cرضا\u200c', 'a@example.com', '', '', '']));
    assert.deepEqual([firstname, lastname], ['ශ්\u200dරී', 'علی\u200cرضا']);
    assert.equal(memberOf(map(['', 'An\u200dna', 'Ek', 'a@example.com', '', '', ''])).firstname, 'Anna');
  });

  test('an empty telephone is no telephone', () => {
    assert.ok(!('telephone' in memberOf(map(['', 'Åse', 'Ek', 'a@example.com', ' ', '', '']))));
  });

  test('an employee id that says there is none is none', () => {
    for (const id of ['', ' - ', '0', 'N/A', 'null']) {
      assert.ok(!('employeeId' in map([id, 'Åse', 'Ek', 'a@example.com', '', '', ''])), id);
    }
  });

  test('what is missing names its column', () => {
    assert.deepEqual(rejectOf(map(['', 'Åse', 'Ek', ' ', '', '', ''])), {
      column: 'Work Email',
      value: ' ',
      reason: 'e-mail is empty',
    });
    assert.equal(rejectOf(map(['', '\u200b', 'Ek', 'a@example.com', '', '', ''])).reason, 'first name is empty');
    assert.deepEqual(rejectOf(map(['', 'Åse', '', 'a@example.com', '', '', ''])), {
      column: 'Last Name',
      value: '',
      reason: 'last name is empty',
    });
  });

  test('a reject carries its file, line and cells as read', () => {
    const cells = ['', 'Åse ', 'Ek', 'jane@', '', '', ''];
    assert.deepEqual(map(cells), {
      ...{ file: 'staff.csv', line: 7, cells, column: 'Work Email', value: 'jane@' },
      reason: '"jane@" is not an e-mail address',
      kind: 'not-an-address',
    });
  });

  const good = [
    'a@example.com',
    'Åse.Ök@exämple.se',
    'ılk@example.com',
    "o'brien+tag@sub.example.co.uk",
    'x_y-z@a-b.example',
    '山田@例え.jp',
  ];
  for (const email of good) {
    test(`${email} is an address and is kept as written`, () => {
      assert.equal(memberOf(map(['', 'Åse', 'Ek', email, '', '', ''])).email, email);
    });
  }

  const bad = [
    ...['jane', 'jane@', '@example.com', 'jane@localhost', 'jane@@example.com', 'a@b@example.com', 'ja ne@example.com'],
    ...['jane@exam ple.com', '"jane"@example.com', 'jane@example.com;joe@example.com'],
    ...['.jane@example.com', 'jane.@example.com', 'ja..ne@example.com', 'jane@.example.com', 'jane@example..com'],
    ...[
      'jane@example.com.',
      'jane@-example.com',
      'jane@example-.com',
      'jane@10.0.0.1',
      'jane@[10.0.0.1]',
      'jane@example.c',
    ],
    ...[
      'jane@exa_mple.com',
      `${'j'.repeat(243)}@example.com`,
      'mailto:jane',
      'Jane <jane>',
      'bo@example.com <jane@example.com>',
      'a <a@example.com>, b <b@example.com>',
      '=HYPERLINK("x")',
    ],
  ];
  for (const email of bad) {
    test(`${email.slice(0, 40)} is not an address`, () => {
      const { column, value, reason } = rejectOf(map(['', 'Åse', 'Ek', email, '', '', '']));
      assert.equal(column, 'Work Email');
      assert.equal(value, email);
      assert.match(reason, /is not an e-mail address$/);
      assert.ok(reason.length < 120);
    });
  }

  test('a cell that is longer than any is not even looked at, and only its beginning is kept', () => {
    const { value, reason } = rejectOf(
      map(['', 'Åse', 'Ek', 'a@example.com', '', 'x;'.repeat(500_000), ''], inDepartments),
    );
    assert.match(reason, /^the cell has more than 32,767 characters/);
    assert.ok(value.length < 100);
  });

  test('half of a character in any value rejects the row: it could not be remembered as it is', () => {
    for (const at of [1, 2, 5]) {
      const cells = ['', 'Åse', 'Ek', 'a@example.com', '', 'Staff', ''].with(at, 'cut \ud83d');
      assert.match(rejectOf(map(cells, inDepartments)).reason, /has half of a character in it/);
    }
  });

  test('an address made to be slow is judged at once', { timeout: 30_000 }, () => {
    for (const email of [
      `${'a.'.repeat(120)}@`,
      `a@${'a-'.repeat(125)}`,
      `a@${'a.'.repeat(125)}!`,
      'a'.repeat(32_000),
    ]) {
      assert.match(rejectOf(map(['', 'Åse', 'Ek', email, '', '', ''])).reason, /is not an e-mail address$/);
    }
  });
});

suite('whole names by --map fullname', () => {
  const split = (heading: string, name: string): [string, string] => {
    const options = { map: { fullname: heading } };
    const { firstname, lastname } = memberOf(map([name, 'a@example.com'], options, `${heading},Email`));
    return [firstname, lastname];
  };
  test('are "Last, First" where a cell has a comma, else "First Last"', () => {
    assert.deepEqual(split('Name', 'Ann van der Berg'), ['Ann', 'van der Berg']);
    assert.deepEqual(split('Name', 'van der Berg, Ann'), ['Ann', 'van der Berg']);
  });

  test('have the last name first where the column is called so', () => {
    assert.deepEqual(split('ФИО', 'Иванова Анна'), ['Анна', 'Иванова']);
    assert.deepEqual(split('Nom Prénom', 'Moreau Zoé'), ['Zoé', 'Moreau']);
    assert.deepEqual(split('氏名', '山田 花子'), ['花子', '山田']);
    assert.deepEqual(split('Név', 'Nagy, Anna'), ['Anna', 'Nagy']);
    assert.deepEqual(split('Élève', 'LE GOFF Yann'), ['Yann', 'LE GOFF']);
  });

  test('that cannot be split are rejects', () => {
    const options = { map: { fullname: 'Name' } };
    assert.match(rejectOf(map(['Madonna', 'a@example.com'], options, 'Name,Email')).reason, /is one word/);
    const heading = 'Apellidos y nombre';
    assert.match(
      rejectOf(map(['García López Ana', 'a@example.com'], { map: { fullname: heading } }, `${heading},Email`)).reason,
      /may have one or two last names/,
    );
    assert.deepEqual(split(heading, 'García Ana'), ['Ana', 'García']);
    assert.deepEqual(split(heading, 'García López, Ana María'), ['Ana María', 'García López']);
  });

  for (const heading of [
    ...[
      'Name',
      'Full name',
      'Nom complet',
      'Naam',
      'Nombre completo',
      'Nome completo',
      'ФИО',
      'Imię i nazwisko',
      'Navn',
    ],
    ...['Fullständigt namn', 'Kokonimi', 'Vollständiger Name', 'Celé jméno', '氏名', '성명', 'الاسم الكامل'],
  ]) {
    test(`a column ${heading} is offered, and not split automatically`, () => {
      assert.ok(
        refusal(`${heading},Email`).includes(
          `: "${heading}" is not split automatically: if it holds first and last name, use --map fullname="${heading}".`,
        ),
      );
      assert.doesNotMatch(refusal(`${heading},Email`), /no column gives the (?:first|last) name/);
    });
  }

  test('a column that is not there is refused', () => {
    assert.match(
      refusal('Name,Email', { map: { fullname: 'Nmae' } }),
      /no column "Nmae", which --map names for the full name/,
    );
  });
});

suite('addresses with something around them', () => {
  for (const text of [
    ...['mailto:Ann@example.com', 'MAILTO:Ann@example.com?subject=Hi', 'Ann Ek <Ann@example.com>', '<Ann@example.com>'],
    ...['"Ek, Ann" <mailto:Ann@example.com>', 'Ann < Ann@example.com >'],
  ]) {
    test(`${text} is the address in it`, () => {
      assert.equal(memberOf(map(['1', 'Ann', 'Ek', text, '', 'Sales', ''])).email, 'Ann@example.com');
    });
  }
});

suite('what is not a list of people', () => {
  const seen = { rows: 40, columns: [], names: [], contents: new Map<number, string>() };
  for (const [header, what] of [
    ['Invoice No,Item,Quantity,Unit Price,Total', 'looks like an invoice or an order'],
    ['Buchungstag;Verwendungszweck;Betrag;Saldo', 'looks like a bank statement'],
    ['Timestamp,Level,Logger,Message', 'looks like a log'],
    ['Depth,Colour,Weight', 'does not look like a list of people'],
  ] as const) {
    test(`${header} ${what}`, () => {
      const message = refusal(header.replaceAll(';', ','), { seen });
      assert.equal(message.split('\n').length, 1, message);
      assert.ok(message.includes(what), message);
      assert.match(message, /no column is called like a name or an address/);
    });
  }

  test('a table with addresses or names in it is asked about as ever', () => {
    for (const header of ['First Name,Quantity,Price', 'Login,Quantity,Price']) {
      const columns = header.startsWith('Login') ? [{ name: 'Login', addresses: 40 }] : [];
      assert.doesNotMatch(refusal(header, { seen: { ...seen, columns } }), /looks? like/);
    }
  });

  test('so are ids of people, and names of students in other words', () => {
    assert.match(refusal('学号,学生,班级', { seen }), /no column gives the first name/);
    assert.match(refusal('Roll No,Name of the Student', { seen }), /--map fullname="Name of the Student"/);
  });

  test('an address in a remark makes no column of addresses, but one under a heading of addresses does', () => {
    const [notes, mails] = surveyColumns(['Notes', 'E-mail(s)']);
    assert.ok(notes && mails);
    for (const cell of ['ask ann@example.com', 'ann@example.com', '', 'late', 'early']) notes.add(cell);
    for (const cell of ['a@example.com; b@example.com', 'c@example.com', 'd@x, e@x', 'f at x']) mails.add(cell);
    assert.deepEqual(addressesSeen([notes, mails]).columns, [{ name: 'E-mail(s)', addresses: 1 }]);
  });
});

suite('prefixes of last names in a column of their own', () => {
  const header = ['Voornaam', 'Tussenvoegsel', 'Achternaam', 'E-mail'];
  const remarksOf = (options: Partial<MappingOptions>) =>
    resolveColumns(header, { ...everybody, ...options }).remarks.list();

  test('are not left out silently, and the remark says how they are taken', () => {
    assert.deepEqual(remarksOf({ wording: byFlags }), [
      '"Tussenvoegsel" is not used: if it is missing from the last names, use --map lastname="{Tussenvoegsel} {Achternaam}"',
    ]);
  });

  test('are part of the last name where the template says so, and an empty one leaves no space', () => {
    const options = { map: { lastname: '{Tussenvoegsel} {Achternaam}' } };
    assert.deepEqual(remarksOf(options), []);
    for (const [prefix, lastname] of [
      ['van der', 'van der Berg'],
      ['', 'Berg'],
      ['-', 'Berg'],
    ] as const) {
      const cells = ['Jan', prefix, 'Berg', 'jan@example.com'];
      assert.equal(memberOf(map(cells, options, header.join(','))).lastname, lastname);
    }
  });
});
