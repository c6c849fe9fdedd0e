import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { InputError } from '../../../src/core/errors.ts';
import {
  addressesSeen,
  addressTemplate,
  adviseAddresses,
  commonDomain,
  notPeople,
} from '../../../src/core/mapping/unsettled-columns.ts';
import { ColumnFinder, severalOf } from '../../../src/core/mapping/column-finder.ts';
import { dayBegan, readDay } from '../../../src/core/cells/days.ts';
import { hintsFor } from '../../../src/core/mapping/find-fields.ts';
import { GroupNames } from '../../../src/core/mapping/group-names.ts';
import { mapRow } from '../../../src/core/mapping/map-row.ts';
import { resolveColumns } from '../../../src/core/mapping/mapping.ts';
import type { MappingOptions } from '../../../src/core/mapping/mapping-options.ts';
import { isShortened, nameFault } from '../../../src/core/mapping/read-name.ts';
import { splitName } from '../../../src/core/mapping/names.ts';
import { compileTemplate } from '../../../src/core/mapping/fields.ts';
import { byFlags } from '../../../src/report/terminal/commands.ts';
import { anyOf, foldText, wildcard } from '../../../src/core/text/wildcard.ts';
import { ColumnSurvey } from '../../../src/core/columns/column-survey.ts';
import { listColumns } from '../../../src/core/columns/columns.ts';

suite('the bounds of days and names', () => {
  test('years up to 1900 and from 2099 on stand for never', () => {
    const years = ['1900', '1901', '2098', '2099'].map((year) => readDay(`${year}-06-30`));
    assert.deepEqual(years, [undefined, 19_010_630, 20_980_630, undefined]);
    assert.deepEqual(
      ['01/02/1900', '01/02/2099'].map((text) => readDay(text)),
      [undefined, undefined],
    );
    assert.deepEqual(
      [readDay(`/Date(${Date.UTC(1900, 5, 1)})/`), readDay(`/Date(${Date.UTC(1901, 0, 1)})/`)],
      [...[undefined, 19_010_101]],
    );
    assert.deepEqual([readDay('/Date(-1000+0200)/'), readDay('/Date(0)/')], [19_691_231, 19_700_101]);
  });

  test('a day is in its month', () => {
    const isDay = (text: string): boolean => typeof readDay(text) === 'number';
    for (const text of [
      '2026-01-31',
      '2026-04-30',
      '2026-02-28',
      '2028-02-29',
      '2026-12-01',
      '13/12/2026',
      '12/13/2026',
    ])
      assert.ok(isDay(text), text);
    for (const text of ['2026-01-32', '2026-04-31', '2026-02-29', '2026-00-10', '2026-10-00', '2026-13-01', '12-12-26'])
      assert.ok(!isDay(text), text);
    assert.equal(readDay('12/12/2026'), 20_261_212);
    assert.equal(typeof readDay('11/12/2026'), 'object');
    assert.equal(readDay('12.11.2026'), 20_261_112);
    assert.equal(readDay('12-13-2026'), 20_261_213);
    assert.equal(typeof readDay('12-13/2026'), 'object');
  });

  test('a day begins an hour later or earlier where the clocks were changed at midnight', () => {
    const began = (time: string, zone: string): string => dayBegan(new Date(time), zone).toISOString();
    assert.equal(began('2026-04-24T10:00:00Z', 'Africa/Cairo'), '2026-04-23T22:00:00.000Z');
    assert.equal(began('2026-10-30T10:20:30.400Z', 'Africa/Cairo'), '2026-10-29T22:00:00.000Z');
    assert.equal(began('2026-06-01T00:00:00Z', 'UTC'), '2026-06-01T00:00:00.000Z');
  });

  test('what a spreadsheet made of a name is a date or a number', () => {
    const faults: Record<string, string | undefined> = {
      '2026-01-05': 'date',
      '5/1/26': 'date',
      '1-Mar': 'date',
      '01. Mrz 24': 'date',
      'Mar-24': 'date',
      'Okt.-2024': 'date',
      '4.67012E+11': 'number',
      '1E5': 'number',
      '42': 'number',
      '7.5': 'number',
      '3-Abc': undefined,
      'Mar-12345': undefined,
      'John 3': undefined,
      A1: undefined,
      'X-Wing-24': undefined,
      '123-Mar': undefined,
      '1---Mar': undefined,
      '1-Mar---24': undefined,
      '1-Mar-12345': undefined,
      '1-Mar-2024': 'date',
      'Mar-1': undefined,
      'MÃ¼ller': 'garbled',
      'O\u00e2€™Brien': 'garbled',
      'M\ufffdller': 'garbled',
      'Ren?': 'lost',
      '?ukasz': 'lost',
      JOÃO: undefined,
      Jérâme: undefined,
      'Hal; Ian': 'list',
      'O&#39;Brien': 'html',
      'O&#x27;Brien': 'html',
      'M&uuml;ller': 'html',
    };
    for (const [text, fault] of Object.entries(faults)) assert.equal(nameFault(text), fault, text);
    assert.deepEqual(['1E5', '1.5e-3', '12E5', '1 E5', 'E5', '1E', '1,5E+9'].map(isShortened), [
      ...[true, true, false, false, false, false, true],
    ]);
  });

  test('the words in front of a last name belong to it, but are never all of it', () => {
    assert.deepEqual(splitName('van der Berg', 'Last First'), { lastname: 'van der', firstname: 'Berg' });
    assert.deepEqual(splitName('van Berg', 'Last First'), { lastname: 'van', firstname: 'Berg' });
    assert.deepEqual(splitName('Jan Van Berg', 'First Last'), { firstname: 'Jan', lastname: 'Van Berg' });
    assert.deepEqual(splitName('van Berg', 'First Last'), { firstname: 'van', lastname: 'Berg' });
    assert.deepEqual(splitName('A B. C. Ek', 'First M Last'), { firstname: 'A', lastname: 'Ek' });
  });
});

