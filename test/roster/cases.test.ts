// Small files that strangers have, and what is right to say of them: read rightly, asked, rejected, or remarked on.
import assert from 'node:assert/strict';
import { mkdirSync, copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { envOf, openPlace, type Place } from '../support/cli.ts';

const cases = join(import.meta.dirname, '../fixtures/cases');

interface Case {
  file: string;
  /** Besides `import FILE --dry-run`: the flags that its messages ask for. */
  flags: string[];
  /** 2: nothing can be read so; 3: it is asked, and held where nobody is there to answer. */
  code: 0 | 2 | 3;
  says: RegExp[];
}

const everybody = ['--group', 'All'];
const byTeam = ['--group-column', 'Team'];

const all: Case[] = [
  {
    file: '01-department-says-gone.csv',
    flags: ['--group-column', 'Department'],
    code: 3,
    says: [/Decide ! Department says who is not there: DELETED EMPLOYEES 1, Leavers 1\n/],
  },
  {
    file: '01-department-says-gone.csv',
    flags: [...everybody, '--only-active'],
    code: 0,
    says: [/3 rows = 1 used \+ 2 filtered/],
  },
  {
    file: '02-leavers-heading-short-row.csv',
    flags: everybody,
    code: 0,
    says: [/! a row is only a heading that may say who has left, "Leavers"/],
  },
  {
    file: '03-second-list-fullname.csv',
    flags: [...everybody, '--map', 'fullname=Name'],
    code: 0,
    says: [
      /may say who has left, "Did not attend"/,
      /! a row repeats the header/,
      /line 5 .*this row repeats the header/,
    ],
  },
  {
    file: '03b-second-list-other-order.csv',
    flags: everybody,
    code: 0,
    says: [/Bo Falk <bo@example\.com>/, /line 3 a second header: the header in another order/],
  },
  { file: '04-inactive-yes.csv', flags: everybody, code: 3, says: [/Decide ! Inactive says who is not there: Yes 1/] },
  { file: '04c-activated-false.csv', flags: everybody, code: 3, says: [/Activated says who is not there: FALSE 1/] },
  {
    file: '04d-oneroster-users-alone.csv',
    flags: everybody,
    code: 3,
    says: [/enabledUser says who is not there: false 1/],
  },
  {
    file: '04e-attendee-status.csv',
    flags: everybody,
    code: 3,
    says: [/Attendee Status says who is not there: Not Attending 1/],
  },
  {
    file: '09-name-with-remark.csv',
    flags: [...everybody, '--map', 'fullname=Name'],
    code: 0,
    says: [/Ann Ek <ann/, /Bo Falk <bo/, /Ida Lund <ida/, /! 3 remarks after names are left out; .*"Sales"/],
  },
  { file: '11-lastname-comma-prefix.csv', flags: everybody, code: 0, says: [/Ann van Leeuwen <ann@example\.com>/] },
  {
    file: '12-phone-with-remark.csv',
    flags: everybody,
    code: 0,
    says: [/! 3 telephones are left out: not a valid number, more than one, or with words/, /ann@example\.com> -> All/],
  },
  { file: '22-mattermost.ndjson', flags: everybody, code: 3, says: [/user\.delete_at is in the past in 1 row/] },
  {
    file: '60-rsvp.csv',
    flags: [...everybody, '--map', 'firstname=Name'],
    code: 3,
    says: [/RSVP says who is not there: Declined 1, Waitlisted 1\n/],
  },
  { file: '61-ehemalige.csv', flags: everybody, code: 0, says: [/may say who has left, "\*\*\* Ehemalige \*\*\*"/] },
  {
    file: '62-sortie.csv',
    flags: everybody,
    code: 3,
    says: [/Présent says who is not there: Non 1/, /Date de sortie prévue is in the past in 1 row/],
  },
  {
    file: '63-shifted.csv',
    flags: everybody,
    code: 3,
    says: [/addresses: 4 addresses spell the names of other rows, the first in line 2/],
  },
  {
    file: '64-two-addresses.csv',
    flags: everybody,
    code: 0,
    says: [
      /! 1 person has two addresses, .* lines 2\s+and 3/,
      /! 1 address has letters outside ASCII before the @/,
      /ann\.ek@example\.com> \+45 20 12 34 56 ext\. 4 ->/,
    ],
  },
  {
    file: '65-ou-path.csv',
    flags: everybody,
    code: 3,
    says: [/distinguishedName says who is not there: OU=Leavers,OU=Sales,DC=example,DC=com 1/],
  },
  { file: '65-ou-path.csv', flags: [...everybody, '--only-active'], code: 0, says: [/2 rows = 1 used \+ 1 filtered/] },
  { file: '66-second-header.csv', flags: everybody, code: 0, says: [/Bo Falk <bo@/, /Ida Lund <ida@/] },
  {
    file: '67-two-ids.csv',
    flags: ['--group-column', 'Department'],
    code: 2,
    says: [/two people share this address: lines 2 and 3; employee ids .1., .2./],
  },
  {
    file: '68-another-list.csv',
    flags: everybody,
    code: 0,
    says: [/3 rows = 1 used \+ 2 rejected/, /line 3 has another header: import the list below it/],
  },
  { file: '69-exchanged.csv', flags: everybody, code: 0, says: [/! 3 addresses spell the last name before the first/] },
  {
    file: '70-three-words.csv',
    flags: [...everybody, '--map', 'fullname=Nombre completo'],
    code: 0,
    says: [/María José García \| López <mj@/, /! 1 name of more than two words was split by a guess/],
  },
  { file: '71-notes.csv', flags: everybody, code: 0, says: [/Notes may say who has left: DO NOT INVITE 1/] },
  {
    file: '05-powershell-type-as-group.csv',
    flags: ['--group-column', 'MemberOf'],
    code: 2,
    says: [/group .Microsoft\.ActiveDirectory\S+ is what a program wrote in place of a value/],
  },
  {
    file: '06-groups-in-json-list.csv',
    flags: ['--group-column', 'Teams'],
    code: 0,
    says: [/ann@example\.com> -> Sales, HR\n/, /bo@example\.com> -> Sales\n/, /ida@example\.com> -> Sales, HR\n/],
  },
  {
    file: '08-formula-as-group.csv',
    flags: ['--group-column', 'Department'],
    code: 2,
    says: [/=HYPERLINK.* is a formula/],
  },
  { file: '13-student-name.csv', flags: ['--group', 'All'], code: 2, says: [/--map fullname="Student Name"/] },
  {
    file: '13-student-name.csv',
    flags: ['--group', 'All', '--map', 'fullname=Student Name'],
    code: 0,
    says: [/Ann Ek <ann@example\.com> -> All/],
  },
  {
    file: '13c-first-last-prefixed.csv',
    flags: ['--group', 'All'],
    code: 0,
    says: [/Ann Ek <ann@example\.com> -> All/],
  },
  { file: '14-heading-with-line-break.csv', flags: ['--group', 'All'], code: 0, says: [/Ann Ek <ann@example\.com>/] },
  {
    file: '15-none-usable-hint.csv',
    flags: ['--map', 'email={Login}@example.com', '--group-column', 'Section'],
    code: 2,
    says: [/The commonest reject, line 3: "Section: no group: Section is .-./, /^(?!.*--map email)/s],
  },
  {
    file: '16-json-list-in-list.json',
    flags: ['--records', '/0/answer/students', '--group-column', 'class'],
    code: 0,
    says: [/Ann Ek <ann@example\.com> -> 1A/, /Bo Falk <bo@example\.com> -> 1B/],
  },
  {
    file: '16-json-list-in-list.json',
    flags: ['--group', 'All'],
    code: 2,
    says: [/--records \/0\/answer\/students/],
  },
  {
    file: '17-name-and-address-in-one.csv',
    flags: ['--group-column', 'Team'],
    code: 2,
    says: [/--map fullname="Contact"/, /--map email="Contact"/],
  },
  {
    file: '17-name-and-address-in-one.csv',
    flags: ['--group-column', 'Team', '--map', 'fullname=Contact', '--map', 'email=Contact'],
    code: 0,
    says: [/Ann Ek <ann@example\.com> -> Sales/],
  },
  {
    file: '18-entra-display-name-only.csv',
    flags: ['--group', 'All'],
    code: 2,
    says: [/use --map fullname="Name \[displayName\] Required"/],
  },
  { file: '19-empty-column-competes.csv', flags: ['--group', 'All'], code: 0, says: [/Ann Ek <ann@example\.com>/] },
  {
    file: '20-no-heading-no-address.csv',
    flags: ['--group', 'All'],
    code: 2,
    says: [/Add a line above it that names the columns/],
  },
  {
    file: '40-generic-type-left.csv',
    flags: ['--group-column', 'Team'],
    code: 0,
    says: [/line 4 group "List`1\[System\.String\]" is what a program wrote/],
  },
  {
    file: '41-groups-signs.csv',
    flags: ['--group-column', 'Department'],
    code: 0,
    says: [/look like others: "Verkauf\." \(1\) like "Verkauf" \(2\) and "Ver-kauf" \(1\)/, /Verkauf +2\n/],
  },
  {
    file: '42-block-class.csv',
    flags: ['--group-column', 'Class', '--group', 'All'],
    code: 0,
    says: [/"Class" is empty below a filled cell in 3 rows: does the group continue there\?/],
  },
  {
    file: '43-cost-centre-codes.csv',
    flags: ['--group-column', 'Cost centre'],
    code: 0,
    says: [/look like codes: "4100", "4200"; --map-group 4100=NAME/],
  },
  {
    file: '43-cost-centre-codes.csv',
    flags: ['--group-column', 'Cost centre', '--map-group', '4100=Sales', '--map-group-file', '52-codes.csv'],
    code: 0,
    says: [/ann@example\.com> -> Sales\n/, /bo@example\.com> -> "Finance, Nordic"\n/, /^(?!.*codes: )/s],
  },
  {
    file: '43-cost-centre-codes.csv',
    flags: ['--group-column', 'Cost centre', '--map-group', '4100=', '--map-group-file', '52-codes.csv'],
    code: 0,
    says: [/allow\.groups leaves out "4100"/, /bo@example\.com> -> "Finance, Nordic"\n/],
  },
  {
    file: '44-japanese-name.csv',
    flags: ['--map', 'fullname=氏名', '--group', 'All'],
    code: 0,
    says: [/太郎 山田 </, /1 name of one word is split after the surname/],
  },
  { file: '45-pupil.csv', flags: ['--group', 'All'], code: 2, says: [/--map fullname="Pupil"/] },
  {
    file: '46-name-address-brackets.csv',
    flags: ['--group-column', 'Group', '--map', 'fullname=Member', '--map', 'email=Member'],
    code: 0,
    says: [/Ann Ek <ann@example\.com> -> Sales/],
  },
  {
    file: '47-cut-department.csv',
    flags: ['--group-column', 'Department'],
    code: 0,
    says: [/line 4 the file ends in this row, and its last cell, "Marketi", is the beginning of "Marketing"/],
  },
  { file: '48-nome.csv', flags: ['--group', 'All'], code: 2, says: [/--map fullname="Nome"/] },
  {
    file: '49-quote-in-heading.csv',
    flags: ['--group-column', 'Section'],
    code: 0,
    says: [/Ann Ek <ann@example\.com> -> Cubs/],
  },
  {
    file: '50-graphql.json',
    flags: ['--group-column', 'node.team'],
    code: 0,
    says: [/Ann Ek <ann@example\.com> -> Sales/],
  },
  {
    file: '51-php-serialised-group.csv',
    flags: ['--group-column', 'Team'],
    code: 0,
    says: [/3 rows = 1 used \+ 2 rejected/],
  },
  {
    file: '72-groups-in-parts.csv',
    flags: byTeam,
    code: 0,
    says: [
      /line 2 Team .*group "=A1" is a formula/,
      /line 3 Team .*group "System\.Object\[\]" is what a program wrote/,
      /groups that look like something else: "<Sales>", "\(Sales HR\)"; is this/,
    ],
  },
  {
    file: '73-plain-id.csv',
    flags: byTeam,
    code: 0,
    says: [/! 1 person is on rows of different "ID": if it tells people apart, .*employeeId: ID.* lines 2 and\s+3/s],
  },
  {
    file: '74-registration-report.csv',
    flags: everybody,
    code: 3,
    says: [/5 lines above the header left out/, /Approval Status says who is not there: cancelled by self 1/],
  },
  {
    file: '75-no-end.csv',
    flags: ['--group-column', 'Avdelning', '--only-active'],
    code: 0,
    says: [/7 rows = 6 used \+ 1 filtered \+ 0 rejected/],
  },
  {
    file: '76-template-left-over.csv',
    flags: byTeam,
    code: 0,
    says: [
      /7 rows = 2 used \+ 5 rejected/,
      /line 2 first name: "\{\{first_name\}\}" is what a program wrote, not a name/,
      /line 3 group "\$\{department\}" is what a program wrote/,
      /line 4 group "\{\{team\}\}" is what a program wrote/,
      /line 5 group "@SUM\(1\)" is a formula/,
      /line 6 group "-1\+2" is a formula/,
      /groups that look like something else: "Sales • HR"; is this/,
    ],
  },
  {
    file: '77-day-of-a-flag.csv',
    flags: everybody,
    code: 3,
    says: [
      /Konto gesperrt am is in the past in 1 row/,
      /Opt-in says who is not there: no 1/,
      /Date of Leaving School \(dd\/mm\/yyyy\) is in the past in 1 row/,
      /Gruppe says who is not there: zzz_Inaktiv 1/,
    ],
  },
  { file: '78-left-and-right.csv', flags: everybody, code: 0, says: [/Email>email\nPlan/] },
  {
    file: '79-one-column.csv',
    flags: everybody,
    code: 2,
    says: [/Say which sign it is, or comma if it is one column/],
  },
  {
    file: '79-one-column.csv',
    flags: [...everybody, '--delimiter', 'comma', '--map', 'fullname=Contact', '--map', 'email=Contact'],
    code: 0,
    says: [/Ann Ek <ann@example\.com>/],
  },
  { file: '80-to-line.txt', flags: everybody, code: 2, says: [/80-to-line\.txt: the first line looks like a person/] },
  {
    file: '81-leavers-2026.csv',
    flags: everybody,
    code: 0,
    says: [/! the name "81-leavers-2026\.csv" says that its people have left, and they are sent/],
  },
  {
    file: '82-changes.csv',
    flags: byTeam,
    code: 3,
    says: [/Action says who is not there: Delete 1\n/, /Aktiv J\/N says who is not there: N 1\n/],
  },
  { file: '82-changes.csv', flags: [...byTeam, '--only-active'], code: 0, says: [/4 rows = 2 used \+ 2 filtered/] },
  {
    file: '83-starters.csv',
    flags: byTeam,
    code: 3,
    says: [/Expected Start Date is in the future in 1 row/, /Job end date is in the past in 1 row/],
  },
  { file: '84-tickets.csv', flags: byTeam, code: 0, says: [/Ann Ek <ann@example\.com> -> Sales\n(?!.*!)/s] },
  { file: '21-users.ldif', flags: ['--group', 'All'], code: 2, says: [/this is LDIF/] },
];

describe('small files that were read wrongly', () => {
  let place: Place;
  before(async () => {
    place = await openPlace({}, { here: true });
    for (const file of readdirSync(cases)) copyFileSync(join(cases, file), join(place.folder, file));
  });

  it('14-heading-with-line-break.csv: what `init` writes of it can be read', async () => {
    const written = await place.run('init', '14-heading-with-line-break.csv', '--group', 'All');
    assert.equal(written.code, 0, written.stderr);
    const { code, stdout, stderr } = await place.run('sync', '14-heading-with-line-break', '--dry-run');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Ann Ek <ann@example\.com> -> All/);
    rmSync(join(place.folder, 'roster-sync.yaml'));
  });

  for (const { file, flags, code, says } of all) {
    it(`${file} ${flags.join(' ')} is read rightly, asked about, or refused with the next step`, async () => {
      const ended = await place.run('import', file, '--dry-run', ...flags);
      const said = ended.stdout + ended.stderr;
      assert.equal(ended.code, code, said);
      for (const pattern of says) assert.match(said, pattern);
    });
  }

  const clean: [language: string, header: string, ...rows: string[]][] = [
    [
      'en',
      'First name,Last name,Email,Department,Job title,Status,Phone',
      'Ann,Ek,ann.ek@x.example,Archive,Engineer,Active,+44 20 7946 0018',
    ],
    [
      'de',
      'Vorname,Nachname,E-Mail,Abteilung,Status,Telefon',
      'Jörg,von Groß,j.gross@x.example,Personal,aktiv,030 / 901820',
    ],
    [
      'fr',
      'Prénom,Nom,E-mail,Service,Statut,Téléphone',
      'Zoé,de la Tour,zoe.delatour@x.example,Ancienneté,Actif,01 23 45 67 89 poste 12',
    ],
    [
      'es',
      'Nombre,Apellidos,Correo electrónico,Departamento,Estatus',
      'José,García López,jose.garcia@x.example,Ventas,Activo',
    ],
    ['pt', 'Nome,Sobrenome,E-mail,Departamento,Status', 'Ana,da Silva,ana.silva@x.example,Recursos Humanos,Ativo'],
    ['it', 'Nome,Cognome,E-mail,Reparto,Stato dipendente', 'Luca,De Rossi,luca.derossi@x.example,Vendite,Attivo'],
    ['nl', 'Voornaam,Achternaam,E-mail,Afdeling,Status', 'Jan,van Dijk,jan.vandijk@x.example,Verkoop,actief'],
    ['sv', 'Förnamn,Efternamn,E-post,Avdelning,Status', 'Åsa,Öberg,asa.oberg@x.example,Ekonomi,aktiv'],
    ['pl', 'Imię,Nazwisko,E-mail,Dział,Status', 'Łukasz,Śliwa,lukasz.sliwa@x.example,Sprzedaż,aktywny'],
    ['hu', 'Keresztnév,Vezetéknév,E-mail,Osztály,Státusz', 'Éva,Nagy,nagy.eva@x.example,Értékesítés,aktív'],
    [
      'ja',
      '名,姓,メールアドレス,部署,在籍状況,電話番号',
      '太郎,山田,taro.yamada@x.example,営業,在籍,０３－１２３４－５６７８ 内線12',
    ],
    ['ru', 'Имя,Фамилия,Эл. почта,Отдел,Статус', 'Иван,Петров,ivan.petrov@x.example,Продажи,активен'],
    ['tr', 'Ad,Soyad,E-posta,Departman,Durum', 'İpek,Işık,ipek.isik@x.example,Satış,Aktif'],
  ];
  for (const [language, header, ...rows] of clean) {
    it(`a clean roster in ${language} asks nothing and is not remarked on`, async () => {
      place.write(`${language}.csv`, `${[header, ...rows].join('\n')}\n`);
      const { code, stdout, stderr } = await place.run('import', `${language}.csv`, '--dry-run', ...everybody);
      assert.equal(code, 0, stdout + stderr);
      assert.doesNotMatch(stdout, /!|Decide|Held/);
    });
  }
});

describe('a file beside what its source had before', () => {
  let sandbox: Sandbox;
  let place: Place;
  const header = 'First name,Last name,Email,Department\n';
  const rows = ['Ann,Ek,ann@example.com,Sales', 'Bo,Falk,bo@example.com,Finance'].join('\n');
  before(async () => {
    sandbox = await startSandbox();
    place = await openPlace(envOf(sandbox), { here: true });
    place.write('staff.csv', `${header}${rows}\n`);
    const { code, stderr } = await place.run('import', 'staff.csv', '--group-column', 'Department', '--yes');
    assert.equal(code, 0, stderr);
  });
  async function approveLast(): Promise<void> {
    const { value } = await place.json<{ runs: { run: string }[] }>('runs');
    assert.equal((await place.run('approve', value.runs[0]?.run ?? '', '--yes')).code, 0);
  }

  after(() => sandbox.close());
  const dry = async (text: string, ...flags: string[]) => {
    place.write('staff.csv', header + text);
    return place.run('import', 'staff.csv', '--group-column', 'Department', '--dry-run', ...flags);
  };

  it('whose last line has no line end, as former files had, is held, and its last row rejected', async () => {
    const { code, stdout } = await dry(`${rows}\nIda,Lund,ida@example.com,Ma`);
    assert.equal(code, 3, stdout);
    assert.match(stdout, /line 4 the file ends in this row, and former files of this source ended with a line end/);
    assert.match(stdout, /Held .*\n.*3 rows, usually 2; it ends without a newline/);
  });

  it('that lacks one of its people says so, and does not judge it', async () => {
    const { code, stdout } = await dry('Ann,Ek,ann@example.com,Sales\n');
    assert.equal(code, 0, stdout);
    assert.match(
      stdout,
      /! 1 person of former files of this source is not in this one; import never judges that: use sync/,
    );
    assert.doesNotMatch((await dry('Eva,Ost,eva@example.com,Sales\n')).stdout, /former files/);
  });

  it('whose groups stand only above their people, or are codes, is held where nobody watches', async () => {
    const more = [
      'Ida,Lund,ida@example.com,',
      'Eva,Ost,eva@example.com,4100',
      'Per,Aas,per@example.com,',
      'Ole,Moe,ole@example.com,',
    ];
    place.write('staff.csv', `${header}${[rows, ...more].join('\n')}\n`);
    place.write(
      'roster-sync.yaml',
      'sources: { staff: { file: ./staff.csv, settle: 1ms, groups: [{ always: All }, { column: Department }] } }\n',
    );
    const { code, stdout } = await place.run('sync', 'staff', '--yes');
    assert.equal(code, 3, stdout);
    assert.match(stdout, /fill: "Department" is empty below a filled cell in 3 rows: does the group continue there\?/);
    assert.match(stdout, /newGroups: new groups that look like codes: "4100"/);
    await approveLast();
    place.write('staff.csv', `${header}${[rows, ...more, 'Liv,Dahl,liv@example.com,'].join('\n')}\n`);
    const next = await place.run('sync', 'staff', '--yes');
    rmSync(join(place.folder, 'roster-sync.yaml'));
    assert.equal(next.code, 0, `what was approved is usual: ${next.stdout}`);
  });

  it('in which a column is missing that said who has left, of however few, is held', async () => {
    const settings = 'sources: { leaving: { file: ./leaving.csv, settle: 1ms, groups: [{ always: All }] } }\n';
    place.write('roster-sync.yaml', settings);
    const people = ['Ann', 'Bo', 'Cy', 'Di', 'Ed'].map((name) => `${name},Moe,${name.toLowerCase()}@acme.example`);
    const lines = (header: string, end: (at: number) => string): string =>
      [header, ...people.map((person, at) => person + end(at)), ''].join('\n');
    place.write(
      'leaving.csv',
      lines('First name,Last name,Email,Left on', (at) => (at === 4 ? ',2020-01-31' : ',')),
    );
    assert.equal((await place.run('sync', 'leaving', '--yes')).code, 3);
    await approveLast();
    place.write(
      'leaving.csv',
      lines('First name,Last name,Email', () => ''),
    );
    const { code, stdout } = await place.run('sync', 'leaving', '--yes');
    rmSync(join(place.folder, 'roster-sync.yaml'));
    assert.equal(code, 3, stdout);
    assert.match(stdout, /fill: the column "Left on", which said who has left or not started, is no longer read/);
  });

  it('of several files, of which one has lost a column that a rule reads, is held, and usual once approved', async () => {
    place.write(
      'roster-sync.yaml',
      `sources:
  lands: { file: './land-*.csv', pick: all, settle: 1ms, snapshot: true, groups: [{ always: Everybody }],
    except: [{ column: Gone by, past: true }] }
`,
    );
    const head = 'First name,Last name,Email';
    place.write('land-dk.csv', `${head},Gone by\nAnn,Moe,ann@land.example,\nBo,Moe,bo@land.example,2020-01-31\n`);
    place.write('land-se.csv', `${head},Gone by\nCy,Moe,cy@land.example,\nDi,Moe,di@land.example,2020-01-31\n`);
    const sync = () => place.run('sync', 'lands', '--yes');
    assert.equal((await sync()).code, 3);
    await approveLast();
    place.write('land-se.csv', `${head}\nCy,Moe,cy@land.example\nDi,Moe,di@land.example\n`);
    const held = await sync();
    assert.equal(held.code, 3, held.stdout);
    assert.match(held.stdout, /fill: the column "Gone by", which said who has left or not started, is no longer read/);
    assert.match(held.stdout + held.stderr, /land-se\.csv: missing columns: 1\./);
    await approveLast();
    place.write('land-se.csv', `${head}\nCy,Moe,cy@land.example\nDi,Moe,di@land.example\nEd,Moe,ed@land.example\n`);
    const next = await sync();
    rmSync(join(place.folder, 'roster-sync.yaml'));
    assert.equal(next.code, 0, next.stdout);
  });

  it('whose name says that its people have left is held beside other files, and in the place of another, until one is approved', async () => {
    place.write(
      'roster-sync.yaml',
      `sources:
  site: { file: './site/*.csv', pick: all, settle: 1ms, groups: [{ always: All }] }
  last: { file: './last/*.csv', settle: 1ms, groups: [{ always: All }] }
`,
    );
    const file = (name: string, ...people: string[]) =>
      place.write(
        name,
        ['First name,Last name,Email', ...people.map((who) => `${who},Moe,${who}@title.example`), ''].join('\n'),
      );
    for (const source of ['site', 'last']) {
      mkdirSync(join(place.folder, source));
      const sync = () => place.run('sync', source, '--yes');
      file(`${source}/staff-1.csv`, 'Ann', 'Bo');
      assert.equal((await sync()).code, 3);
      await approveLast();
      // Nobody in it is new: also then its name is not taken for a usual one.
      if (source === 'site') file(`${source}/leavers-2025-11.csv`, 'Bo');
      if (source === 'site') assert.equal((await sync()).code, 3);
      file(`${source}/leavers-2025-11.csv`, 'Cy');
      const held = await sync();
      assert.equal(held.code, 3, held.stdout);
      assert.match(held.stdout, /wrongFile: the last roster of this source had no "leavers-2025-11\.csv"/);
      assert.equal((await sync()).code, 3, 'as long as nobody approves it');
      await approveLast();
      file(`${source}/leavers-2025-12.csv`, 'Di');
      const next = await sync();
      assert.equal(next.code, 0, next.stdout);
      assert.match(
        next.stdout + next.stderr,
        /"leavers-2025-1\d\.csv" says that its people have left, and they are sent/,
      );
    }
    rmSync(join(place.folder, 'roster-sync.yaml'));
  });

  it('with a group that looks like one given before is remarked on, and new groups are marked', async () => {
    const { code, stdout } = await dry(`${rows}\nIda,Lund,ida@example.com,Sаles\nEva,Ost,eva@example.com,Legal\n`);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /groups that look like others: "Sаles" \(1\) like "Sales" \(given before\)/);
    assert.match(stdout, /are they the same\? If so, use\s+--map-group "Sаles=Sales"/);
    assert.match(stdout, /Legal \(new\) +1\n/);
  });
});
