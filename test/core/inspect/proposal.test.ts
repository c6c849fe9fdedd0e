import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parse } from 'yaml';
import { Source } from '../../../config/source-schema.ts';
import { writeConfig, writeSourceBlock } from '../../../config/source-block.ts';
import { ColumnFinder } from '../../../src/core/mapping/column-finder.ts';
import { surveyColumns } from '../../../src/core/columns/column-survey.ts';
import { maskedExamples } from '../../../src/core/person/mask.ts';
import { listColumns } from '../../../src/core/columns/columns.ts';
import { findFields } from '../../../src/core/mapping/find-fields.ts';
import { byFlags } from '../../../src/report/terminal/commands.ts';
import { propose, rulesOf } from '../../../src/core/inspect/proposal.ts';

function surveysOf(header: string[], rows: string[][]) {
  const surveys = surveyColumns(header);
  for (const cells of rows) for (const [at, survey] of surveys.entries()) survey.add(cells[at] ?? '');
  return surveys;
}

function proposalOf(header: string[], rows: string[][]) {
  const found = findFields({}, new ColumnFinder(listColumns(header)), byFlags);
  return propose(found, surveysOf(header, rows));
}

const names = ['First Name', 'Last Name', 'Email'];
const person = (at: number): string[] => [`First${at}`, `Last${at}`, `person${at}@example.com`];
const people = (column: (at: number) => string[], count = 20): string[][] =>
  Array.from({ length: count }, (_, at) => [...person(at), ...column(at)]);

