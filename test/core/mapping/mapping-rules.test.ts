import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { InputError } from '../../../src/core/errors.ts';
import { mapRow, personOfRow } from '../../../src/core/mapping/map-row.ts';
import { resolveColumns } from '../../../src/core/mapping/mapping.ts';
import { effectiveRules, type MappingOptions } from '../../../src/core/mapping/mapping-options.ts';
import {
  columnsAsked,
  dependsOnDay,
  joinDependsOnDay,
  parseTemplate,
  type GroupRule,
  type MappingRules,
} from '../../../src/core/mapping/mapping-rules.ts';
import type { Row } from '../../../src/core/rows/row.ts';

const header =
  'Id,First,Prefix,Last,Email,Phone,Dept,Teams,Country,Status,Off,End,Title,Begin,Rehire Date,cohort1,cohort2'.split(
    ',',
  );
const ann: Record<string, string> = { Id: '1', First: 'Ann', Last: 'Ek', Email: 'ann@example.com', Dept: 'Sales' };
const members = { firstname: 'First', lastname: 'Last', employeeId: 'Id' };
const today = new Date('2026-11-20T12:00:00Z');

async function mappingOf(rules: MappingRules, options: Partial<MappingOptions> = {}) {
  const all: MappingRules = { groups: [{ column: 'Dept' }], ...rules, members: { ...members, ...rules.members } };
  return resolveColumns(header, { groups: [], groupColumns: [], rules: all, today, ...options });
}

const rowOf = (cells: Record<string, string>): Row => {
  return { file: 'a.csv', line: 2, cells: header.map((name) => cells[name] ?? '') };
};

async function map(rules: MappingRules, cells: Record<string, string> = {}, options: Partial<MappingOptions> = {}) {
  return mapRow(rowOf({ ...ann, ...cells }), await mappingOf(rules, options));
}

async function memberOf(
  rules: MappingRules,
  cells: Record<string, string> = {},
  options: Partial<MappingOptions> = {},
) {
  const result = await map(rules, cells, options);
  return 'member' in result ? result.member : assert.fail(JSON.stringify(result));
}

async function groupsOf(groups: GroupRule[], cells: Record<string, string> = {}, rules: MappingRules = {}) {
  return (await memberOf({ ...rules, groups }, cells)).groups;
}

async function reasonOf(rules: MappingRules, cells: Record<string, string> = {}): Promise<string> {
  const result = await map(rules, cells);
  return 'reason' in result ? `${result.column}: ${result.reason}` : assert.fail(JSON.stringify(result));
}

async function filteredBy(rules: MappingRules, cells: Record<string, string> = {}): Promise<string | undefined> {
  const result = await map(rules, cells);
  return 'filtered' in result ? result.filtered : 'member' in result ? undefined : assert.fail(JSON.stringify(result));
}

async function refusal(rules: MappingRules): Promise<string> {
  return mappingOf(rules).then(
    () => assert.fail('the rules were accepted'),
    (error: unknown) => (error instanceof InputError ? error.message : assert.fail(String(error))),
  );
}

suite('first days and people who left, by rules', () => {
  const start = { members: { startDate: { column: 'End', order: 'dmy' } } } as const;

  test('a first day that is still to come is kept, one that has come is not', async () => {
    const startsOn = async (day: string): Promise<number | undefined> => {
      const result = await map(start, { End: day });
      return 'member' in result ? result.startsOn : assert.fail(JSON.stringify(result));
    };
    assert.equal(await startsOn('21/11/2026'), 20_261_121);
    for (const day of ['20/11/2026', '01/02/2020', '', '9999-12-31']) assert.equal(await startsOn(day), undefined, day);
  });

  test('a first day that can be two days, or is none, rejects the row and says what to set', async () => {
    const rules = { members: { startDate: 'End' } };
    assert.equal(
      await reasonOf(rules, { End: '03/04/2026' }),
      'End: start date: "03/04/2026" can be two days: say order: dmy or order: mdy',
    );
    assert.match(await reasonOf(rules, { End: 'soon' }), /^End: start date: "soon" is not a day/);
  });

  test('which day it is, is that of the time zone', async () => {
    const late = { today: new Date('2026-11-20T23:30:00Z'), timezone: 'Europe/Copenhagen' };
    const result = await map(start, { End: '21/11/2026' }, late);
    assert.equal('member' in result && result.startsOn, undefined);
  });

  test('which day an instant is, is that of the time zone too', async () => {
    const late = { today: new Date('2026-11-26T23:30:00Z'), timezone: 'Europe/Copenhagen' };
    const left = { ...start, leavers: [{ column: 'End', past: true }] };
    const today = await map(left, { End: '2026-11-26T23:00:00.000Z' }, late);
    assert.ok('member' in today, 'the 27th is the last day');
    const tomorrow = await map(start, { End: '2026-11-27T23:00:00.000Z' }, late);
    assert.equal('member' in tomorrow && tomorrow.startsOn, 20261128);
  });

  test('a row that says that somebody left makes nobody, even where it lacks what a member needs', async () => {
    const rules = {
      leavers: [
        { column: 'Status', in: ['Terminated'] },
        { column: 'End', past: true },
      ],
      only: [{ column: 'Status', in: ['Active'] }],
    };
    const left = await map(rules, { Status: 'terminated', First: '', Dept: '', Email: ' ANN@example.com ' });
    assert.deepEqual('leaver' in left && [left.filtered, left.leaver], [
      'left: Status is Terminated',
      { key: 'ann@example.com', employeeId: '1' },
    ]);
    const gone = await map(rules, { Status: 'Active', End: '2026-11-19', Email: '' });
    assert.deepEqual('leaver' in gone && gone.leaver, { employeeId: '1' });
    const overwritten = await map(rules, { Status: 'Terminated', Email: 'n/a' });
    assert.deepEqual('leaver' in overwritten && overwritten.leaver, { employeeId: '1' });
    assert.ok('member' in (await map(rules, { Status: 'Active', End: '2026-11-21' })));
    assert.match(await reasonOf(rules, { Status: 'Active', End: 'soon' }), /^End: "soon" is not a day/);
  });

  test('rules about who left depend on the day, and their columns are asked for', () => {
    const rules = { leavers: [{ column: 'End', past: true }], members: { startDate: 'Begin' } };
    assert.equal(dependsOnDay(rules), true);
    assert.deepEqual(columnsAsked(rules).toSorted(), ['Begin', 'End']);
  });
});

