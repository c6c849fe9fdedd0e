import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  alwaysOf,
  fitsForm,
  rulesFromUses,
  splitOf,
  useOf,
  useOfSplit,
} from '../../../src/core/mapping/column-uses.ts';
import type { MappingRules } from '../../../src/core/mapping/mapping-rules.ts';

const rules: MappingRules = {
  members: {
    firstname: 'First',
    lastname: { column: 'Last' },
    email: { template: '{Login}@example.com' },
    telephone: { columns: ['Mobile', 'Phone'] },
    employeeId: { column: 'Id', country: 'DK' } as { column: string },
  },
  groups: [
    { column: 'Team' },
    { column: 'Roles', split: '\n' },
    { column: 'Lists', split: [';', ','] },
    { column: 'Place', prefix: 'In ' },
    { column: 'Course*', split: ';' },
    { matrix: ['Chess', 'Choir'] },
    { matrix: 'Club' },
    { template: '{Land} {Town}' },
  ],
};
const waits = { always: '', waits: true };

suite('what a column is used for', () => {
  test('a field, groups, a mark, a rule that says more, a part of one, a filter, or nothing', () => {
    const uses: Record<string, string> = {
      ...{ First: 'firstname', Last: 'lastname', Login: 'part', Mobile: 'part', Phone: 'part', Id: 'part' },
      ...{ Team: 'group', Roles: 'group:newline', Lists: 'rule:2', Place: 'rule:3', 'Course 1': 'rule:4' },
      ...{ Chess: 'mark', Choir: 'mark', Club: 'rule:6', Land: 'part', Town: 'part', Status: 'filter', Other: '' },
    };
    const found = Object.keys(uses).map((name) => [name, useOf(name, rules, [{ column: 'Status', is: true }])]);
    assert.deepEqual(Object.fromEntries(found), uses);
  });

  test('a whole name or a first day, with its form where one was said', () => {
    const use = (members: MappingRules['members'], name = 'A') => useOf(name, { ...(members && { members }) }, []);
    assert.equal(use({ fullname: { column: 'A' } }), 'fullname');
    assert.equal(use({ fullname: { column: 'A', form: 'Last First' } }), 'fullname:Last First');
    assert.deepEqual([use({ startDate: 'A' }), use({ startDate: { column: 'A' } })], ['startDate', 'startDate']);
    assert.equal(use({ startDate: { column: 'A', order: 'mdy' } }), 'startDate:mdy');
    assert.equal(use({ startDate: { column: 'B', order: 'mdy' }, fullname: { column: 'B' } }), '');
  });

  test('what stands between groups comes back', () => {
    for (const sign of [';', '\n', ':', '']) assert.equal(splitOf(useOfSplit(sign)), sign);
  });
});

suite('a form of columns', () => {
  const header = ['First', 'Last', 'Mail', 'Dept', 'Unit', 'Title', 'Chess', 'Choir', 'Phone'];
  const members = {
    firstname: 'First',
    lastname: { column: 'Last' },
    email: 'Mail',
    telephone: false,
    employeeId: false,
  };
  const when = { column: 'Title', contains: 'manager' };
  const fits = (groups: MappingRules['groups'] = [], more: MappingRules['members'] = {}, filters = []) =>
    fitsForm(header, { members: { ...members, ...more } as typeof more, groups }, filters);

  test('fits rules that it says as they are', () => {
    for (const groups of [
      [],
      [{ column: 'Unit' }, { column: 'Dept', split: [';'] }, { always: 'All' }],
      [{ matrix: ['Choir', 'Chess'] }, { column: 'Dept', prefix: 'In ' }, { template: '{Dept} {Unit}' }],
      [{ always: 'Managers', when }, { always: ['All', 'Staff'] }],
    ]) {
      assert.ok(fits(groups), JSON.stringify(groups));
    }
    assert.ok(fits([], { startDate: { column: 'Title', order: 'dmy' } }));
    // What is recognised where there is such a column stays so.
    assert.ok(fitsForm(header, { members: { firstname: 'First', lastname: 'Last', email: 'Mail' } }, []));
  });

  test('does not fit rules of which it would make others', () => {
    for (const groups of [
      [{ column: 'Dept' }, { column: 'Dept', prefix: 'Unit ' }],
      [{ column: 'Gone' }],
      [{ matrix: 'Chess:Choir' }],
      [{ column: 'Dept' }, { template: '{Dept} all' }, { column: 'Dept', when }],
    ]) {
      assert.ok(!fits(groups), JSON.stringify(groups));
    }
  });

  test('has no group for everybody that only some get, and keeps it', () => {
    const groups = [{ always: 'Managers', when }, { always: 'All' }];
    assert.equal(alwaysOf({ groups }), 'All');
    const { rules } = rulesFromUses({ uses: [], always: 'Everyone', waits: true }, { groups });
    assert.deepEqual(rules.groups, [{ always: 'Managers', when }, { always: ['Everyone'] }]);
  });
});

