import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ColumnSurvey, surveyColumns } from '../../../src/core/columns/column-survey.ts';
import { maskedExamples } from '../../../src/core/person/mask.ts';
import {
  columnKey,
  columnsMeaning,
  columnsNamed,
  groupRank,
  listColumns,
  withoutNumber,
} from '../../../src/core/columns/columns.ts';
import { Examiner, nameInRow, RowCensus, sayAlike } from '../../../src/core/inspect/census.ts';
import { matrixColumns, severalIn } from '../../../src/core/inspect/proposed.ts';
import { likeGroups, severalGroups } from '../../../src/core/inspect/like-groups.ts';
import type { Meaning } from '../../../src/data/schemas.ts';
import { isLogLine, kindOfTable } from '../../../src/core/columns/not-people.ts';
import { DayTally } from '../../../src/core/inspect/presence/presence-taker.ts';
import { signSentences } from '../../../src/core/inspect/presence/sign.ts';
import { StatusTally } from '../../../src/core/inspect/presence/status-tally.ts';
import { resolveColumns } from '../../../src/core/mapping/mapping.ts';

const header = ['First Name', 'Last Name', 'Email', 'Department', 'Status'];
const mapping = resolveColumns(header, {
  ...{ groups: [], groupColumns: ['Department'] },
  rules: { except: [{ column: 'Status', in: ['left'] }] },
});
const row = (line: number, ...cells: string[]) => ({ file: 'staff.csv', line, cells });
const ann = ['Ann', 'Ek', 'ann@example.com', 'Sales', ''];
const bo = ['Bo', 'Lind', 'bo@example.com', 'Sales', ''];

function surveyOf(name: string, cells: readonly string[]): ColumnSurvey {
  const survey = new ColumnSurvey(0, name);
  for (const cell of cells) survey.add(cell);
  return survey;
}