test('a join depends on the day where a step of it asks which rows hold', () => {
  const joinOf = (current?: object) => ({
    people: [{ columns: { team: [{ steps: [{}, { ...(current && { current }) }] }] } }],
  });
  assert.equal(joinDependsOnDay(joinOf({ end: 'End' })), true);
  assert.equal(joinDependsOnDay(joinOf()), false);
  assert.equal(joinDependsOnDay(undefined), false);
});

suite('fields by rules', () => {
  test('a template joins columns, and an empty one leaves no double space', async () => {
    const lastname = { template: '{Prefix} {Last}' };
    assert.equal((await memberOf({ members: { lastname } }, { Prefix: 'van der' })).lastname, 'van der Ek');
    assert.equal((await memberOf({ members: { lastname } })).lastname, 'Ek');
  });

  test('an address made by a template lacks nothing, or is empty', async () => {
    const email = { template: '{Title}@school.example' };
    assert.equal((await memberOf({ members: { email } }, { Title: 'OKlein' })).email, 'OKlein@school.example');
    assert.equal(await reasonOf({ members: { email } }), 'Title: e-mail is empty');
  });

  test('of several columns the first that is not empty counts', async () => {
    const firstname = { columns: ['Title', 'First'] };
    assert.equal((await memberOf({ members: { firstname } }, { Title: 'Annie' })).firstname, 'Annie');
    assert.equal((await memberOf({ members: { firstname } })).firstname, 'Ann');
  });

  test('a whole name is split when told how it is written; one that is not so is rejected', async () => {
    const rules: MappingRules = { members: { fullname: { column: 'Title', form: 'Last, First M' } } };
    const bare = { ...rules, members: { ...rules.members, employeeId: 'Id' } };
    const mapping = resolveColumns(header, { groups: ['All'], groupColumns: [], rules: bare });
    const split = mapRow(rowOf({ ...ann, Title: 'Berg, Åse M.' }), mapping);
    assert.deepEqual('member' in split && [split.member.firstname, split.member.lastname], ['Åse', 'Berg']);
    const whole = mapRow(rowOf({ ...ann, Title: 'Åse Berg' }), mapping);
    assert.equal('reason' in whole && whole.column, 'Title');
  });

  test('telephones become E.164 only when a country is given; what is no number is left out and counted', async () => {
    const telephone = { column: 'Phone', country: 'DK' };
    assert.equal((await memberOf({}, { Phone: '20 12 34 56' })).telephone, '20 12 34 56');
    for (const [written, sent] of [
      ['20 12 34 56', '+4520123456'],
      ['0046 (0)70-174 06 05', '+46701740605'],
      ['+1 660-872-0844 x8093', '+16608720844'],
      ['[REDACTED]', undefined],
      ['+11234567890', undefined],
    ] as const) {
      assert.equal((await memberOf({ members: { telephone } }, { Phone: written })).telephone, sent, written);
    }
    const mapping = await mappingOf({ members: { telephone } });
    mapRow(rowOf({ ...ann, Phone: '12 34' }), mapping);
    assert.match(
      mapping.remarks.list().join(),
      /^1 telephone is left out: not a valid number, more than one, or with words beside it; the first: line 2$/,
    );
  });

  test('columns that rules name and the file lacks are refused, all at once', async () => {
    const message = await refusal({
      members: { lastname: 'Surname', telephone: { template: '{Fax}' } },
      groups: [{ column: 'Team*s' }, { column: 'Club*' }],
      only: [{ column: 'State', is: true }],
    });
    for (const name of ['Surname', 'Fax', 'Club*', 'State']) assert.ok(message.includes(`"${name}"`), name);
  });

  test('a row cut short before a column that is needed is rejected', async () => {
    const mapping = await mappingOf({});
    const result = mapRow({ ...rowOf(ann), missing: new Set([6]) }, mapping);
    assert.match('reason' in result ? result.reason : '', /the row ends before Dept: is it complete/);
    assert.ok('member' in mapRow({ ...rowOf(ann), missing: new Set([7]) }, mapping));
  });
});

