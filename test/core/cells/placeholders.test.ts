import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { surveyColumns } from '../../../src/core/columns/column-survey.ts';
import { ColumnFinder } from '../../../src/core/mapping/column-finder.ts';
import { listColumns } from '../../../src/core/columns/columns.ts';
import { findFields } from '../../../src/core/mapping/find-fields.ts';
import { GroupNames } from '../../../src/core/mapping/group-names.ts';
import { mapRow } from '../../../src/core/mapping/map-row.ts';
import { byFlags } from '../../../src/report/terminal/commands.ts';
import { resolveColumns, type Mapping } from '../../../src/core/mapping/mapping.ts';
import type { MappingRules } from '../../../src/core/mapping/mapping-rules.ts';
import { isPlaceholder } from '../../../src/core/cells/placeholders.ts';
import { propose } from '../../../src/core/inspect/proposal.ts';

const header = ['First', 'Last', 'Email', 'Phone', 'Department', 'Country', 'Employee ID'];
const rules: MappingRules = {
  members: { firstname: 'First', lastname: 'Last', email: 'Email', telephone: 'Phone' },
  groups: [{ column: 'Department', split: ';' }],
};

function mappingOf(more: MappingRules = {}): Mapping {
  return resolveColumns(header, { groups: [], groupColumns: [], rules: { ...rules, ...more } });
}

function rowOf(cells: Partial<Record<string, string>>) {
  const ann = { First: 'Ann', Last: 'Ek', Email: 'ann@example.com', Phone: '', Department: 'Sales' };
  const all: Partial<Record<string, string>> = { ...ann, ...cells };
  return { file: 'staff.csv', line: 7, cells: header.map((name) => all[name] ?? '') };
}

function reasonOf(cells: Partial<Record<string, string>>, mapping = mappingOf()): string {
  const result = mapRow(rowOf(cells), mapping);
  return 'reason' in result ? result.reason : assert.fail(`it is accepted: ${JSON.stringify(result)}`);
}

function memberOf(cells: Partial<Record<string, string>>, mapping = mappingOf()) {
  const result = mapRow(rowOf(cells), mapping);
  return 'member' in result ? result.member : assert.fail(`it is refused: ${JSON.stringify(result)}`);
}

suite('texts that stand for no value', () => {
  test('are known in every language whose headings are known', () => {
    for (const text of [
      ...['nije navedeno', 'Neznana', 'Ni podatka', 'neuvedené', '#NEDOSTUPNÝ', 'nenurodyta', 'Nav datu', 'määramata'],
      ...['ekki skráð', 'gan sonrú', 'Mhux magħruf', 'няма данни', 'nespecificat', 'nincs megadva', '不适用', '未定'],
    ])
      assert.ok(isPlaceholder(text, 'name'), text);
    for (const text of ['Nema', 'brez', 'žiadne', 'tühi', 'enginn', 'няма', 'xejn', 'folamh', '(tukša)'])
      assert.deepEqual([isPlaceholder(text), isPlaceholder(text, 'name')], [true, text.startsWith('(')], text);
  });

  const always = [
    ...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NULL!', '#NUM!', '#SPILL!', '#NV', '#BEZUG!', '#WERT!'],
    ...['#NOM?', '#¿NOMBRE?', '#¡REF!', '#VÆRDI!', '#ЗНАЧ!', '#Н/Д', '########', 'NULL', 'Null', 'none', '<none>'],
    ...[
      '(blank)',
      '(leer)',
      '(vide)',
      '( tom )',
      '[null]',
      '{empty}',
      '(en blanco)',
      'n/a',
      'N/A',
      '-',
      '--',
      '—',
      '.',
    ],
    ...['?', '0', 'TBD', 'tba', 'unknown', 'Unbekannt', 'INCONNU', 'onbekend', 'desconocido', 'ukendt', 'не указано'],
  ];
  test('are told as a name and elsewhere, whatever their case', () => {
    for (const text of always) {
      assert.ok(isPlaceholder(text), text);
      assert.ok(isPlaceholder(text, 'name'), text);
    }
  });

  test('words that people are called by count only elsewhere', () => {
    for (const name of ['Na', 'Nil', 'Nan', 'Blank', 'Vide']) {
      assert.ok(isPlaceholder(name), name);
      assert.ok(!isPlaceholder(name, 'name'), name);
    }
  });

  test('real names and groups are none, also those that begin or end alike', () => {
    const real = [
      ...[
        '',
        'Nullmeyer',
        'Nonette',
        'Unknown Worlds Ltd',
        'A-Team',
        'R&D',
        'C#',
        '#general',
        'N',
        'O',
        '1',
        '00',
        'T',
      ],
      ...['O’Neil', '★', 'Å', 'Tom', 'Leer', '無人島', 'Research (blank forms)', '(Acting) Lead', '-Ek', 'TBD Bank'],
    ];
    for (const text of real) assert.ok(!isPlaceholder(text), text);
  });
});