suite('what is proposed for a roster', () => {
  test('an e-mail column that is empty is not in force; where people have user names, a template is offered', () => {
    const { members } = proposalOf(
      ['First Name', 'Last Name', 'Username', 'Email'],
      people(() => ['']).map(([first = '', last = '']) => [first, last, `${first}.x`, '']),
    );
    assert.deepEqual(members.slice(2), [
      ['email', { rule: 'Email', note: 'by its name, but empty in every row', isOff: true }],
      [
        'email',
        {
          rule: { template: '{Username}@example.com' },
          note: 'no column contains addresses; if they are made of names like this, put in your domain',
          isOff: true,
        },
      ],
    ]);
  });

  test('a matrix has all its columns, whatever their number and though some are empty; quantities and titles are no groups', () => {
    const header = [...names, 'Title', 'Quantity', 'Course 1', 'Course 2', 'Course 3', 'Course 4'];
    const rows = people((at) => [at % 2 ? 'Mr' : 'Dr.', '1', '', at % 2 ? 'x' : '', '', 'x']);
    const { groups } = proposalOf(header, rows);
    assert.deepEqual(
      groups.map(({ rule }) => rule),
      [{ matrix: ['Course 1', 'Course 2', 'Course 3', 'Course 4'] }],
    );
  });

  for (const [what, column, cell] of [
    ['groups', 'Group', 'Sales'],
    ['marks', 'Riverside', 'x'],
  ] as const) {
    test(`twice as many columns of ${what} are checked twice as often, not four times`, () => {
      /** How often the columns, or one's name, are checked. */
      function looksAt(count: number): number {
        const header = [...names, ...Array.from({ length: count }, (_, at) => `${column} ${at}`)];
        const surveys = surveysOf(header, [[...person(1), ...Array.from({ length: count }, () => cell)]]);
        let looks = 0;
        for (const survey of surveys) {
          const { name } = survey;
          Object.defineProperty(survey, 'name', { get: () => ((looks += 1), name) });
        }
        const counting = new Proxy(surveys, { get: (all, key) => ((looks += 1), Reflect.get(all, key) as unknown) });
        propose(findFields({}, new ColumnFinder(listColumns(header)), byFlags), counting);
        return looks;
      }
      assert.ok(looksAt(1000) < 3 * looksAt(500));
    });
  }

  test('the columns that a bundle joins are lists of groups', () => {
    const { groups } = proposalOf(
      [...names, 'roles', 'sections', 'schools'],
      people((at) => ['student', `Math ${at}`, 'North']),
    );
    assert.deepEqual(
      groups.map(({ rule, isOff = false }) => [rule, isOff]),
      [
        [{ column: 'sections', split: ';' }, false],
        [{ column: 'schools', split: ';' }, true],
      ],
    );
  });

  test('statuses: ended ones are left out, leave and unknown words are kept and said', () => {
    const words = ['Active', 'On leave', 'Terminated', 'Former employee', 'Roaming', 'Prehire'];
    const { only } = proposalOf(
      [...names, 'Status'],
      people((at) => [words[at % words.length] ?? '']),
    );
    assert.deepEqual(only, [
      {
        rule: { column: 'Status', in: ['Active', 'On leave', 'Roaming'] },
        note: 'leaves out Terminated, Former employee; not yet there: Prehire; not known, so kept: Roaming',
      },
    ]);
  });

  for (const [name, is] of [
    ['active', true],
    ['Enabled', true],
    ['disabled', false],
    ['Block sign in (Yes/No) [accountEnabled] Required', false],
    ['Termd', false],
    ['terminated', false],
  ] as const) {
    test(`a flag ${name} counts where it is ${is ? 'yes' : 'no'}`, () => {
      const { only } = proposalOf(
        [...names, name],
        people((at) => [at % 4 === 0 ? 'Yes' : 'No']),
      );
      assert.deepEqual(only[0]?.rule, { column: name, is });
      assert.equal(only[0]?.isOff, undefined);
    });
  }

  test('a status that is the same for all is only mentioned', () => {
    assert.equal(
      proposalOf(
        [...names, 'Status'],
        people(() => ['Active']),
      ).only[0]?.isOff,
      true,
    );
  });

  test('an end is proposed where its days are certain', () => {
    const ends = (day: string) =>
      proposalOf(
        [...names, 'Termination Date'],
        people(() => [day]),
      ).except[0];
    assert.deepEqual(
      [ends('0000-00-00')?.rule, ends('0000-00-00')?.isOff],
      [{ column: 'Termination Date', past: true }, false],
    );
    assert.equal(ends('permanent')?.isOff, false);
    assert.equal(ends('03/04/2026')?.isOff, true);
  });

  test('the order of day and month is that of the first day beyond the twelfth, else the American one', () => {
    const orderOf = (...days: string[]) =>
      proposalOf(
        [...names, 'Termination Date'],
        people((at) => [days[at % days.length] ?? '']),
      ).except[0]?.rule;
    const rule = { column: 'Termination Date', past: true };
    assert.deepEqual(orderOf('03/04/2026'), { ...rule, order: 'mdy' });
    for (const day of ['13/04/2026', '19/04/2026', '20/04/2026', '31/05/2026'])
      assert.deepEqual(orderOf('03/04/2026', day), { ...rule, order: 'dmy' }, day);
    for (const day of ['12/05/2026', '05/13/2026', '10/04/2026'])
      assert.deepEqual(orderOf('03/04/2026', day), { ...rule, order: 'mdy' }, day);
  });

  test('a column of paths has one in more than half of its cells; the fuller of two columns of groups comes first', () => {
    const pathsOf = (few: number) =>
      proposalOf(
        [...names, 'Department'],
        people((at) => [at % 20 < few ? `IT > Dev ${at % 3}` : 'IT']),
      ).groups[0]?.rule;
    const path = { separator: ' > ', take: 'full' };
    assert.deepEqual([pathsOf(8), pathsOf(10)], [{ column: 'Department' }, { column: 'Department' }]);
    assert.deepEqual(pathsOf(11), { column: 'Department', path });
    const { groups } = proposalOf(
      [...names, 'Department', 'Team'],
      people((at) => [at < 9 ? 'IT' : '', at < 8 ? '' : 'A']),
    );
    assert.deepEqual(
      groups.map(({ rule }) => rule),
      [{ column: 'Team' }, { column: 'Department' }],
    );
  });

  test('a status has one cell at least, and forty words at most', () => {
    const ofOne = (word: string): number =>
      proposalOf(
        [...names, 'Status'],
        people(() => [word], 1),
      ).only.length;
    assert.deepEqual([ofOne(''), ofOne('Terminated')], [0, 1]);
    const count = (words: number): number =>
      proposalOf(
        [...names, 'Status'],
        people((at) => [at === 0 ? 'Terminated' : `Word${at % words}`], 100),
      ).only.length;
    assert.deepEqual([count(39), count(40)], [1, 0], 'with the one that says who left');
  });

  test('a column that may be something else is a status where some are there by it and others are not', () => {
    const ruled = (...words: string[]) =>
      proposalOf(
        [...names, 'Estado'],
        people((at) => [words[at % words.length] ?? ''], 10),
      ).only.map(({ rule }) => rule);
    assert.deepEqual(ruled('Activo', 'Cesado'), [{ column: 'Estado', in: ['Activo'] }]);
    assert.deepEqual(ruled('Bahia', 'Cesado'), []);
    assert.deepEqual(ruled('Activo', 'Bahia'), []);
  });

  test('a single address is enough to offer a column, the one with the most of them', () => {
    const offered = (...rows: string[][]) =>
      proposalOf(['First Name', 'Last Name', 'Contact', 'Other'], rows)
        .members.filter(([field]) => field === 'email')
        .map(([, { rule }]) => rule);
    assert.deepEqual(offered(['Ann', 'Ek', 'ann@example.com', '']), ['Contact']);
    assert.deepEqual(offered(['Ann', 'Ek', 'ann@example.com', 'a@x.example'], ['Bo', 'Ek', '', 'b@x.example']), [
      'Other',
    ]);
  });

  const membersOf = (name: string, cell: (at: number) => string) =>
    proposalOf(
      [...names, name],
      people((at) => [cell(at)]),
    ).members.slice(3);

  for (const name of ['Personalnr', 'Personalnummer', 'Pers.-Nr.', 'Pers.No.', 'Mitarbeiter-Nr.', 'Medewerkernummer']) {
    test(`${name} is the employee id`, () => {
      assert.deepEqual(membersOf(name, String), [['employeeId', { rule: name, note: 'by its name' }]]);
    });
  }

  test('what a state calls somebody is no employee id; of two columns of ids the first is taken, of two of first days none', () => {
    assert.deepEqual(membersOf('Personnummer', String), []);
    const header = [...names, 'Personalnr', 'Matricule', 'Eintritt', 'Hire Date'];
    const { members } = proposalOf(
      header,
      people((at) => [`${at}`, `${at}`, '2026-01-01', '2026-01-01']),
    );
    assert.deepEqual(members.slice(3), [['employeeId', { rule: 'Personalnr', note: 'by its name' }]]);
  });

  for (const name of [
    'Eintritt',
    'Eintrittsdatum',
    'Hire Date',
    'DateofHire',
    'Datum in dienst',
    'Ansættelsesdato',
    'Date d’embauche',
  ]) {
    test(`${name} is the first day of work`, () => {
      const note = 'new people who begin later wait until then';
      assert.deepEqual(
        membersOf(name, (at) => `${at + 1}.10.2026`),
        [['startDate', { rule: name, note }]],
      );
    });
  }

  test('a start that may be another’s, days that can be two, and an empty column are not in force', () => {
    const ruleOf = (name: string, cell: (at: number) => string) => {
      const [[, { rule, isOff = false }] = ['', { rule: undefined }]] = membersOf(name, cell);
      return [rule, isOff];
    };
    assert.deepEqual(
      ruleOf('Start Date', () => '2026-01-01'),
      ['Start Date', true],
    );
    assert.deepEqual(
      ruleOf('Hire Date', () => '03/04/2026'),
      [{ column: 'Hire Date', order: 'mdy' }, true],
    );
    assert.deepEqual(
      ruleOf('Hire Date', (at) => `${at + 1}/04/2026`),
      [{ column: 'Hire Date', order: 'dmy' }, false],
    );
    const other = proposalOf(
      [...names, 'Hire Date', 'Exit Date'],
      people(() => ['03/04/2026', '31/10/2030']),
    );
    assert.deepEqual(other.members[3]?.[1].rule, { column: 'Hire Date', order: 'dmy' }, 'as the other column shows');
    assert.equal(other.members[3]?.[1].isOff, undefined);
    assert.deepEqual(other.except[0]?.rule, { column: 'Exit Date', past: true });
    assert.deepEqual(
      ruleOf('Hire Date', () => ''),
      ['Hire Date', true],
    );
    const many = (day: (at: number) => string) =>
      proposalOf(
        [...names, 'Hire Date'],
        people((at) => [day(at)], 300),
      ).members[3]?.[1];
    const nth = (at: number): Date => new Date(Date.UTC(2020, 11, 13 + at));
    assert.equal(many((at) => nth(at).toISOString().slice(0, 10))?.isOff, undefined);
    assert.deepEqual(
      many((at) => `${nth(at).getUTCMonth() + 1}/${nth(at).getUTCDate()}/${nth(at).getUTCFullYear()}`)?.rule,
      { column: 'Hire Date', order: 'mdy' },
      'three examples do not speak for days that were not kept',
    );
  });

  test('groups: lists and paths are seen, numbered columns taken together, columns taken until nearly all have one', () => {
    const header = [...names, 'memberOf', 'cohort1', 'cohort2', 'Department', 'Org Unit Path'];
    const rows = people((at) => [at % 2 ? 'A;B' : '', 'blue', 'red', 'Sales', '/Staff/Sales']);
    assert.deepEqual(
      proposalOf(header, rows).groups.map(({ rule, isOff }) => [rule, isOff ?? false]),
      [
        [{ column: 'memberOf', split: ';' }, false],
        [{ column: 'Department' }, false],
        [{ column: 'Org Unit Path', path: { separator: '/', take: 'full' } }, true],
        [{ column: 'cohort*' }, true],
      ],
    );
  });

  test('one word of people who left is said as well, and a domain of one in a hundred is in force', () => {
    const { only } = proposalOf(
      [...names, 'Status'],
      people((at) => [['Active', 'Leaver'][at % 2] ?? '']),
    );
    assert.equal(only[0]?.note, 'leaves out Leaver');
    const domains = (few: number) => {
      const rows = Array.from({ length: 200 }, (_, at) => ['A', 'B', `p${at}@${at < few ? 'few' : 'most'}.example`]);
      const found = findFields({}, new ColumnFinder(listColumns(names)), byFlags);
      return propose(found, surveysOf(names, rows)).domains.map(({ rule, isOff = false }) => [rule, isOff]);
    };
    assert.deepEqual(domains(2), [
      ['most.example', false],
      ['few.example', false],
    ]);
    assert.deepEqual(domains(1)[1], ['few.example', true]);
  });

  test('a column of groups is told with its different cells, in so many rows', () => {
    const noteOf = (count: number) =>
      proposalOf(
        [...names, 'Department'],
        people((at) => [`D${at}`], count),
      ).groups[0]?.note;
    assert.deepEqual([noteOf(1), noteOf(2)], ['1 different in 1 row', '2 different in 2 rows']);
  });

  test('without any column of groups, one for everybody is offered, and not taken', () => {
    const proposal = proposalOf(
      names,
      people(() => []),
    );
    assert.deepEqual(proposal.groups[0]?.rule, { always: 'All staff' });
    assert.deepEqual(rulesOf(proposal).groups, []);
  });

  test('domains: those of the employer, never those where anybody can have an address', () => {
    const rows = people(() => [], 200).map(([first = '', last = ''], at) => {
      return [
        first,
        last,
        `${first}@${at < 150 ? 'example.com' : at < 190 ? 'gmail.com' : at < 199 ? 'sub.example.org' : 'typo.example'}`,
      ];
    });
    const { domains } = proposalOf(names, rows);
    assert.deepEqual(
      domains.map(({ rule, isOff }) => [rule, isOff ?? false]),
      [
        ['example.com', false],
        ['gmail.com', true],
        ['sub.example.org', false],
        ['typo.example', true],
      ],
    );
  });

  test('domains: none where most addresses are private, and never one that is mistyped', () => {
    const domainsOf = (domains: string[]) => {
      const rows = people(() => [], domains.length).map(([first = '', last = ''], at) => {
        return [first, last, `${first}${at}@${domains[at] ?? ''}`];
      });
      return proposalOf(names, rows).domains.map(({ rule, note, isOff }) => [rule, note, isOff ?? false]);
    };
    assert.deepEqual(domainsOf(['gmail.com', 'gmail.com', 'corp.example']), [
      ['gmail.com', '2, but anybody can have such an address', true],
      ['corp.example', '1', true],
    ]);
    assert.deepEqual(domainsOf(['corp.example', 'gmial.con']), [
      ['corp.example', '1', false],
      ['gmial.con', '1, but it looks mistyped or internal', true],
    ]);
  });

  test('whole names and unsure addresses are proposed in comments only', () => {
    const rows = people(() => []).map(([, , email = ''], at) => [`Ek, Bo ${at}`, email]);
    const { members } = proposalOf(['Name', 'Contact'], rows);
    assert.deepEqual(
      members.map(([field, { rule, isOff }]) => [field, rule, isOff]),
      [
        ['fullname', { column: 'Name', form: 'Last, First' }, true],
        ['email', 'Contact', true],
      ],
    );
  });

  test('a whole name is proposed as it was asked for, with its form only where one was said', () => {
    for (const fullname of [{ column: 'Name' }, { column: 'Name', form: 'Last First' as const }]) {
      const header = ['Name', 'Email'];
      const found = findFields({ fullname }, new ColumnFinder(listColumns(header)), byFlags);
      const { members } = propose(found, surveysOf(header, [['Ek Bo', 'bo@example.com']]));
      assert.deepEqual(members.at(-1), ['fullname', { rule: fullname }]);
    }
  });

  test('who has no status stays, beside statuses of those who left, and beside reasons for which they did', () => {
    const onlyOf = (heading: string, ...words: string[]) =>
      proposalOf(
        [...names, heading],
        people((at) => [words[at % words.length] ?? '']),
      ).only.map(({ rule, isOff = false }) => [rule, isOff]);
    assert.deepEqual(onlyOf('Status', 'Terminated', '', 'Parental leave', ''), [
      [{ column: 'Status', in: ['Parental leave', ''] }, false],
    ]);
    assert.deepEqual(onlyOf('Status', 'Terminated', ''), [[{ column: 'Status', in: [''] }, false]]);
    assert.deepEqual(onlyOf('Termination Reason', 'Resigned', '', 'Better offer', ''), [
      [{ column: 'Termination Reason', empty: true }, true],
    ]);
  });

  test('a status in which nobody has left names only the words it does not know', () => {
    const noteOf = (...words: string[]) =>
      proposalOf(
        [...names, 'Status'],
        people((at) => [words[at % words.length] ?? '']),
      ).only[0]?.note;
    assert.deepEqual(
      [noteOf('Active', 'Roaming'), noteOf('Active', 'Prehire'), noteOf('Active', 'Terminated')],
      ['not known, so kept: Roaming', 'not yet there: Prehire', 'leaves out Terminated'],
    );
  });

  test('the block is a source of the config with the very rules that are proposed, whatever the columns are called', () => {
    for (const name of [
      'Department',
      '#1: "Org" {x}',
      '- [a], b',
      'true',
      '007',
      "it's # odd",
      'Ünit: ',
      '__proto__',
    ]) {
      const header = ['First Name', 'Last Name', 'Email', name, 'Status', 'Groups', 'Pers.-Nr.', 'Eintritt'];
      const rows = people((at) => ['Sales', at % 2 ? 'Active' : 'Left\u2028x', `A;${name}`, `${at}`, '1.10.2026']);
      const proposal = proposalOf(header, rows);
      const named = {
        ...proposal,
        groups: [...proposal.groups, { rule: { column: name.trim() }, note: `a\nnote of ${name}` }],
      };
      const parsed: unknown = parse(writeSourceBlock(named).join('\n'));
      assert.deepEqual(Source.parse(parsed), rulesOf(named), name);
      const whole = parse(writeConfig({ name: 'a.b-c', file: './x: y.csv', block: writeSourceBlock(named) })) as {
        sources: Record<string, { file: string }>;
      };
      assert.equal(whole.sources['a.b-c']?.file, './x: y.csv');
    }
  });
});