suite('rules from what a person chose for each column', () => {
  const chosen = (uses: Record<string, string>, more = waits, before: MappingRules = {}) =>
    rulesFromUses({ uses: Object.entries(uses).map(([name, use]) => ({ name, use })), ...more }, before);

  test('are the fields, the groups in the order of the columns, the marks, and what is for everybody', () => {
    assert.deepEqual(
      chosen(
        {
          ...{ A: 'firstname', B: 'lastname', C: 'email', D: 'telephone', E: 'employeeId', F: 'startDate:dmy' },
          ...{ G: 'group', H: 'group:newline', I: 'mark', J: 'mark', K: '' },
        },
        { always: ' All ;; Staff', waits: true },
      ),
      {
        rules: {
          members: {
            ...{ firstname: 'A', lastname: 'B', email: 'C', telephone: 'D', employeeId: 'E' },
            startDate: { column: 'F', order: 'dmy' },
          },
          groups: [
            ...[{ column: 'G' }, { column: 'H', split: '\n' }, { matrix: ['I', 'J'] }, { always: ['All', 'Staff'] }],
          ],
        },
        twice: [],
      },
    );
  });

  test('leave out telephone and number that nobody chose, and the first day where nobody waits for it', () => {
    const none = { telephone: false, employeeId: false };
    assert.deepEqual(chosen({ A: 'startDate' }, { always: ' ; ', waits: false }).rules, { members: none, groups: [] });
    assert.deepEqual(chosen({ A: 'startDate:mdy' }).rules.members?.startDate, { column: 'A', order: 'mdy' });
    assert.deepEqual(chosen({ A: 'startDate:x' }).rules.members?.startDate, 'A');
    assert.deepEqual(chosen({ A: 'fullname' }).rules.members?.fullname, { column: 'A' });
    assert.deepEqual(chosen({ A: 'fullname:Last First' }).rules.members?.fullname, { column: 'A', form: 'Last First' });
  });

  test('say which columns were chosen for one field', () => {
    assert.deepEqual(chosen({ A: 'email', B: 'email', C: 'firstname' }).twice, [
      { field: 'email', columns: ['A', 'B'] },
    ]);
  });

  test('keep what a form cannot say: parts of a field, and rules of groups that say more, each once', () => {
    const before = {
      ...rules,
      groups: [...(rules.groups ?? []), { add: 'Leads', when: { column: 'Lead', is: true } }],
    };
    const kept = chosen({ Login: 'part', Mobile: '', Place: 'rule:3', Town: 'part', Lists: 'rule:2' }, waits, before);
    assert.deepEqual(kept.rules.members, { email: rules.members?.email, telephone: false, employeeId: false });
    assert.deepEqual(kept.rules.groups, [before.groups[3], before.groups[2], before.groups[7], before.groups.at(-1)]);
    assert.deepEqual(chosen({ 'Course 1': 'rule:4', 'Course 2': 'rule:4', X: 'rule:99' }, waits, rules).rules.groups, [
      { column: 'Course*', split: ';' },
      { template: '{Land} {Town}' },
    ]);
  });
});