suite('the names of groups', () => {
  test('as many different ones as are allowed are sent, and one more is refused', () => {
    const names = new GroupNames({ allow: { groups: { total: 2 } } });
    assert.deepEqual(
      [names.nameOf('A'), names.nameOf('B'), names.nameOf('a'), names.nameOf('A')],
      ['A', 'B', 'A', 'A'],
    );
    assert.throws(() => names.nameOf('C'), /^InputError: The roster has more than 2 different groups, such as "C"/);
    // It may be a name.
    assert.throws(() => names.nameOf('C'), { withoutWords: /different groups, such as "…"\. Is a column/ });
    assert.deepEqual([...names.remarks.merged], [['A', new Set(['a'])]]);
    assert.equal(names.perPerson, 100);
    assert.equal(new GroupNames({ allow: { groups: { perPerson: 3 } } }).perPerson, 3);
  });

  test('what is left out is counted for each row that had it', () => {
    const names = new GroupNames({ allow: { groups: { only: ['A*'], except: ['Ab'] } }, rename: { X: 'Ab', Y: 'Ac' } });
    const given = ['A', 'Ab', 'B', 'B', 'B', 'x', 'y', 'Y'].map((name) => names.nameOf(name));
    assert.deepEqual(given, ['A', undefined, undefined, undefined, undefined, undefined, 'Ac', 'Ac']);
    assert.deepEqual(
      [...names.remarks.refused],
      [
        ['Ab', 1],
        ['B', 3],
        ['x', 1],
      ],
    );
    assert.deepEqual(
      ['A', 'ab', 'B'].map((name) => names.isAllowed(name)),
      [true, false, false],
    );
  });

  test('of several spellings the rules’ is sent, else the one given before, else the first', () => {
    const names = new GroupNames({ rename: { X: 'Sales' } }, ['IT'], ['it', 'SALES', 'Hr']);
    assert.deepEqual(
      ['it', 'sales', 'HR', 'new', 'NEW', 'a  b', 'A b'].map((name) => names.nameOf(name)),
      [...['IT', 'Sales', 'Hr', 'new', 'new', 'a  b', 'a  b']],
    );
  });

  test('a star stands for anything, a case for none', () => {
    assert.deepEqual(['Sales', 'sales eu', 'Presales'].map(wildcard('sales*')), [true, true, false]);
    assert.deepEqual(['a.c', 'abc', 'a.cc'].map(wildcard('a.c')), [true, false, false]);
    assert.deepEqual(['axb', 'ab', 'ba', 'axxbx'].map(wildcard('a*b')), [true, true, false, false]);
    assert.deepEqual(['A', 'b', 'c'].map(anyOf(['a', 'B*'])), [true, true, false]);
    assert.equal(anyOf([])('a'), false);
    assert.equal(foldText('Å'), foldText('A\u030a'.toLowerCase()));
  });
});