suite('what a nightly source needs', () => {
  /** With the settings of the source that stand in comments. */
  const uncommented = (text: string): string => text.replaceAll(/^( {4,})# (?=[a-zA-Z]+: )/gm, '$1');
  const keys = 'schedule,maxAge,snapshot,leavers,departed,allow,invites'.split(',');

  for (const [what, columns, end] of [
    ['an address of a company, a status and a last day', ['Status', 'Termination Date'], ['Active', '2020-01-01']],
    ['nothing but people', ['Department'], ['Sales']],
  ] as const) {
    test(`stands in the config as comments, each of which is a setting: ${what}`, () => {
      const block = writeSourceBlock(
        proposalOf(
          [...names, ...columns],
          people((at) => (at > 3 ? [...end] : columns.map(() => ''))),
        ),
      );
      const text = writeConfig({ name: 'staff', file: './staff.csv', block }, { timezone: 'Europe/Copenhagen' });
      const asWritten = (parse(text) as { sources: { staff: object } }).sources.staff;
      assert.ok(Source.safeParse(asWritten).success);
      assert.deepEqual(
        keys.filter((key) => key !== 'allow' && key in asWritten),
        [],
      );
      const whole = parse(uncommented(text)) as { sources: { staff: object } };
      const { error } = Source.safeParse(whole.sources.staff);
      assert.equal(error, undefined);
      for (const key of keys) assert.ok(key in whole.sources.staff, key);
      if (columns.includes('Termination Date' as never))
        assert.match(text, /# leavers: \[\{ column: Termination Date, past: true \}\]/);
      assert.match(text, /^# notify: /m);
    });
  }
});

suite('examples of cells', () => {
  test('names, addresses and numbers are masked, vocabularies are shown, secrets never', () => {
    const surveys = surveysOf(
      ['Name', 'Email', 'Phone', 'Department', 'password', 'Gender'],
      Array.from({ length: 9 }, (_, at) => [
        `Ann${at}`,
        `ann${at}@example.com`,
        `+45 20 12 34 5${at}`,
        'Sales',
        'hunter2',
        'f',
      ]),
    );
    assert.deepEqual(
      surveys.map((survey) => maskedExamples(survey, false)),
      [
        ['A***', 'A***', 'A***'],
        ['a***@example.com', 'a***@example.com', 'a***@example.com'],
        ['+45***', '+45***', '+45***'],
        ['Sales'],
        ['***'],
        ['***'],
      ],
    );
    assert.deepEqual(
      surveys.map((survey) => maskedExamples(survey, true)).at(3),
      ['S***'],
      'a name that many have is a name',
    );
  });
});