suite('the census of what a mapping makes of rows', () => {
  test('adds up: people, rows of one person, filtered rows and rejects', () => {
    const census = new RowCensus(mapping);
    for (const [at, cells] of [
      ann,
      bo,
      [...ann.slice(0, 3), 'IT', ''],
      [...ann.slice(0, 3), 'IT', ''],
      ['Cy', 'Ng', 'cy@example.com', 'IT', 'left'],
      ['Di', 'Oe', 'nobody', 'IT', ''],
      ['Ed', 'Po', 'else', 'IT', ''],
      ['Fi', 'Qu', 'shared@example.com', 'HR', ''],
      ['Gi', 'Ru', 'Shared@example.com', 'HR', ''],
      ['Hi', 'St', 'hi@example.com', 'HR', ''],
    ].entries())
      census.add(row(at + 2, ...cells));
    const { rejects, filtered, ...others } = census.result();
    assert.deepEqual(others, {
      ...{ rows: 10, members: 3, merged: 2, isMergedCounted: true },
      groups: [
        { group: 'Sales', people: 2 },
        { group: 'HR', people: 1 },
        { group: 'IT', people: 1 },
      ],
    });
    assert.deepEqual(
      filtered.map(({ count, file, line }) => [count, file, line]),
      [[1, 'staff.csv', 6]],
    );
    assert.deepEqual(
      rejects.map(({ count, line }) => [count, line]),
      [
        [2, 7],
        [2, 9],
      ],
    );
    assert.equal(rejects.at(1)?.what, 'several people share an address');
  });

  test('of one person on more than a hundred rows the first hundred are checked, and all are counted', () => {
    const census = new RowCensus(mapping);
    for (let at = 0; at < 150; at += 1) census.add(row(at + 2, ...ann.slice(0, 3), `Team ${at}`, ''));
    const { rows, members, merged, groups } = census.result();
    assert.deepEqual([rows, members, merged, groups.length], [150, 1, 149, 100]);
  });

  test('a contract that has ended is left out where its person has another row', () => {
    const contracts = resolveColumns([...header, 'End Date', 'Rehire Date'], {
      ...{ groups: [], groupColumns: ['Department'], today: new Date('2026-11-22') },
      rules: { except: [{ column: 'End Date', past: true }] },
    });
    const census = new RowCensus(contracts);
    const back = ['2020-12-31', '2026-03-01'];
    census.add(row(2, ...ann, ...back));
    census.add(row(3, ...ann.slice(0, 3), 'IT', '', '', '2026-03-01'));
    census.add(row(4, ...bo, ...back));
    const { members, merged, filtered, groups } = census.result();
    assert.deepEqual([members, merged, filtered.map(({ count, line }) => [count, line])], [2, 0, [[1, 2]]]);
    assert.deepEqual(groups, [
      { group: 'IT', people: 1 },
      { group: 'Sales', people: 1 },
    ]);
  });

  test('groups of as many people are in the order of their names', () => {
    const census = new RowCensus(mapping);
    census.add(row(2, ...ann));
    census.add(row(3, ...bo.slice(0, 3), 'IT', ''));
    assert.deepEqual(census.result().groups, [
      { group: 'IT', people: 1 },
      { group: 'Sales', people: 1 },
    ]);
  });

  test('rows that are rejected alike say the same, a thousand kinds at most', () => {
    assert.equal(sayAlike({ column: 'Email', reason: 'line 12 has "x"' }), 'Email: line … has …');
    assert.equal(sayAlike({ column: '', reason: 'line 12' }), 'line …');
    assert.equal(sayAlike({ column: 'Email', reason: 'Email "x" is none' }), 'Email … is none');
    const census = new RowCensus(mapping);
    const kinds = 'abcdefghij';
    const name = (at: number): string => Array.from(String(at), (digit) => kinds[Number(digit)]).join('');
    for (let at = 0; at < 1002; at += 1)
      census.add({ ...row(at, ...ann), column: '', value: '', reason: `kind ${name(at)}` });
    census.add({ ...row(5, ...ann), column: '', value: '', reason: 'kind a' });
    const { rejects } = census.result();
    assert.equal(rejects.length, 1001);
    assert.deepEqual(
      rejects.slice(0, 2).map(({ what, count }) => [what, count]),
      [
        ['kind a', 2],
        ['other reasons', 2],
      ],
    );
  });
});