suite('the columns that rules name', () => {
  const columns = listColumns(['A1', 'B2', 'C3', 'Department']);
  const find = (how: 'one' | 'all' | 'range', name: string): [number[], string[]] => {
    const finder = new ColumnFinder(columns);
    const found = finder[how](name, 'groups name');
    const list = found === undefined ? [] : Array.isArray(found) ? found : [found];
    return [list.map(({ index }) => index), finder.problems];
  };

  test('are found by letters of a spreadsheet, where no column is called so', () => {
    assert.deepEqual(
      [find('range', 'A:B')[0], find('range', 'b:D')[0], find('range', 'B:B')[0]],
      [[0, 1], [1, 2, 3], [1]],
    );
    assert.deepEqual(find('range', 'C:E'), [[2, 3], ['"C:E", which groups name, is not among the 4 columns.']]);
    assert.deepEqual(find('range', 'AA:AB'), [[], ['"AA:AB", which groups name, is not among the 4 columns.']]);
    assert.deepEqual(find('range', 'B2'), [[1], []]);
    const named = new ColumnFinder(listColumns(['A', 'B', 'A:B']));
    assert.deepEqual(
      named.range('A:B', 'groups name').map(({ index }) => index),
      [2],
    );
  });

  test('are asked for in words where there is none, or where there are several', () => {
    assert.deepEqual(find('one', 'Departmnt'), [
      [],
      ['there is no column "Departmnt", which groups name. Did you mean "Department"?'],
    ]);
    assert.match(find('one', 'A11')[1][0] ?? '', /Did you mean "A1"\?$/);
    assert.deepEqual(find('one', 'Nothing'), [[], ['there is no column "Nothing", which groups name.']]);
    assert.doesNotMatch(find('one', `Department${'x'.repeat(91)}`)[1][0] ?? '', /Did you mean/);
    assert.deepEqual(find('all', '*2')[0], [1]);
    assert.deepEqual(find('all', 'X*'), [[], ['there is no column like "X*", which groups name.']]);
    assert.equal(severalOf('can be', listColumns(['A', 'B', 'C']), 'say which.'), 'can be "A", "B" or "C": say which.');
    assert.equal(
      severalOf('can be', listColumns(['A', 'A']), 'say which.'),
      'can be "A" (column 1) or "A" (column 2): give them names of their own in the file.',
    );
    const many = (count: number): string =>
      severalOf('can be', listColumns(Array.from({ length: count }, (_, at) => `c${at}`)), '');
    assert.match(many(20), /"c18" or "c19": $/);
    assert.match(many(21), /"c19" or 1 more: $/);
  });
});

suite('addresses that were seen', () => {
  const survey = (name: string, addresses: number, rows = 10): ColumnSurvey => {
    const found = new ColumnSurvey(0, name);
    for (let at = 0; at < rows; at += 1) found.add(at < addresses ? `p${at}@example.com` : 'x');
    return found;
  };
  test('are told with their columns, the fullest first, three at most', () => {
    const seen = addressesSeen([survey('A', 0), survey('B', 4), survey('C', 9), survey('Remark', 3)]);
    assert.equal(seen.rows, 10);
    assert.deepEqual(seen.columns, [
      { name: 'C', addresses: 9 },
      { name: 'B', addresses: 4 },
    ]);
    assert.equal(
      adviseAddresses([], seen, byFlags),
      'addresses are in "C" (9 of 10 rows), "B" (4 of 10 rows). Use the one with work addresses: --map email="COLUMN".',
    );
    assert.equal(
      adviseAddresses([], addressesSeen([survey('C', 1, 1)]), byFlags),
      'addresses are in "C" (1 of 1 row). If they are work addresses, use --map email="C".',
    );
    assert.equal(
      adviseAddresses([], addressesSeen([survey('', 1, 1)]), byFlags),
      'addresses are in a column without a name (1 of 1 row). If they are work addresses, give it a name in the file.',
    );
    const four = addressesSeen(['A', 'B', 'C', 'D'].map((name, at) => survey(name, 9 - at)));
    assert.match(adviseAddresses([], four, byFlags), /"C" \(7 of 10 rows\)\. Use/);
    assert.equal(
      adviseAddresses([], addressesSeen([survey('A', 0)], 'own.example'), byFlags),
      'no column contains addresses (10 rows checked). If yours are made of names: --map email="{First}.{Last}@own.example". ' +
        'People of one name then share an address: with an employee id they are rejected, without one they count as one person.',
    );
    assert.match(
      adviseAddresses([], addressesSeen([]), byFlags),
      /\(0 rows checked\).*@example\.com", with your domain\. People/,
    );
  });

  test('a template is made of user names, else of first and last names; the domain is the one of most sources', () => {
    assert.equal(addressTemplate(listColumns(['Username', 'First Name']), 'x.example'), '{Username}@x.example');
    assert.equal(addressTemplate(listColumns(['First Name', 'Last Name'])), '{First Name}.{Last Name}@example.com');
    assert.equal(addressTemplate([]), '{First}.{Last}@example.com');
    const one = { allow: { emails: { domains: ['a.example', 'b.example'] } } };
    const other = { members: { email: { template: '{X}@b.example' } } };
    assert.deepEqual(
      [commonDomain([one, other]), commonDomain([other]), commonDomain([{}])],
      [...['b.example', 'b.example', undefined]],
    );
    assert.equal(commonDomain([{ members: { email: { template: 'x@{Y}' } } }]), undefined);
  });
});

