import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { mapRow } from '../../src/core/mapping/map-row.ts';
import { describeMapping, resolveColumns } from '../../src/core/mapping/mapping.ts';
import { personKey, mergeRows, type PersonRow } from '../../src/core/person/member.ts';
import { isReject } from '../../src/core/rows/row.ts';
import { read } from './reading.ts';

const example = join(import.meta.dirname, '../../examples/new-starters.csv');

test('the example gives 200 people in 31 groups, and six rejects of five kinds', async () => {
  const { roster, rows } = await read(example);
  assert.deepEqual([roster.form.encoding, roster.form.delimiter, rows.length], ['utf-8', ',', 207]);
  const options = { groups: ['New starters'], groupColumns: ['Department', 'Country'] };
  const mapping = resolveColumns(roster.form.header, options);
  assert.deepEqual(
    describeMapping(mapping).map(({ column, field }) => `${column}>${field}`),
    [
      ...['Employee ID>employeeId', 'First Name>firstname', 'Last Name>lastname', 'Work Email>email'],
      ...['Mobile>telephone', 'Department>groups', 'Country>groups'],
    ],
  );
  const results = rows.map((row) => (isReject(row) ? row : mapRow(row, mapping)));
  const people = new Map<string, PersonRow[]>();
  for (const result of results) {
    if (!('member' in result)) continue;
    const { row, ...rest } = result;
    const key = personKey(rest.member.email);
    people.set(key, [...(people.get(key) ?? []), { ...row, ...rest }]);
  }
  const judged = [...people.values()].map((each) => mergeRows(each, mapping.emailColumn));
  const members = judged.flatMap((each) => (Array.isArray(each) ? [] : [each]));
  const rejects = [...results.filter(isReject), ...judged.flatMap((each) => (Array.isArray(each) ? each : []))];

  assert.equal(members.length, 200);
  assert.deepEqual(
    members.filter(({ lines }) => lines.length > 1).map(({ lines, member }) => [lines.length, member.groups.length]),
    [[2, 4]],
  );
  assert.deepEqual(members[0]?.member, {
    ...{ firstname: 'Åse', lastname: 'Lindqvist', email: 'ase.lindqvist@example.com' },
    groups: ['New starters', 'Finance', 'Sweden'],
  });
  const groups = members.flatMap(({ member }) => member.groups);
  assert.equal(groups.length, 601);
  assert.equal(new Set(groups).size, 31);
  assert.equal(groups.filter((group) => group === 'Sales').length, 41);
  assert.deepEqual(
    rejects.toSorted((a, b) => a.line - b.line).map(({ line, column, reason }) => [line, column, reason]),
    [
      [14, 'Work Email', 'e-mail is empty'],
      [52, 'Work Email', 'two people share this address: lines 52 and 53; employee ids "E1902", "E1903"'],
      [53, 'Work Email', 'two people share this address: lines 52 and 53; employee ids "E1902", "E1903"'],
      [88, 'Work Email', '"jane@" is not an e-mail address'],
      [131, 'Last Name', 'last name is empty'],
      [176, '', '9 cells where the header has 8: a value that holds a delimiter needs quotes'],
    ],
  );
});

test('the example holds nobody real: reserved domain, reserved telephone numbers', async () => {
  const { roster, rows } = await read(example);
  const [email, mobile] = ['Work Email', 'Mobile'].map((name) => roster.form.header.indexOf(name));
  const reserved =
    /^(|\+1 202 555 01\d\d|\+44 7700 900\d{3}|\+46 70 174 06 \d\d|\+61 491 57\d \d{3}|\+33 6 39 98 \d\d \d\d)$/;
  for (const { cells, line } of rows) {
    assert.match(cells[email ?? 0] ?? '', /^(|jane@|[a-z.-]+@example\.com)$/, `line ${line}`);
    assert.match(cells[mobile ?? 0] ?? '', reserved, `line ${line}`);
  }
});