suite('what an examination shows', () => {
  test('groups by their names in the file, with their people and what they become, those that are left out too', () => {
    const both = resolveColumns(header, {
      ...{ groups: ['All staff'], groupColumns: ['Department'], splits: { Department: [';'] } },
      rules: { rename: { Sale: 'Sales' }, allow: { groups: { except: ['Temp'] } } },
      knownGroups: ['SALES'],
    });
    const only = resolveColumns(header, {
      ...{ groups: [], groupColumns: ['Department'] },
      rules: { allow: { groups: { except: ['Temp'] } } },
    });
    const listed = (mapping: typeof only, rows: string[][]) => {
      const examiner = new Examiner(mapping);
      for (const [at, cells] of rows.entries()) examiner.add(row(at + 2, ...cells));
      return examiner.result().named;
    };
    const rows = [
      ['Ann', 'Ek', 'ann@example.com', 'Sale;Temp', ''],
      ['Ann', 'Ek', 'ann@example.com', 'sale ', ''],
      ['Bo', 'Lind', 'bo@example.com', 'Sales;sales', ''],
      ['Cy', 'Ng', 'nobody', 'Sales', ''],
      ['Fi', 'Qu', 'shared@example.com', 'HR', ''],
      ['Gi', 'Ru', 'Shared@example.com', 'HR', ''],
    ];
    assert.deepEqual(listed(both, rows), [
      { name: 'All staff', group: 'All staff', people: 2 },
      { name: 'Sale', group: 'Sales', people: 1 },
      { name: 'Sales', group: 'Sales', people: 1 },
      { name: 'Temp', people: 1 },
    ]);
    const two = [
      ['Ann', 'Ek', 'ann@example.com', 'Temp', ''],
      ['Bo', 'Lind', 'bo@example.com', 'Temp', ''],
      ['Bo', 'Lind', 'bo@example.com', 'Temp', ''],
      ['Cy', 'Ng', 'cy@example.com', 'IT', ''],
    ];
    assert.deepEqual(
      listed(only, two),
      [
        { name: 'Temp', people: 2 },
        { name: 'IT', group: 'IT', people: 1 },
      ],
      'whoever is rejected since all of their groups are left out',
    );
  });

  test('four names, those with the oddest letters first, and three of each who are left out', () => {
    const examiner = new Examiner(mapping);
    const add = (first: string, last: string, status = '') =>
      examiner.add(row(2, first, last, `${first}@example.com`, 'IT', status));
    for (const first of ['Ann', 'Bo', 'Cy', 'Di', 'Ed']) add(first, 'Ek');
    add('Zo\u00eb', 'Ek');
    add('\u00c5se', '\u00d8deg\u00e5rd');
    add('Other', 'Zo\u00eb');
    for (const first of ['Uma', 'Vic', 'Wim', 'Xia']) add(first, 'Gone', 'left');
    const { names, leftOut, later } = examiner.result();
    assert.deepEqual(names, ['\u00c5se \u00d8deg\u00e5rd', 'Zo\u00eb Ek', 'Ann Ek', 'Bo Ek']);
    assert.deepEqual([...leftOut.values()], [['Uma Gone', 'Vic Gone', 'Wim Gone']]);
    assert.equal(later, undefined);
  });

  test('how many begin later, and when the first and the last of them do', () => {
    const waiting = resolveColumns([...header, 'Start Date'], {
      ...{ groups: [], groupColumns: ['Department'], today: new Date('2026-11-20T12:00:00Z'), timezone: 'UTC' },
      rules: { members: { startDate: 'Start Date' } },
    });
    const examiner = new Examiner(waiting);
    for (const day of ['2027-01-05', '2026-12-01', '2027-03-01', '2020-01-01', '']) examiner.add(row(2, ...ann, day));
    assert.deepEqual(examiner.result().later, { people: 3, from: 20_261_201, to: 20_270_301 });
  });

  test('a row that is nobody’s has the name that it has, or its line', () => {
    const name = (...cells: string[]): string => nameInRow(mapping, row(7, ...cells));
    assert.deepEqual(
      [name('Ann', 'Ek'), name('', 'Ek'), name('', '', 'a@b.example'), name('', '', '')],
      [...['Ann Ek', 'Ek', 'a@b.example', 'line 7']],
    );
    assert.equal(name('x'.repeat(200)).length, 100);
    const whole = resolveColumns(['Full Name', 'Email'], {
      ...{ groups: ['All'], groupColumns: [], rules: { members: { fullname: { column: 'Full Name' } } } },
    });
    assert.equal(nameInRow(whole, row(7, ' Ek, Ann ', 'a@b.example')).includes('Ek'), true);
  });
});

