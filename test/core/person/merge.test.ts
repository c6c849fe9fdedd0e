import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergeRows, type PersonRow } from '../../../src/core/person/member.ts';

function row(
  line: number,
  name: string,
  more: Partial<PersonRow> & { telephone?: string; groups?: string[] } = {},
): PersonRow {
  const [firstname = '', lastname = ''] = name.split(' ');
  const { telephone, groups = ['All'], ...rest } = more;
  const member = {
    firstname,
    lastname,
    email: 'shared@example.com',
    groups,
    ...(telephone === undefined ? {} : { telephone }),
  };
  return { file: 'staff.csv', line, member, ...rest };
}

test('rows with equal names become one person with the groups of all in order of first appearance', () => {
  const merged = mergeRows([
    row(2, 'Ana Silva', { groups: ['Sales', 'Lisbon'] }),
    row(9, 'Ana Silva', { groups: ['Lisbon', 'Support'] }),
  ]);
  assert.deepEqual(merged, {
    member: {
      firstname: 'Ana',
      lastname: 'Silva',
      email: 'shared@example.com',
      groups: ['Sales', 'Lisbon', 'Support'],
    },
    lines: [2, 9],
  });
});

test('rows that begin later than another give no groups yet', () => {
  const groupsOf = (...days: (number | undefined)[]) => {
    const rows = days.map((startsOn, at) =>
      row(at + 2, 'Ana Silva', { groups: [`Job ${at + 1}`], ...(startsOn !== undefined && { startsOn }) }),
    );
    const merged = mergeRows(rows);
    return 'member' in merged ? merged.member.groups : [];
  };
  assert.deepEqual(groupsOf(undefined, 20270101), ['Job 1']);
  assert.deepEqual(groupsOf(20270101, undefined), ['Job 2']);
  assert.deepEqual(groupsOf(20270101, 20270301, 20270101), ['Job 1', 'Job 3']);
});

test('names that differ in case and accents are one person, written as in the first row', () => {
  const merged = mergeRows([row(2, 'Zoë MÜLLER'), row(3, 'Zoe Mu\u0308ller')]);
  assert.ok(!Array.isArray(merged));
  assert.equal(merged.member.lastname, 'MÜLLER');
});

test('a vowel sign is not an accent: names that differ in it are two people', () => {
  assert.ok(Array.isArray(mergeRows([row(2, 'राम शर्मा'), row(3, 'रमा शर्मा')])));
});

test('an equal employee id makes one person of different names', () => {
  const merged = mergeRows([row(2, 'Ana Silva', { employeeId: '7' }), row(3, 'Ana Costa', { employeeId: '7' })]);
  assert.ok(!Array.isArray(merged));
  assert.equal(merged.member.lastname, 'Silva');
});

test('rows that a third row joins are one person', () => {
  const merged = mergeRows([
    row(2, 'Ana Silva', { employeeId: '7' }),
    row(3, 'Ana Costa'),
    row(4, 'Ana Costa', { employeeId: '7' }),
  ]);
  assert.ok(!Array.isArray(merged));
  assert.deepEqual(merged.lines, [2, 3, 4]);
});

test('different employee ids are different people, also with one name: both are rejects that name lines and ids', () => {
  const rows = [row(2, 'Bob Lee', { employeeId: '1' }), row(3, 'Bob Lee', { employeeId: '2' })];
  const rejects = mergeRows([...rows, row(4, 'Bob Lee')]);
  assert.ok(Array.isArray(rejects));
  assert.equal(rejects[1]?.reason, 'two people share this address: lines 2, 3 and 4; employee ids "1", "2"');
  assert.equal(rejects.length, 3);
});

test('a row without an employee id is the person of that name who has one', () => {
  const merged = mergeRows([row(2, 'Bob Lee', { employeeId: '1' }), row(3, 'Bob Lee')]);
  assert.ok(!Array.isArray(merged));
});

test('a missing telephone is filled from a later row, a given one stays', () => {
  const filled = mergeRows([
    row(2, 'Ana Silva'),
    row(3, 'Ana Silva', { telephone: '+1' }),
    row(4, 'Ana Silva', { telephone: '+2' }),
  ]);
  assert.ok(!Array.isArray(filled));
  assert.equal(filled.member.telephone, '+1');
  const kept = mergeRows([row(2, 'Ana Silva', { telephone: '+2' }), row(3, 'Ana Silva', { telephone: '+1' })]);
  assert.ok(!Array.isArray(kept));
  assert.equal(kept.member.telephone, '+2');
});

test('two people on one address are all rejects that name the lines of all', () => {
  const rejects = mergeRows([row(52, 'Ana Silva', { cells: ['x'] }), row(53, 'Bo Ek')], 'Work Email');
  assert.deepEqual(rejects, [
    {
      ...{ file: 'staff.csv', line: 52, cells: ['x'], column: 'Work Email', value: 'shared@example.com' },
      ...{ reason: 'two people share this address: lines 52 and 53', kind: 'shared-address' },
    },
    {
      ...{ file: 'staff.csv', line: 53, cells: [], column: 'Work Email', value: 'shared@example.com' },
      ...{ reason: 'two people share this address: lines 52 and 53', kind: 'shared-address' },
    },
  ]);
});

test('two people on one address in two files are told with their files', () => {
  const rejects = mergeRows([row(2, 'Ana Silva'), row(2, 'Bo Ek', { file: 'temps.csv' })]);
  assert.ok(Array.isArray(rejects));
  assert.match(rejects[0]?.reason ?? '', /: lines 2 of staff\.csv and 2 of temps\.csv$/);
});

test('an address that a hundred people share names ten lines in each reason', () => {
  const rejects = mergeRows(
    Array.from({ length: 100 }, (_, at) => row(at + 2, `Person ${'abcdefghij'[at % 10]}${at}`)),
  );
  assert.ok(Array.isArray(rejects));
  assert.equal(rejects[0]?.reason, '100 people share this address: lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 90 more');
});

test('a file that repeats one person two hundred thousand times has one person', () => {
  const rows = Array.from({ length: 200_000 }, (_, at) => row(at + 2, 'Ana Silva'));
  const merged = mergeRows(rows);
  assert.ok('member' in merged);
  assert.equal(merged.lines.length, rows.length);
});

test('whether rows are one person does not depend on their order', () => {
  const rows = fc.array(
    fc.record({
      name: fc.constantFrom('Ana Silva', 'Bo Ek', 'Cy Ng'),
      employeeId: fc.constantFrom(undefined, '1', '2', '3'),
    }),
    { minLength: 2, maxLength: 8 },
  );
  fc.assert(
    fc.property(rows, (people) => {
      const given = people.map(({ name, employeeId }, at) =>
        row(at, name, employeeId === undefined ? {} : { employeeId }),
      );
      assert.equal(Array.isArray(mergeRows(given)), Array.isArray(mergeRows(given.toReversed())));
    }),
  );
});