suite('cells without a value', () => {
  test('make no group: they are left out, and counted with what they say', () => {
    const mapping = mappingOf();
    assert.deepEqual(memberOf({ Department: '#N/A; Sales ;-' }, mapping).groups, ['Sales']);
    assert.match(
      reasonOf({ Department: '#N/A' }, mapping),
      /^no group: Department is "#N\/A", which stands for no value$/,
    );
    assert.deepEqual(mapping.remarks.list(), [
      'left out as groups, since they look like empty values: "#N/A" (2 rows), "-" (1 row); allow.values keeps the ones you want',
    ]);
  });

  test('make no group by a template or behind a prefix', () => {
    const groups = [{ template: '{Country} – {Department}' }, { column: 'Department', prefix: 'Team ' }];
    const mapping = mappingOf({ groups });
    assert.deepEqual(memberOf({ Country: '(blank)' }, mapping).groups, ['Team Sales']);
    assert.match(reasonOf({ Country: 'Norway', Department: 'TBD' }, mapping), /^no group/);
  });

  test('as a name or address reject the row, and say why', () => {
    assert.equal(reasonOf({ First: 'n/a' }), 'first name is empty: "n/a" stands for no value (allow.values keeps it)');
    assert.equal(reasonOf({ Last: 'NULL' }), 'last name is empty: "NULL" stands for no value (allow.values keeps it)');
    assert.equal(reasonOf({ Last: '#REF!' }), 'last name is empty: "#REF!" stands for no value');
    assert.equal(reasonOf({ Last: '--' }), 'last name is empty: "--" stands for no value');
    assert.equal(reasonOf({ Email: 'TBD' }), 'e-mail is empty: "TBD" stands for no value');
  });

  test('are left out as a telephone and as an employee id, and counted', () => {
    const mapping = mappingOf();
    for (const Phone of ['n/a', '000 000', '########']) assert.equal(memberOf({ Phone }, mapping).telephone, undefined);
    for (const id of ['#N/A', 'unknown', '4.6E+11']) {
      const result = mapRow(rowOf({ 'Employee ID': id }), mapping);
      assert.equal('employeeId' in result, false, id);
    }
    assert.deepEqual(mapping.remarks.list(), [
      '3 telephones are left out: no value; the first: line 7, "n/a"; allow.values keeps the ones you want',
      '1 employee id is not read: a spreadsheet has shortened or hidden the number, so people are told apart by their addresses; the first: line 7, "4.6E+11"',
    ]);
  });

  test('count as empty where several columns make a field', () => {
    const members = {
      ...rules.members,
      lastname: { template: '{Country} {Last}' },
      email: { columns: ['Phone', 'Email'] },
    };
    const member = memberOf({ Country: '-', Phone: 'none' }, mappingOf({ members: { ...members, telephone: false } }));
    assert.deepEqual([member.lastname, member.email], ['Ek', 'ann@example.com']);
    const login = { ...rules.members, email: { template: '{Phone}@example.com' } };
    assert.equal(reasonOf({ Phone: 'n/a' }, mappingOf({ members: login })), 'e-mail is empty');
  });

  test('are real where allow.values says so, and only those', () => {
    const mapping = mappingOf({ allow: { values: ['null', '0', '007'] } });
    const member = memberOf({ First: '007', Last: 'Null', Department: '0;-' }, mapping);
    assert.deepEqual([member.firstname, member.lastname, member.groups], ['007', 'Null', ['0']]);
    assert.match(reasonOf({ Last: 'None' }, mapping), /stands for no value/);
  });

  test('are real where a flag says so, and reasons name the flag', () => {
    const map = { firstname: 'First', lastname: 'Last', email: 'Email' };
    const columns = { map, groups: [], groupColumns: ['Department'], wording: byFlags };
    const mapping = resolveColumns(header, { ...columns, allowValues: ['null'] });
    assert.equal(memberOf({ Last: 'Null' }, mapping).lastname, 'Null');
    assert.match(reasonOf({ Last: 'None' }, mapping), /stands for no value \(--allow-value "None" keeps it\)$/);
    assert.deepEqual(memberOf({ Department: '-;Sales' }, mapping).groups, ['Sales']);
    assert.match(mapping.remarks.list().join(), /: "-" \(1 row\); --allow-value keeps the ones you want$/);
  });

  test('are no reason to propose that cells be split at # or /', () => {
    const surveys = surveyColumns(header);
    for (let at = 0; at < 20; at += 1) {
      const { cells } = rowOf({ Department: ['#N/A', 'n/a', 'Sales', '#REF!'][at % 4] });
      for (const [index, survey] of surveys.entries()) survey.add(cells[index] ?? '');
    }
    const { groups } = propose(findFields({}, new ColumnFinder(listColumns(header)), byFlags), surveys);
    assert.deepEqual(groups[0]?.rule, { column: 'Department' });
  });
});