suite('what a column holds', () => {
  test('its cells, addresses, values, and what stands between them', () => {
    const survey = surveyOf('Any', ['a@x.example', ' A@X.example ', '', 'b; c', 'b; c', '#N/A', 'x > y', 'no@', 'd']);
    assert.deepEqual([survey.rows, survey.filled, survey.addresses, survey.domains.get('x.example')], [9, 8, 2, 2]);
    assert.equal(survey.values?.get('b; c'), 2);
    assert.deepEqual(survey.examples, ['a@x.example', 'A@X.example', 'b; c']);
    assert.deepEqual(
      [...survey.separated],
      [
        [';', 2],
        [' > ', 1],
      ],
    );
    assert.equal(survey.firstSeparated.get(';'), 'b; c');
    assert.deepEqual([...(survey.parts.get(';') ?? [])], ['b', 'c']);
    assert.deepEqual(
      surveyColumns([' A ', 'B']).map(({ index, name }) => [index, name]),
      [
        [0, 'A'],
        [1, 'B'],
      ],
    );
  });

  test('two hundred values are kept, of 120 characters at most', () => {
    const many = Array.from({ length: 200 }, (_, at) => `v${at}`);
    assert.equal(surveyOf('A', many).values?.size, 200);
    assert.equal(surveyOf('A', [...many, 'v0']).values?.get('v0'), 2);
    const more = surveyOf('A', [...many, 'v200']);
    assert.deepEqual([more.values, more.examples.length], [undefined, 3]);
    assert.equal(surveyOf('A', ['x'.repeat(120)]).values?.size, 1);
    const long = surveyOf('A', ['x'.repeat(121), 'y', 'z', 'w']);
    assert.deepEqual([long.values, long.examples], [undefined, ['x'.repeat(120), 'y', 'z']]);
    assert.equal(surveyOf('A', [many.join(';')]).parts.get(';')?.size, 200);
    const parts = surveyOf('A', [[...many, 'v200'].join(';'), 'a;b']).parts;
    assert.deepEqual([parts.has(';'), parts.get(';')], [true, undefined]);
    const domains = surveyOf(
      'A',
      Array.from({ length: 1001 }, (_, at) => `a@d${at}.example`),
    ).domains;
    assert.deepEqual([domains.size, domains.has('d1000.example')], [1000, false]);
  });

  test('a vocabulary is a few values, again and again', () => {
    const isVocabulary = (...cells: string[]): boolean => surveyOf('A', cells).isVocabulary;
    assert.equal(isVocabulary('a', 'b', 'a'), false, 'three cells');
    assert.equal(isVocabulary('a', 'b', 'a', 'b'), true);
    assert.equal(isVocabulary('a', 'b', 'c', 'a'), false);
    assert.equal(isVocabulary('a', 'b', 'c', 'a', 'b', 'c'), true);
    assert.equal(isVocabulary('a', 'b', 'c', 'd', 'a', 'b', 'c'), false);
  });

  test('what is shown of it says who nobody is', () => {
    const masked = (name: string, ...cells: string[]): string[] => maskedExamples(surveyOf(name, cells), false);
    assert.deepEqual(masked('A', 'x', '12345', '123456'), ['x', '1***', '12***']);
    assert.deepEqual(masked('A', '+45 12 34', 'ab', '\u{1f600}b'), ['+45***', 'a***', '\u{1f600}***']);
    assert.deepEqual(masked('A', 'Sales', 'Sales', 'Sales', 'IT'), ['Sales', 'I***']);
    assert.deepEqual(masked('A', 'IT', 'IT', 'HR', 'HR', 'HR'), ['HR', 'IT']);
    assert.deepEqual(masked('A', 'x'.repeat(40), 'x'.repeat(40), 'y', 'y'), ['x'.repeat(30), 'y']);
    const five = ['a', 'b', 'c', 'd'].flatMap((word) => [`${word}${word}`, `${word}${word}`]);
    assert.deepEqual(masked('A', ...five), ['aa', 'bb', 'cc']);
    assert.deepEqual(masked('Salary', '1'), ['***']);
  });

  test('columns are meant by their name, by its letters, or by a part of it', () => {
    const columns = listColumns(['Work Email', 'work-email', 'Dept. [department]', '--']);
    const named = (name: string): number[] => columnsNamed(columns, name).map(({ index }) => index);
    assert.deepEqual([named(' Work Email '), named('WORK EMAIL'), named('department')], [[0], [0, 1], [2]]);
    assert.deepEqual([named('*'), named('--')], [[], [3]]);
    assert.equal(columnKey(' E-Mail_2 (\uff21) '), 'email2a');
    const rankOf = (name: string): string | undefined => groupRank({ index: 0, name })?.meaning;
    assert.deepEqual(
      [rankOf('a.department.name'), rankOf('a.department.value'), rankOf('x.name')],
      [...['department', 'department', undefined]],
    );
    const meaning = (what: Meaning, ...header: string[]): string[] =>
      columnsMeaning(listColumns(header), what).map((column) => column.name);
    assert.deepEqual(meaning('lastname', 'Vorname', 'Name'), ['Name'], 'a name beside a first name is the last one');
    assert.deepEqual(meaning('firstname', 'Vorname', 'Name'), ['Vorname']);
    assert.deepEqual([meaning('firstname', 'Name'), meaning('lastname', 'Name')], [[], []]);
    assert.deepEqual(meaning('lastname', 'First Name', 'Nom'), [], 'of another language');
    assert.deepEqual(['Group 12', 'Group', '12', 'A1b'].map(withoutNumber), ['Group ', 'Group', '', 'A1b']);
  });
});