suite('groups by rules', () => {
  test('a column is one group unless a separator is given', async () => {
    assert.deepEqual(await groupsOf([{ column: 'Teams' }], { Teams: 'A;B' }), ['A;B']);
    assert.deepEqual(await groupsOf([{ column: 'Teams', split: '#' }], { Teams: ' A# B#' }), ['A', 'B']);
    assert.deepEqual(await groupsOf([{ column: 'Teams', split: [';', ', '] }], { Teams: 'A;B, C' }), ['A', 'B', 'C']);
    assert.deepEqual(await groupsOf([{ column: 'Teams', split: ' and ' }], { Teams: 'A and B' }), ['A', 'B']);
  });

  test('numbered columns are named together', async () => {
    assert.deepEqual(await groupsOf([{ column: 'COHORT*' }], { cohort1: 'A', cohort2: 'B' }), ['A', 'B']);
  });

  test('paths give their leaf, themselves, or every level', async () => {
    const path = (take: 'leaf' | 'full' | 'every', separator = '/') => [{ column: 'Teams', path: { separator, take } }];
    const cells = { Teams: '/Hogwarts/Students/' };
    assert.deepEqual(await groupsOf(path('leaf'), cells), ['Students']);
    assert.deepEqual(await groupsOf(path('full'), cells), ['Hogwarts/Students']);
    assert.deepEqual(await groupsOf(path('every'), cells), ['Hogwarts', 'Hogwarts/Students']);
    assert.deepEqual(await groupsOf(path('every', ' > '), { Teams: 'A >B' }), ['A', 'A > B']);
    assert.match(await reasonOf({ groups: path('leaf') }, { Teams: '/' }), /no group/);
  });

  test('the reject of somebody without a group names the empty columns and no other', async () => {
    const groups = [{ column: 'Dept' }, { template: '{Dept} – {Title}' }];
    assert.match(await reasonOf({ groups }, { Dept: '', Title: 'Chef' }), /no group: Dept is empty$/);
    const when = { column: 'Title', equals: 'Manager' };
    const rule = { groups: [{ column: 'Dept', when }] };
    assert.match(await reasonOf(rule, { Dept: 'Sales', Title: 'Chef' }), /no group: no rule gives one$/);
  });

  test('a template with an empty part gives no group', async () => {
    const groups = [{ template: '{Country} – {Dept}' }, { always: 'All' }];
    assert.deepEqual(await groupsOf(groups, { Country: 'DK' }), ['DK – Sales', 'All']);
    assert.deepEqual(await groupsOf(groups), ['All']);
    assert.deepEqual(await groupsOf([{ template: '{{{Dept}}}' }]), ['{Sales}']);
  });

  test('a condition adds groups; each kind of it works', async () => {
    const when = (test: object) => [{ always: 'All' }, { when: { column: 'Title', ...test }, add: ['M', 'N'] }];
    const yes = [
      { equals: 'site MANAGER' },
      { in: ['x', 'Site manager'] },
      { startsWith: 'site' },
      { contains: 'MAN' },
    ];
    for (const test of [...yes, { matches: '^Site .*r$' }, { empty: false }]) {
      assert.deepEqual(await groupsOf(when(test), { Title: 'Site Manager' }), ['All', 'M', 'N'], JSON.stringify(test));
      assert.deepEqual(await groupsOf(when(test), { Title: '' }), ['All'], JSON.stringify(test));
    }
    const both = [
      { always: 'All' },
      {
        when: [
          { column: 'Title', equals: 'x' },
          { column: 'Dept', equals: 'y' },
        ],
        add: 'M',
      },
    ];
    assert.deepEqual(await groupsOf(both, { Title: 'x' }), ['All']);
    assert.deepEqual(await groupsOf(both, { Title: 'x', Dept: 'Y' }), ['All', 'M']);
  });

  test('a pattern that would take a backtracking engine for ever is answered at once', async () => {
    const groups = [{ always: 'All' }, { when: { column: 'Title', matches: '^(a+)+$' }, add: 'M' }];
    const begun = performance.now();
    assert.deepEqual(await groupsOf(groups, { Title: `${'a'.repeat(5000)}!` }), ['All']);
    assert.ok(performance.now() - begun < 5000);
  });

  test('what is no pattern is refused', async () => {
    const groups = [{ when: { column: 'Title', matches: '(a' }, add: 'M' }];
    assert.match(await refusal({ groups }), /the pattern "\(a" cannot be used: .*missing closing/);
  });

  test('groups are renamed, whatever their case', async () => {
    assert.deepEqual(await groupsOf([{ column: 'Dept' }], { Dept: 'PROD.' }, { rename: { 'Prod.': 'Production' } }), [
      'Production',
    ]);
  });

  test('groups are renamed by pattern: the first that matches the whole name counts, after the names in rename', async () => {
    const renamePatterns = [
      { matches: '(.+)-ACL', to: 'ACL $1' },
      { matches: '(?i)(team) (\\w+)(?: old)?', to: '$2 $$1 [$0]' },
    ];
    const groups = [{ column: 'Teams', split: ';' }];
    const given = async (Teams: string, rules: Partial<MappingRules> = {}) =>
      (await memberOf({ groups, renamePatterns, ...rules }, { Teams })).groups;
    assert.deepEqual(await given('Sales-ACL;TEAM red;x Team red;Sales-acl'), [
      'ACL Sales',
      'red $1 [TEAM red]',
      'x Team red',
      'Sales-acl',
    ]);
    assert.deepEqual(await given('Sales-ACL', { rename: { 'sales-acl': 'Selling' } }), ['Selling']);
    assert.deepEqual(await given('Ops;Sales-ACL', { allow: { groups: { except: ['ACL *'] } } }), ['Ops']);
    assert.deepEqual(await given('Ops', { renamePatterns: [{ matches: '(x?)Ops', to: '$1' }] }), ['Ops']);
  });

  test('a pattern that is none, or a capture that is not there, is refused', async () => {
    const refused = (matches: string, to: string) => refusal({ renamePatterns: [{ matches, to }] });
    assert.match(await refused('(a', 'b'), /the pattern "\(a" cannot be used: .*missing closing/);
    assert.match(await refused('(a)', '$2'), /"\$2" asks for \$2, and the pattern "\(a\)" has 1 pair of parentheses/);
    assert.match(await refused('a', '$1'), /has no parentheses/);
  });

  test('a pattern takes linear time', async () => {
    const rules = { renamePatterns: [{ matches: '(a+)+b', to: '$1' }] };
    assert.deepEqual((await memberOf(rules, { Dept: 'a'.repeat(200) })).groups, ['a'.repeat(200)]);
  });

  test('rows of people who left can be told by a pattern', async () => {
    assert.ok('filtered' in (await map({ leavers: [{ column: 'Title', matches: '^ex-' }] }, { Title: 'ex-chief' })));
  });

  test('no cell puts anybody into a group that is not allowed, however it is written', async () => {
    const groups = [{ column: 'Teams', split: ';' }];
    const except = { allow: { groups: { except: ['Executives', 'Admin*'] } } };
    const cells = { Teams: 'executives;EXECUTIVES ;Ｅxecutives;Exec\u200butives;Admins;Sales' };
    assert.deepEqual(await groupsOf(groups, cells, except), ['Sales']);
    assert.deepEqual(await groupsOf(groups, { Teams: 'Sales;Ops' }, { allow: { groups: { only: ['ops'] } } }), ['Ops']);
    assert.match(
      await reasonOf({ groups, ...except }, { Teams: 'Admins' }),
      /Teams: no group: allow\.groups leaves out "Admins"/,
    );
    const mapping = await mappingOf({ groups, ...except });
    mapRow(rowOf({ ...ann, Teams: 'Admins;Sales' }), mapping);
    assert.deepEqual(mapping.remarks.list(), ['allow.groups leaves out "Admins" (1 row)']);
  });

  test('a renamed group is judged by its new name', async () => {
    const rules: MappingRules = { rename: { x: 'Executives' }, allow: { groups: { except: ['Executives'] } } };
    assert.match(await reasonOf(rules, { Dept: 'x' }), /no group/);
  });

  test('settings that give a group which they do not allow are refused', async () => {
    const rules: MappingRules = { groups: [{ always: 'All' }], allow: { groups: { only: ['Sales'] } } };
    assert.match(await refusal(rules), /the group "All" is given by the settings themselves/);
  });

  test('spellings that differ in case are one group: the rules’, else the one given before, else the first', async () => {
    const groups: GroupRule[] = [
      { column: 'Teams', split: ';' },
      { when: { column: 'Dept', empty: true }, add: 'OPS' },
    ];
    const mapping = await mappingOf({ groups }, { knownGroups: ['Sales', 'sales'] });
    const of = (Teams: string) => {
      const result = mapRow(rowOf({ ...ann, Teams }), mapping);
      return 'member' in result ? result.member.groups : assert.fail();
    };
    assert.deepEqual(of('ops;SALES;hr'), ['OPS', 'Sales', 'hr']);
    assert.deepEqual(of('HR;Hr;sales'), ['hr', 'Sales']);
    assert.match(mapping.remarks.list()[0] ?? '', /^groups that differ only in case are one: .*"HR", "Hr" as "hr"/);
  });

  test('more groups than one person may have reject the row, and too many different ones the roster', async () => {
    const groups = [{ column: 'Teams', split: ';' }];
    assert.match(
      await reasonOf({ groups, allow: { groups: { perPerson: 2 } } }, { Teams: 'a;b;c' }),
      /more than 2 groups/,
    );
    await assert.rejects(
      map({ groups, allow: { groups: { total: 2 } } }, { Teams: 'a;b;c' }),
      /more than 2 different groups/,
    );
  });
});