suite('cells that were decoded wrongly', () => {
  test('are no name and no group, unless the settings say so', () => {
    assert.equal(reasonOf({ Last: 'MÃ¼ller' }), 'last name: "MÃ¼ller" is garbled, not a name (allow.values keeps it)');
    assert.equal(
      reasonOf({ Department: 'IT;BÃ¼ro' }),
      'group "BÃ¼ro" is garbled: export the file again as UTF-8 (allow.values keeps it)',
    );
    const mapping = mappingOf({ allow: { values: ['MÃ¼ller', 'BÃ¼ro', 'Ren?'] } });
    const member = memberOf({ First: 'Ren?', Last: 'MÃ¼ller', Department: 'BÃ¼ro' }, mapping);
    assert.deepEqual([member.firstname, member.lastname, member.groups], ['Ren?', 'MÃ¼ller', ['BÃ¼ro']]);
    assert.deepEqual(memberOf({ Department: 'Who is who?' }).groups, ['Who is who?']);
  });
});

suite('cells that a spreadsheet has changed', () => {
  test('shortened numbers are no telephone, and counted', () => {
    const mapping = mappingOf();
    for (const Phone of ['4.67012E+11', '4,67012E+11', '4.6E11']) {
      assert.equal(memberOf({ Phone }, mapping).telephone, undefined, Phone);
    }
    assert.deepEqual(mapping.remarks.list(), [
      '3 telephones are left out: a spreadsheet has shortened the number; the first: line 7, "4.67012E+11"',
    ]);
  });

  test('a number or a date is nobody’s name', () => {
    for (const text of ['45292', '4.67012E+11', '12-34']) {
      assert.match(
        reasonOf({ Last: text }),
        /^last name: ".*" is a number, not a name \(allow\.values keeps it\)$/,
        text,
      );
    }
    for (const text of [
      '2024-03-01',
      '01.03.2024',
      '1/3/24',
      '2024-03-01 00:00:00',
      '1-Mar',
      '01. Mrz',
      'Jun-24',
      '03-déc',
    ]) {
      assert.match(reasonOf({ First: text }), /^first name: ".*" is a date, not a name/, text);
    }
  });

  test('a name with a word beside it that says who left is a question, unless it is allowed', () => {
    for (const First of [
      '[LEFT] Ann',
      'Ann (ausgeschieden)',
      'Ann - on leave',
      'Ann (terminated 31.10.)',
      'Ann – zwolniona',
      'LEAVER - Ann',
      'Inactive: Ann',
      'Ann *left*',
      'Ann / retired',
    ]) {
      assert.match(
        reasonOf({ First }),
        /^first name: ".*" says ".*": correct the name, or remove the row \(allow\.values keeps it\)$/,
        First,
      );
    }
    assert.equal(
      reasonOf({ Last: 'Ek (left)' }),
      'last name: "Ek (left)" says "left": correct the name, or remove the row (allow.values keeps it)',
    );
    const mapping = mappingOf({ allow: { values: ['Ek (left)'] } });
    assert.equal(memberOf({ Last: 'Ek (left)' }, mapping).lastname, 'Ek (left)');
    for (const Last of [
      'Ek (Bob)',
      'Left',
      'Retired',
      'Smith-Left',
      'Lee (A)',
      'Ek - Lind',
      'Ek (active)',
      'Lind: Ek',
    ]) {
      assert.equal(memberOf({ Last }).lastname, Last);
    }
  });

  test('an address is no name', () => {
    assert.match(
      reasonOf({ Last: 'ann@example.com' }),
      /^last name: "ann@example.com" has an e-mail address in it, not a name/,
    );
    assert.match(
      reasonOf({ First: 'Ann <ann@example.com>' }),
      /^first name: .* has an e-mail address in it, not a name/,
    );
    assert.equal(memberOf({ First: 'Ann @ Home' }).firstname, 'Ann @ Home');
  });

  test('a heading above people who left and a header that repeats are rejected, and noticed', () => {
    const mapping = mappingOf();
    const empty = { Last: '', Email: '', Phone: '', Department: '' };
    reasonOf({ ...empty, First: 'Left this year' }, mapping);
    reasonOf({ ...empty, First: 'Warehouse' }, mapping);
    reasonOf({ ...empty, First: 'Left', Department: 'IT' }, mapping);
    reasonOf({ First: 'First', Last: 'Last', Email: 'E-Mail' }, mapping);
    reasonOf({ First: 'First', Last: 'Last', Email: 'EMAIL' }, mapping);
    assert.deepEqual(mapping.remarks.list(), [
      'a row is only a heading that may say who has left, "Left this year"; the people below are sent: check whether they are still there; the first: line 7',
      'a row repeats the header: if another list begins there, its people are sent too; the first: line 7',
    ]);
  });

  test('mailboxes, machines, tests and vacancies are sent, and noticed', () => {
    for (const [First, Last, Email, said] of [
      ['Info', 'Desk', 'info@example.com', ['address', 'name']],
      ['Ann', 'Ek', 'No-Reply@example.com', ['address']],
      ['Ann', 'Ek', 'svc_backup@example.com', ['address']],
      ['Ann', 'Ek', 'deleted_ann@example.com', ['address']],
      ['Ann', 'Ek', 'ann.ek-disabled@example.com', ['address']],
      ['Ann', 'Ek', 'ann@example.com.disabled', ['address has a domain']],
      ['Do Not', 'Use', 'dnu@example.com', ['name']],
      ['Test', 'User', 'tu@example.com', ['name']],
      ['Vacant', 'Position', 'vp@example.com', ['name']],
      ['New', 'hire 3', 'nh@example.com', ['person has a digit in their name', 'name looks']],
      ['N.N.', 'N.N.', 'nn@example.com', ['name']],
      ['DO NOT USE', 'Ek', 'ek@example.com', ['name']],
      ['Testni', 'Korisnik', 'kadrovska@example.com', ['address', 'name']],
      ['Ann', 'Neobsadené', 'ae@example.com', ['name']],
      ['Ann (Intern)', 'Ek', 'ae@example.com', ['name has brackets']],
      ['Ann & Bo', 'Ek', 'ab@example.com', ['name has brackets']],
      ['Ann and Bo', 'Ek', 'ab@example.com', ['name has brackets']],
      ['Ann', 'Ek', 'noemail@noemail.com', ['address']],
    ] as const) {
      const mapping = mappingOf();
      assert.equal(memberOf({ First, Last, Email }, mapping).email, Email);
      const remarks = mapping.remarks.list();
      assert.equal(remarks.length, said.length, remarks.join());
      for (const [at, part] of said.entries()) {
        assert.ok(
          remarks.some((remark) => remark.startsWith(`1 ${part}`)),
          `${at}: ${remarks.join()}`,
        );
      }
      assert.ok(remarks.every((remark) => remark.endsWith('; the first: line 7')));
    }
  });

  test('a text without a letter, a formula and a very long text are no names', () => {
    for (const [First, why] of [
      ['🙂', 'has no letter'],
      ['🎉🎉', 'has no letter'],
      ['=HYPERLINK(1)', 'is a formula'],
      ['+Ek', 'is a formula'],
      ['a'.repeat(201), 'has 201 characters'],
    ] as const) {
      assert.match(reasonOf({ First }), new RegExp(`^first name: ".*" ${why}, not a name`), First);
      assert.equal(memberOf({ First }, mappingOf({ allow: { values: [First] } })).firstname, First);
    }
    for (const Last of ["'t Hart", '🙂 Ek', 'a'.repeat(200), '小林']) assert.equal(memberOf({ Last }).lastname, Last);
    const mapping = mappingOf();
    for (const First of ['*Ann', 'Bo†', 'Ann=Bo']) assert.equal(memberOf({ First }, mapping).firstname, First);
    assert.match(
      mapping.remarks.list().join(),
      /^3 names have brackets, an "and", or signs such as & and \*, and are sent as written/,
    );
  });

  test('domains that are mistyped or reach nobody are sent, and noticed', () => {
    const mapping = mappingOf();
    for (const domain of ['acme.con', 'ACME.LOCAL', 'gmial.com', 'con.example', 'gmail.com', 'mail.gmial.com.example'])
      memberOf({ Email: `ann@${domain}` }, mapping);
    assert.deepEqual(mapping.remarks.list(), [
      '3 addresses have domains that look mistyped or internal, and are sent: "acme.con"; the first: line 7',
    ]);
  });

  test('groups that look like cells of another column are noticed, unless they were given before', () => {
    const odd = [
      '+46 70 123 45 67',
      '(555) 123-4567',
      'fi@example.com',
      '2026-01-31',
      '31.01.2026',
      'TRUE',
      'Terminated',
      'a'.repeat(201),
    ];
    const names = new GroupNames({}, [], ['Retired']);
    for (const name of [
      ...odd,
      'a'.repeat(200),
      'Sales',
      '12345',
      '4711-01',
      'Team 7',
      'Retired',
      'Q1 2026',
      '3/4',
      '2026',
    ])
      names.nameOf(name);
    assert.deepEqual(names.remarks.odd, odd);
  });

  test('people who are called Test, Vacant, New or Do are people', () => {
    const mapping = mappingOf();
    for (const [First, Last] of [
      ['Ann', 'Test'],
      ['Vacant', 'Ek'],
      ['Do', 'New'],
      ['Na', 'Do'],
      ['Open', 'Sands'],
      ['Hr', 'Ek'],
    ]) {
      memberOf({ First, Last, Email: 'ann.info@example.com' }, mapping);
    }
    assert.deepEqual(mapping.remarks.list(), []);
  });

  test('a name with a digit in it is sent as written, and noticed', () => {
    const mapping = mappingOf();
    for (const First of ['Ann2', 'May 3rd', 'X Æ A-12']) assert.equal(memberOf({ First }, mapping).firstname, First);
    assert.deepEqual(mapping.remarks.list(), [
      '3 people have digits in their names and are sent as written; the first: line 7',
    ]);
  });
});