suite('what a table is of', () => {
  test('two headings of a kind say that it is not of people; the kind with more of them wins', () => {
    assert.equal(kindOfTable(['IBAN', 'Name']), undefined);
    assert.equal(kindOfTable(['IBAN', 'Saldo']), 'a bank statement');
    assert.equal(kindOfTable(['IBAN', 'Saldo', 'Price', 'Qty', 'VAT']), 'an invoice or an order');
    assert.equal(kindOfTable(['timestamp', 'level']), 'a log');
  });

  test('a line of a log begins with a time, a priority, or the address of a request', () => {
    for (const line of [
      '2026-01-05T04:03:02 started',
      '[2026-01-05 04:03:02] started',
      '<34>Oct 11 su',
      '<134>Oct',
      '<3>x',
      '1.2.3.4 - - [10/Oct',
      'Oct 11 22:14:15 host',
      'Oct  1 22:14:15 host',
      '192.0.2.1 - - [10/Oct/2026] "GET /"',
      '[INFO] x',
      'ERROR: x',
    ])
      assert.ok(isLogLine(line), line);
    for (const line of [
      ...['2026-01-05,Ann', '<1345>x', 'Oct 11', '192.0.2,Ann', 'INFORMATION', 'Oct 1 22:14:15 x'],
      ...['1234.0.2.1 - - [10/Oct', '192.0.2.1234 - - [10/Oct', '192.0.2.1.7 - - [10/Oct'],
      ...['20260-01-05T04:03:02', '2026-001-05T04:03:02', '2026-01-005T04:03:02', 'Octo 11 22:14:15 x'],
    ])
      assert.ok(!isLogLine(line), line);
  });

  test('columns of marks are groups if there are two of them, and something is marked', () => {
    const matrix = (...columns: [string, string[]][]): string[] =>
      matrixColumns(columns.map(([name, cells]) => surveyOf(name, cells))).map(({ name }) => name);
    assert.deepEqual(matrix(['Chess', ['x', '']], ['Choir', ['', 'yes']]), ['Chess', 'Choir']);
    assert.deepEqual(matrix(['Chess', ['x', '']]), []);
    assert.deepEqual(matrix(['Chess', ['x']], ['Choir', ['no']]), []);
    assert.deepEqual(matrix(['Chess', ['x']], ['Choir', ['often']]), []);
    assert.deepEqual(matrix(['Chess', ['x']], ['', ['x']]), []);
    assert.deepEqual(matrix(['Chess', ['x']], ['Choir', ['']]), []);
    assert.deepEqual(matrix(['Chess', ['x']], ['Active', ['yes']], ['Choir', ['x']]), ['Chess', 'Choir']);
  });

  test('a name may mean several groups where a part of it is one, each part of a path', () => {
    const several = (groups: string[], given: string[] = []) => Object.fromEntries(severalGroups(groups, given));
    assert.deepEqual(several(['Sales, IT'], ['sales']), { 'Sales, IT': ['Sales', 'IT'] });
    assert.deepEqual(several(['Sales#IT', 'IT']), { 'Sales#IT': ['Sales', 'IT'] });
    assert.deepEqual(several(['Sales, IT'], ['Sales', 'Sales, IT']), {}, 'given before');
    assert.deepEqual(several(['Research, Development', 'IT']), {});
    assert.deepEqual(several(['Sales/North', 'Sales']), {});
    assert.deepEqual(several(['Sales/IT', 'IT', 'Sales']), { 'Sales/IT': ['Sales', 'IT'] });
  });

  test('a group is a misspelt one of another with three times as many people, by one letter, by two from ten on', () => {
    const like = (group: string, people: number, other: string, many: number): boolean =>
      likeGroups([
        { group, people },
        { group: other, people: many },
      ]).length === 1;
    assert.deepEqual([like('Sales', 1, 'Sale', 3), like('Sales', 1, 'Sale', 2)], [true, false]);
    assert.deepEqual([like('Sale', 1, 'Sales', 3), like('Sales', 1, 'Sal', 3)], [false, false]);
    assert.deepEqual([like('abcdefghij', 1, 'abcdefgh', 3), like('abcdefghi', 1, 'abcdefg', 3)], [true, false]);
    assert.equal(like('abcdefghijk', 1, 'abcdefgh', 3), false);
    assert.equal(like('Class 1', 1, 'Class 2', 9), false);
    assert.deepEqual([like('Team A', 1, 'Team B', 9), like('Saless', 1, 'Sales', 1)], [false, true]);
    for (const same of ['sales dept', 'Sаles', 'Sales.', 'Department of Sales'])
      assert.ok(like(same, 1, 'Sales', 1), same);
    assert.deepEqual(
      likeGroups([{ group: 'Sales 2', people: 1 }], ['Sales', 'sales 2']).map((found) => found.like),
      ['sales 2'],
    );
    assert.deepEqual(likeGroups([{ group: 'Saless', people: 1 }], ['Sales', 'Saless']), [], 'given before');
    const signs = Array.from({ length: 50_000 }, (_, at) => ({
      group: `Sales${'!'.repeat(at % 200)} ${'?'.repeat(at / 200)}`,
      people: 1,
    }));
    assert.equal(likeGroups(signs).length, signs.length - 1, 'however many are alike');
    for (const [group, given, isLike] of [
      ['Sale', 'Sales', true],
      ['SALES', 'Sale', true],
      ['Op', 'Ops', false],
      ['Sale', 'Salem', false],
    ] as const)
      assert.equal(likeGroups([{ group, people: 9 }], [given]).length === 1, isLike, `${group} beside ${given}`);
    assert.deepEqual(
      likeGroups([
        { group: 'Markting', people: 1 },
        { group: 'Marketing', people: 9 },
      ]),
      [{ group: 'Markting', people: 1, like: 'Marketing', likePeople: 9 }],
    );
    const many = (count: number) => [
      { group: 'Marketing', people: 9 },
      { group: 'Markting', people: 1 },
      ...Array.from({ length: count - 2 }, (_, at) => ({ group: `${at}`, people: 1 })),
    ];
    assert.deepEqual([likeGroups(many(500)).length, likeGroups(many(501)).length], [1, 0]);
  });
});

