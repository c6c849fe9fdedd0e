import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { proposeJoin } from '../../src/roster/bundle/propose-join.ts';
import type { FileSample } from '../../src/roster/bundle/sample-folder.ts';

/** What a file holds, from its lines. */
function file(name: string, header: string, ...lines: string[]): FileSample {
  const rows = lines.map((line) => line.split(','));
  const columns = header.split(',').map((column, at) => {
    const filled = rows.map((row) => row[at] ?? '').filter((value) => value !== '');
    return { name: column, filled: filled.length, values: new Set(filled) };
  });
  return { file: name, rows: rows.length, isCut: false, columns };
}

const people = file(
  'people.csv',
  'Id,First name,Last name,Email,DeptNo,Status',
  '1,Ann,Ek,ann@example.com,20,active',
  '2,Bo,Oh,bo@example.com,10,active',
  '3,Cy,Pi,cy@example.com,20,left',
  '4,Di,Qu,di@example.com,10,active',
);
const membership = file('membership.csv', 'Person,TeamId,Kind', '1,1,member', '1,2,member', '2,3,guest', '4,1,member');
const teams = file('teams.csv', 'Id,Name', '1,Red', '2,Blue', '3,Green');
const departments = file('departments.csv', 'No,Title', '10,Sales', '20,Support');

suite('a proposed join', () => {
  test('goes from people over memberships to the names of groups, and over a number to a department', () => {
    const found = proposeJoin([departments, membership, people, teams]);
    assert.deepEqual(found?.spec.people, [
      {
        file: 'people.csv',
        columns: {
          teams: [
            {
              from: 'Id',
              steps: [
                { file: 'membership.csv', where: 'Person', take: 'TeamId' },
                { file: 'teams.csv', where: 'Id', take: 'Name' },
              ],
            },
          ],
          departments: [{ from: 'DeptNo', steps: [{ file: 'departments.csv', where: 'No', take: 'Title' }] }],
        },
      },
    ]);
    assert.deepEqual(found?.evidence, [
      '100% of 3 values of Person in membership.csv are in Id of people.csv',
      '100% of 3 values of TeamId in membership.csv are in Id of teams.csv',
      '100% of 2 values of DeptNo in people.csv are in No of departments.csv',
    ]);
  });

  test('takes a column that names groups where no further file has their names', () => {
    const assigned = file(
      'assigned.csv',
      'mail,Team',
      'ann@example.com,Red',
      'bo@example.com,Blue',
      'ann@example.com,Blue',
    );
    assert.deepEqual(proposeJoin([people, assigned])?.spec.people[0]?.columns, {
      Team: [{ from: 'Email', steps: [{ file: 'assigned.csv', where: 'mail', take: 'Team' }] }],
    });
  });

  test('is none where values do not match, and where no file has people', () => {
    const other = file('other.csv', 'Code,Team', 'x,Red', 'y,Blue', 'z,Red');
    assert.equal(proposeJoin([people, other]), undefined);
    assert.equal(proposeJoin([membership, teams]), undefined);
    assert.equal(proposeJoin([]), undefined);
  });
});