suite('who counts', () => {
  test('only and except filter, without regard to case; leave is not termination unless said', async () => {
    const only = [{ column: 'Status', in: ['Active', 'On leave'] }];
    assert.equal(await filteredBy({ only }, { Status: 'ACTIVE' }), undefined);
    assert.equal(await filteredBy({ only }, { Status: 'on leave ' }), undefined);
    assert.equal(await filteredBy({ only }, { Status: 'Terminated' }), 'Status is not Active or On leave');
    for (const [rule, words] of [
      [{ is: false }, 'Status is yes'],
      [{ empty: true }, 'Status is not empty'],
      [{ empty: false, startsWith: 'On' }, 'Status does not start with On or is empty'],
    ] as const) {
      const cell = words.includes('or is empty') ? 'x' : 'yes';
      assert.equal(await filteredBy({ only: [{ column: 'Status', ...rule }] }, { Status: cell }), words);
    }
    for (const [rule, Status, words] of [
      [{ startsWith: 'term' }, 'Terminated', 'Status starts with term'],
      [{ empty: true }, '', 'Status is empty'],
      [{ empty: false }, 'x', 'Status is not empty'],
    ] as const)
      assert.equal(await filteredBy({ except: [{ column: 'Status', ...rule }] }, { Status }), words);
  });

  test('a filtered row is not also a reject', async () => {
    assert.ok(await filteredBy({ only: [{ column: 'Status', equals: 'Active' }] }, { Email: '', Status: 'Left' }));
  });

  test('flags are read in many words, inverted ones too; what is neither is rejected', async () => {
    const only = [{ column: 'Off', is: false }];
    for (const word of ['', 'false', 'No', '0', 'nein'])
      assert.equal(await filteredBy({ only }, { Off: word }), undefined, word);
    for (const word of ['TRUE', 'Yes', '1', 'x', 'ja']) assert.ok(await filteredBy({ only }, { Off: word }), word);
    assert.equal(await reasonOf({ only }, { Off: 'perhaps' }), 'Off: "perhaps" is neither yes nor no');
  });

  test('an end in the past ends; sentinels, words for no end, and later days do not', async () => {
    const except = [{ column: 'End', past: true }];
    const none = [
      'NULL',
      '(null)',
      'N/A',
      'None',
      'No',
      String.raw`\N`,
      '-',
      'permanent',
      'Unlimited',
      'Tillsvidare',
      '無期限',
    ];
    for (const day of ['', '0000-00-00', '9999-12-31', '2026-11-20', '2027-01-01', ...none]) {
      assert.equal(await filteredBy({ except }, { End: day }), undefined, day);
    }
    assert.ok(await filteredBy({ except }, { End: '2026-11-19' }));
    assert.match(await reasonOf({ except }, { End: '03/04/2026' }), /can be two days/);
    assert.match(await reasonOf({ except }, { End: 'soon' }), /"soon" is not a day/);
  });

  test('what a spreadsheet shows where it has no value decides nothing: the row is rejected', async () => {
    const rules = { except: [{ column: 'End', past: true }] };
    for (const cell of ['########', '#REF!', '#VALUE!', '#NAME?', 'Err:502', 'Loading...', 'Wird geladen…']) {
      assert.match(await reasonOf(rules, { End: cell }), /is what a spreadsheet shows where it has no value/, cell);
      const groups = [{ column: 'Dept' }, { column: 'Teams' }];
      assert.match(await reasonOf({ groups }, { Teams: cell }), /group ".*repair the cell/, cell);
      assert.match(await reasonOf({}, { First: cell }), /First|first/, cell);
      const email = { columns: ['Teams', 'Email'] };
      assert.match(
        await reasonOf({ members: { email } }, { Teams: cell }),
        /Teams/,
        'no other address takes its place',
      );
      const lastname = { template: 'van {Last}' };
      assert.notEqual(await reasonOf({ members: { lastname } }, { Last: cell }), '', cell);
      assert.match(
        await reasonOf({ groups: [{ template: '{Dept} {Teams}' }] }, { Teams: cell }),
        /repair the cell/,
        cell,
      );
    }
    for (const cell of ['System.Object[]', '{{department}}', '=VLOOKUP(B7;A:B;2;0)'])
      assert.match(await reasonOf({ groups: [{ template: '{Dept} {Teams}' }] }, { Teams: cell }), /^Teams: /, cell);
    for (const none of ['#N/A', '#NV']) assert.equal(await filteredBy(rules, { End: none }), undefined, none);
  });

  test('days that are written in the other order than is set are noticed', async () => {
    const rules: MappingRules = {
      except: [{ column: 'End', past: true, order: 'dmy' }],
      members: { startDate: { column: 'Begin', order: 'dmy' } },
    };
    for (const [column, days, isWrong] of [
      ['End', ['12/25/2026', '12/26/2026', '12/27/2026', '12/01/2026'], true],
      ['End', ['12/25/2026', '12/26/2026'], false],
      ['End', ['25/12/2026', '12/25/2026', '12/01/2026'], false],
      ['End', ['01/02/2026', ''], false],
      ['Begin', ['12/25/2026', '12/26/2026', '12/27/2026', '12/01/2026'], true],
    ] as const) {
      const mapping = await mappingOf(rules);
      for (const day of days) mapRow(rowOf({ ...ann, [column]: day }), mapping);
      assert.equal(mapping.days.problem()?.startsWith(`the column ${column} has `), isWrong || undefined, days.join());
    }
  });

  test('an employee id that a spreadsheet has shortened or hidden is none, which is reported', async () => {
    const mapping = await mappingOf({});
    for (const Id of ['4.67012E+11', '########']) {
      const mapped = mapRow(rowOf({ ...ann, Id }), mapping);
      assert.ok('member' in mapped && mapped.employeeId === undefined, Id);
    }
    assert.match(mapping.remarks.list().join(), /2 employee ids are not read: .* the first: line 2, "4\.67012E\+11"/);
  });

  test('a cell whose value the file does not have decides nothing', async () => {
    const only = [{ column: 'Status', in: ['Active'] }];
    const mapped = mapRow(rowOf({ ...ann, Status: '#FORMULA!' }), await mappingOf({ only }));
    assert.match(
      'reason' in mapped ? `${mapped.column}: ${mapped.reason}` : '',
      /^Status: the cell holds a formula whose value/,
    );
    assert.ok('member' in mapRow(rowOf({ ...ann, Phone: '#FORMULA!' }), await mappingOf({})));
  });

  test('a cell that is too long for a pattern is rejected, and no name of a group has more than 500 characters', async () => {
    const only = [{ column: 'Title', matches: 'a{999}$' }];
    assert.ok('member' in (await map({ only }, { Title: 'a'.repeat(1998) })));
    assert.match(await reasonOf({ only }, { Title: 'a'.repeat(1999) }), /too long to be compared with a pattern/);
    assert.ok('member' in (await map({ only: [{ column: 'Title', matches: 'a$' }] }, { Title: 'a'.repeat(32_000) })));
    assert.deepEqual((await memberOf({}, { Dept: 'x'.repeat(500) })).groups, ['x'.repeat(500)]);
    assert.match(await reasonOf({}, { Dept: 'x'.repeat(501) }), /more than 500 characters/);
  });

  test('the last day of an earlier employment ends nothing', async () => {
    const except = [{ column: 'End', past: true }];
    const rules = { except, leavers: except };
    const startDate = { members: { startDate: 'Begin' }, ...rules };
    const only = { only: [{ column: 'Begin', past: true }] };
    const begun = await map(only, { Begin: '2019-01-01', 'Rehire Date': '2024-05-01' });
    assert.ok('member' in begun, 'a first day is none that ends');
    for (const [begin, isThere] of [
      ['2026-03-01', true],
      ['2024-05-31', false],
      ['2024-06-01', false],
      ['2024-06-02', true],
      ['2026-11-21', false],
      ['2019-01-01', false],
      ['', false],
      ['soon', false],
    ] as const) {
      const rehired = await map(rules, { 'Rehire Date': begin, End: '2024-05-31' });
      assert.equal('member' in rehired, isThere, begin);
      assert.equal('member' in (await map(startDate, { Begin: begin, End: '2024-05-31' })), isThere, begin);
    }
  });

  test('what the source itself leaves out is filtered', async () => {
    const result = mapRow({ ...rowOf(ann), leftOut: 'status is tobedeleted' }, await mappingOf({}));
    assert.equal('filtered' in result && result.filtered, 'status is tobedeleted');
  });

  test('an address of another domain is rejected; those below a domain only with *.', async () => {
    const allow = { emails: { domains: ['Example.com', '*.example.org'] } };
    assert.equal((await memberOf({ allow }, { Email: 'a@EXAMPLE.com' })).email, 'a@EXAMPLE.com');
    assert.ok(await memberOf({ allow }, { Email: 'a@x.example.org' }));
    for (const email of ['a@example.org', 'a@notexample.com', 'a@gmail.com']) {
      assert.match(await reasonOf({ allow }, { Email: email }), /not of a domain in allow\.emails\.domains/, email);
    }
  });

  test('people who opted out are left out, by address in any case or by id', async () => {
    const optedOut = (except: string[]) => filteredBy({ allow: { people: { except } } });
    assert.match((await optedOut(['ANN@example.com'])) ?? '', /opted out/);
    assert.match((await optedOut(['1'])) ?? '', /opted out/);
    const withId = (except: string, Id: string) => filteredBy({ allow: { people: { except: [except] } } }, { Id });
    assert.match((await withId('e-7', 'E-7')) ?? '', /opted out/);
    assert.match((await withId('E-7', 'e-7')) ?? '', /opted out/);
    assert.equal(await optedOut(['2', 'bo@example.com']), undefined);
  });

  test('the address of somebody who opted out by id counts in rows without one, not in those of a successor', async () => {
    const mapping = await mappingOf({ allow: { people: { except: ['e-7'] } } });
    mapping.optedOut.know('ann@example.com', 'e-7');
    assert.ok('filtered' in mapRow(rowOf({ ...ann, Id: '' }), mapping));
    assert.ok('member' in mapRow(rowOf({ ...ann, Id: 'e-8' }), mapping));
  });

  test('an id that nobody has is told from one that somebody has, in any case', async () => {
    const { optedOut, ...mapping } = await mappingOf({
      allow: { people: { except: ['e-7', '1042', 'x@example.com'] } },
    });
    mapRow(rowOf({ ...ann, Id: 'E-7' }), { optedOut, ...mapping });
    assert.deepEqual(optedOut.unfound(), ['1042']);
    assert.ok('filtered' in mapRow(rowOf({ ...ann, Id: '' }), { optedOut, ...mapping }), 'her address is known by now');
    const left = await mappingOf({
      allow: { people: { except: ['e-7'] } },
      except: [{ column: 'Email', in: ['ann@example.com'] }],
    });
    mapRow(rowOf({ ...ann, Id: 'e-7' }), left);
    assert.deepEqual(left.optedOut.unfound(), [], 'also on a row that is left out for another reason');
  });
});

suite('rules that flags, config and signs make together', () => {
  const options = { groups: [], groupColumns: [] };
  test('a first day and people to leave out are added; a start date of the rules stays', () => {
    const presence = { except: [{ column: 'Status', in: ['left'] }], startDate: 'Begin' };
    const rules: MappingRules = { members: { email: 'Mail', startDate: 'Own' }, except: [{ column: 'Off', is: true }] };
    assert.deepEqual(effectiveRules({ ...options, rules, presence }), {
      members: rules.members,
      except: [...(rules.except ?? []), ...presence.except],
    });
    assert.deepEqual(effectiveRules({ ...options, rules: { members: { email: 'Mail' } }, presence }), {
      members: { email: 'Mail', startDate: 'Begin' },
      except: presence.except,
    });
    assert.deepEqual(effectiveRules({ ...options, presence: { except: [] } }), { members: {} });
  });

  test('conditions of the preset stay, but for columns that a condition of the same list names', () => {
    const suspended = { column: 'Status', in: ['Suspended'] };
    const guests = { column: 'fields.User Type', in: ['Guest'] };
    const interns = { column: 'Department', equals: 'Interns' };
    const gone = { column: 'End Date', past: true };
    const defaults: MappingRules = { only: [interns], except: [suspended, guests], leavers: [gone] };
    const of = (rules: MappingRules): MappingRules => effectiveRules({ ...options, rules, defaults });
    assert.deepEqual(of({ except: [interns] }), {
      only: [interns],
      except: [interns, suspended, guests],
      leavers: [gone],
      members: {},
    });
    const left = { column: 'status', in: ['left'] };
    assert.deepEqual(of({ except: [left] }).except, [left, guests], 'its case does not count');
    const internal = { column: 'User Type', equals: 'External' };
    assert.deepEqual(of({ except: [internal] }).except, [internal, suspended], 'a part of a path');
    assert.deepEqual(of({ only: [{ column: 'Status', equals: 'Active' }] }), {
      only: [{ column: 'Status', equals: 'Active' }, interns],
      except: [suspended, guests],
      leavers: [gone],
      members: {},
    });
    assert.deepEqual(of({ leavers: [left] }).leavers, [left, gone]);
    assert.deepEqual(of({ except: [] }).except, [], 'an empty list drops them');
  });

  test('flags come before the rules, and values that are allowed add to theirs', () => {
    const rules: MappingRules = { members: { email: 'Mail', lastname: 'Last' }, allow: { values: ['0'] } };
    const map = { email: 'Post', telephone: '', fullname: 'Whole' };
    assert.deepEqual(effectiveRules({ ...options, rules, map, groups: ['All'], allowValues: ['null'] }), {
      members: { email: 'Post', lastname: 'Last', telephone: false, fullname: { column: 'Whole' } },
      groups: [{ always: 'All' }],
      allow: { values: ['0', 'null'] },
    });
    assert.deepEqual(effectiveRules({ ...options, groupColumns: ['A', 'B'], splits: { B: [] }, groupMatrix: ['C'] }), {
      members: {},
      groups: [{ column: 'A', split: [';', '|', '\n'] }, { column: 'B' }, { matrix: ['C'] }],
    });
  });

  test('a path is a group of all its levels, and none of signs only; the column of a condition is needed', async () => {
    const whole: GroupRule = { column: 'Dept', path: { separator: '/', take: 'full' } };
    const given = async (Dept: string) => groupsOf([whole, { always: 'All' }], { Dept });
    assert.deepEqual([await given('/A/ B/'), await given('//')], [['A/B', 'All'], ['All']]);
    const { needed } = await mappingOf({ groups: [{ add: 'All', when: { column: 'Status', in: ['x'] } }] });
    assert.ok(needed.some(({ name }) => name === 'Status'));
  });

  test('whose row it is is known by its address and employee id, also where it is no member’s', async () => {
    const mapping = await mappingOf({ members: { employeeId: { template: '{Status}-{Dept}' } } });
    const row = rowOf({ Email: 'Ann@Example.com', Status: 'DK', Dept: '7' });
    assert.deepEqual(personOfRow(row, mapping), { key: 'ann@example.com', employeeId: 'DK-7' });
    assert.deepEqual(personOfRow(rowOf({ Email: 'nobody', Status: '', Dept: '' }), mapping), {});
    assert.deepEqual(personOfRow(row, { ...mapping, fields: {} }), {});
  });
});

suite('rules as data', () => {
  test('the columns that rules ask for are listed, those with * left out', () => {
    const rules: MappingRules = {
      members: {
        email: 'a.b',
        lastname: { template: '{c} {d}' },
        telephone: false,
        fullname: { column: 'e', form: 'First Last' },
      },
      groups: [{ column: 'f*' }, { template: '{g}' }, { add: 'x', when: { column: 'h', is: true } }],
      only: [{ column: 'i', is: true }],
    };
    assert.deepEqual(columnsAsked(rules), ['a.b', 'c', 'd', 'e', 'g', 'h', 'i']);
  });

  test('a template without braces is its text, and any text comes back with braces doubled', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const doubled = text.replaceAll('{', '{{').replaceAll('}', '}}');
        assert.deepEqual(parseTemplate(doubled), text === '' ? [] : [{ text }]);
      }),
    );
  });

  test('whatever stands in the cells, a row is a member, filtered or a reject, and groups keep the rules', async () => {
    const mapping = await mappingOf({
      groups: [
        { column: 'Teams', split: [';', '#'] },
        { template: '{Country} – {Dept}' },
        { column: 'Dept', path: { separator: '/', take: 'every' } },
      ],
      only: [{ column: 'Off', is: false }],
      except: [{ column: 'End', past: true }],
      allow: { groups: { except: ['Ex*'], perPerson: 5 } },
    });
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', 'a;b#C', 'x/y', 'yes', '2020-01-01', 'a@b.example', '__proto__'),
    );
    fc.assert(
      fc.property(fc.array(cell, { minLength: 15, maxLength: 15 }), (cells) => {
        const result = mapRow({ file: 'a.csv', line: 2, cells }, mapping);
        if (!('member' in result)) return assert.ok('filtered' in result || result.reason !== '');
        const { groups } = result.member;
        assert.ok(
          groups.length >= 1 &&
            groups.length <= 5 &&
            new Set(groups.map((group) => group.toLowerCase())).size === groups.length,
        );
        assert.ok(groups.every((group) => group === group.trim().normalize('NFC') && !/^ex/i.test(group)));
      }),
    );
  });
});
