import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { GroupNames } from '../../../src/core/mapping/group-names.ts';
import type { MappingRules } from '../../../src/core/mapping/mapping-rules.ts';
import { readNames, withNames } from '../../../src/core/mapping/renaming.ts';

/** What the rules make of names, after somebody decided about some of them. */
function decided(rules: MappingRules, names: Record<string, string>, ...raw: string[]): (string | undefined)[] {
  const made = new GroupNames({ ...rules, ...withNames(rules, new Map(Object.entries(names))) });
  return raw.map((name) => made.nameOf(name));
}

suite('what somebody decides about the groups of a file', () => {
  test('a group gets another name, that of another group, or is left out; the others stay', () => {
    const rules: MappingRules = { rename: { Prod: 'Production', Ops: 'Operations' } };
    assert.deepEqual(
      withNames(
        rules,
        new Map([
          ['Sale', 'Sales'],
          ['Temp', ''],
          ['prod', 'Making'],
        ]),
      ),
      {
        rename: { Ops: 'Operations', Sale: 'Sales', prod: 'Making' },
        allow: { groups: { except: ['Temp'] } },
      },
    );
    assert.deepEqual(
      decided(rules, { Sale: 'Sales', Temp: '', prod: 'Making' }, 'Sale', 'Sales', 'TEMP', 'Prod', 'Ops'),
      ['Sales', 'Sales', undefined, 'Making', 'Operations'],
    );
  });

  test('with its own name again nothing is decided about a group, and what else is allowed stays', () => {
    const rules: MappingRules = {
      rename: { Sale: 'Sales' },
      allow: { values: ['None'], groups: { except: ['Temp', 'Admin*'], perPerson: 5 } },
    };
    assert.deepEqual(
      withNames(
        rules,
        new Map([
          ['Sale', 'Sale'],
          ['temp', 'temp'],
        ]),
      ),
      {
        allow: { values: ['None'], groups: { except: ['Admin*'], perPerson: 5 } },
      },
    );
    const last: MappingRules = { allow: { groups: { except: ['Temp'] } } };
    assert.deepEqual(withNames(last, new Map([['Temp', 'Temp']])), {});
  });

  test('what is decided about a group comes before patterns', () => {
    const rules: MappingRules = { renamePatterns: [{ matches: '(.+)-ACL', to: 'ACL $1' }] };
    assert.deepEqual(decided(rules, {}, 'Sales-ACL', 'IT-ACL'), ['ACL Sales', 'ACL IT']);
    assert.deepEqual(decided(rules, { 'Sales-ACL': '', 'IT-ACL': 'IT-ACL' }, 'Sales-ACL', 'IT-ACL', 'HR-ACL'), [
      undefined,
      'IT-ACL',
      'ACL HR',
    ]);
  });

  test('pasted names have two columns, as a spreadsheet or a person writes them', () => {
    const { names, wrong } = readNames(
      '100\tSales, north\r\n200, IT\n300;Ops\n400 = HR\n500 → Legal\n"R ""1"""\t"Research"\t7\n600,\n\n',
    );
    assert.deepEqual(Object.fromEntries(names), {
      ...{ 100: 'Sales, north', 200: 'IT', 300: 'Ops', 400: 'HR', 500: 'Legal' },
      'R "1"': 'Research',
    });
    assert.equal(wrong, undefined);
    assert.deepEqual(readNames('100\tSales\nIT\nHR'), { names: new Map([['100', 'Sales']]), wrong: 'IT' });
  });
});