suite('the bounds of what a column says', () => {
  const several = (cells: string[], isList = false): string => severalIn(surveyOf('A', cells), isList).kind;

  test('a path is a column in which more than half of the cells have a slash, or the first begins with one', () => {
    assert.equal(several(['IT/HR', 'IT', 'HR', 'IT/HR']), 'list', 'half');
    assert.equal(several(['IT/HR', 'IT', 'HR', 'IT/HR', 'IT/HR']), 'one', 'more than half');
    assert.equal(several(['/IT', 'IT', 'HR', 'PR']), 'one');
    assert.equal(several(['a/b', 'b', 'x', 'y', 'z', 'w']), 'unclear', 'the last level stands alone');
  });

  test('four fifths of the parts stand alone in a list', () => {
    assert.equal(several(['a,b,c,d,e', 'a', 'b', 'c', 'd', 'x', 'y']), 'list');
    assert.equal(several(['a,b,c,d,e', 'a', 'b', 'c', 'x', 'y', 'z']), 'unclear');
  });

  test('a column of lists has fewer than twice as many parts as cells with a sign', () => {
    assert.equal(several(['a,b', 'b,c'], true), 'list');
    assert.equal(several(['a,b', 'c,d'], true), 'one');
  });

  test('forty words are those of a status, of 120 characters at most; beside them are those of people who left', () => {
    const said = (cells: readonly string[]): number[] | undefined => {
      const tally = new StatusTally('Status');
      for (const cell of cells) tally.add(cell);
      const sign = tally.sign();
      return sign && [sign.rows, sign.unknown.length];
    };
    const words = Array.from({ length: 39 }, (_, at) => `w${at}`);
    assert.deepEqual(said([...words, 'Terminated']), [1, 39]);
    assert.deepEqual(said([...words, 'w39', 'Terminated']), [1, 40]);
    assert.deepEqual(said([...words, 'w39', 'w40', 'Terminated', 'w41']), [1, 40]);
    assert.deepEqual(said([...words, 'Terminated', 'Terminated', 'w0']), [2, 39]);
    assert.deepEqual(said(['Terminated', 'x'.repeat(120)]), [1, 1]);
    assert.deepEqual(said(['Terminated', 'x'.repeat(121)]), [1, 0]);
    assert.deepEqual(said(['Terminated'.padEnd(1000, ' x')]), [1, 0]);
    assert.equal(said(['Terminated'.padEnd(1001, ' x')]), undefined);
    assert.deepEqual(said(Array.from({ length: 10_001 }, (_, at) => `Terminated ${at}`)), [10_000, 0]);
  });

  test('six words are listed', () => {
    const words = Array.from({ length: 8 }, (_, at) => ({ word: `w${at}`, rows: 1000 }));
    const said = (count: number): string =>
      signSentences([{ kind: 'status', column: 'S', rows: 1, words: words.slice(0, count), unknown: [] }])[0] ?? '';
    assert.match(said(6), /w5 1,000$/);
    const unknown = [{ word: 'Bench', rows: 1 }];
    const kept = { kind: 'status', column: 'S', rows: 1, words: words.slice(0, 1), unknown } as const;
    assert.match(
      signSentences([{ ...kept, words: [...kept.words], unknown }])[0] ?? '',
      /: w0 1,000 \(not known, so kept: Bench 1\)$/,
    );
    assert.match(said(8), /w5 1,000 and 2 more words$/);
    assert.match(said(7), /w5 1,000 and 1 more word$/);
  });

  test('days count where at most half of the cells are none, in the order in which more of them are days', () => {
    const sign = (kind: 'end' | 'start', ...cells: string[]) => {
      const tally = new DayTally(kind, 'D', 20_261_120);
      for (const cell of cells) tally.add(cell);
      const found = tally.sign();
      return found && [found.rows, found.order];
    };
    assert.deepEqual(sign('end', '2020-01-01', 'soon'), [1, undefined]);
    assert.equal(sign('end', '2020-01-01', 'soon', 'later'), undefined);
    assert.equal(sign('end', '2026-11-20'), undefined);
    assert.deepEqual(sign('end', '2026-11-19', ''), [1, undefined]);
    assert.equal(sign('start', '2026-11-20'), undefined);
    assert.deepEqual(sign('start', '2026-11-21'), [1, undefined]);
    assert.deepEqual(sign('end', '01/02/2020'), [1, 'mdy'], 'where nothing tells');
    assert.deepEqual(sign('end', '01/02/2020', '13/02/2020'), [2, 'dmy']);
    assert.deepEqual(sign('end', '01/02/2020', '01/02/2020', '02/13/2020'), [3, 'mdy']);
  });
});