suite('a row that makes nobody', () => {
  const header = ['First Name', 'Last Name', 'Email', 'A', 'B', 'C', 'D'];
  const reasonOf = (cells: string[], options: Partial<MappingOptions>): string => {
    const mapping = resolveColumns(header, { groups: [], groupColumns: [], ...options });
    const result = mapRow({ file: 'f.csv', line: 2, cells }, mapping);
    return 'reason' in result ? result.reason : '';
  };
  const ann = ['Ann', 'Ek', 'ann@example.com'];

  test('names three empty columns of groups, and how many more there are', () => {
    const groupColumns = (count: number): string[] => ['A', 'B', 'C', 'D'].slice(0, count);
    assert.match(reasonOf([...ann, '', '', '', ''], { groupColumns: groupColumns(1) }), /\bA is empty/);
    assert.match(reasonOf([...ann, '', '', '', ''], { groupColumns: groupColumns(2) }), /\bA and B are empty/);
    assert.match(reasonOf([...ann, '', '', '', ''], { groupColumns: groupColumns(3) }), /\bA, B and C are empty/);
    assert.match(
      reasonOf([...ann, '', '', '', ''], { groupColumns: groupColumns(4) }),
      /\bA, B, C and 1 more are empty/,
    );
  });

  test('has too many groups only beyond as many as are allowed', () => {
    const rules = { allow: { groups: { perPerson: 2 } } };
    assert.equal(reasonOf([...ann, 'x', 'y', '', ''], { groupColumns: ['A', 'B', 'C'], rules }), '');
    assert.match(
      reasonOf([...ann, 'x', 'y', 'z', ''], { groupColumns: ['A', 'B', 'C'], rules }),
      /3 groups|more than 2/,
    );
  });

  test('a mapping without what it needs throws one error with all of it', () => {
    assert.throws(() => resolveColumns(['X'], { groups: [], groupColumns: [] }), InputError);
    assert.throws(() => resolveColumns(header, { groups: [], groupColumns: ['Nope'] }), /there is no column "Nope"/);
    const survey = new ColumnSurvey(1, 'X');
    survey.add('ann@example.com');
    assert.throws(
      () => resolveColumns(['First Name', 'X'], { groups: ['All'], groupColumns: [], seen: addressesSeen([survey]) }),
      {
        message: /no column gives the last name[^]*no column is called e-mail/,
      },
    );
  });

  test('a table of nobody is told by its first eight columns', () => {
    const columns = (count: number) => listColumns(Array.from({ length: count }, (_, at) => `c${at}`));
    assert.match(notPeople(columns(8), {}), /"c6", "c7"\. If/);
    assert.match(notPeople(columns(10), { file: 'a.csv' }), /^a\.csv: .*"c7" and 2 more\. If/);
  });

  test('three columns of private addresses are named', () => {
    const columns = listColumns(['Private Email', 'Personal Email', 'Home Email', 'Personal E-Mail', 'First Name']);
    const hints = hintsFor(columns, {}, byFlags).filter((hint) => hint.includes('is not used automatically'));
    assert.equal(hints.length, 3);
    assert.equal(hintsFor(columns.slice(0, 2), {}, byFlags).filter((hint) => hint.includes('not used')).length, 2);
  });

  test('a template has the columns that are there', () => {
    const finder = new ColumnFinder(listColumns(['A']));
    const { columns, read } = compileTemplate('{A}-{B}', finder, 'x names', (cell) => cell === 'none');
    assert.deepEqual([columns.map(({ name }) => name), finder.problems.length], [['A'], 1]);
    const whole = compileTemplate('{A}-x', finder, 'x names', (cell) => cell === 'none');
    assert.deepEqual(
      [whole.read(['1']), whole.read(['none']), whole.read([]), read(['1'])],
      [...['1-x', undefined, undefined, undefined]],
    );
  });

  test('five names are listed of those that are left out', () => {
    const said = (count: number): string | undefined => {
      const mapping = resolveColumns(header, {
        ...{ groups: ['All'], groupColumns: ['A'] },
        rules: { allow: { groups: { only: ['All'] } } },
      });
      for (let at = 0; at < count; at += 1)
        mapRow({ file: 'f.csv', line: 2, cells: [...ann, `g${at}`, '', '', ''] }, mapping);
      return mapping.remarks.list()[0];
    };
    assert.match(said(5) ?? '', /"g4" \(1 row\)$/);
    assert.match(said(6) ?? '', /"g4" \(1 row\) and 1 more$/);
  });
});
