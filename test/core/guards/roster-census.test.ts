import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CensusTaker } from '../../../src/core/guards/usual.ts';
import { resolveColumns } from '../../../src/core/mapping/mapping.ts';

const header = ['First name', 'Last name', 'E-mail', 'Department'];

test('a census counts the rows of each domain and group, and the cells with more than space in them, but for errors', () => {
  const taker = (): CensusTaker =>
    new CensusTaker(resolveColumns(header, { groups: [], groupColumns: ['Department'], file: 'people.csv' }));
  const domain = fc.constantFrom('example.com', 'Example.COM', 'mail.example.com', 'ample.com', 'example.org', 'm');
  const department = fc.constantFrom('Sales', 'IT', ' ', '', '\u00a0', '!', '\u00c5', '\ttab', '#REF!', '#1');
  fc.assert(
    fc.property(fc.array(fc.tuple(domain, department)), (people) => {
      const census = taker();
      for (const [at, group] of people) {
        const cells = ['Ann', '', `ann@${at}`, group];
        census.row(cells);
        const row = { file: 'people.csv', line: 2, cells };
        census.member({ row, member: { firstname: 'Ann', lastname: 'Ek', email: `ann@${at}`, groups: [group] } });
      }
      const counted = census.counted();
      const rowsOf = (names: readonly string[]): Record<string, number> =>
        Object.fromEntries(
          Object.entries(Object.groupBy(names, (name) => name)).map(([name, all]) => [name, all?.length ?? 0]),
        );
      assert.deepEqual(counted.domains, rowsOf(people.map(([at]) => at.toLowerCase())));
      assert.deepEqual(counted.groups, rowsOf(people.map(([, group]) => group)));
      assert.deepEqual(counted.filled, {
        'First name': people.length,
        'Last name': 0,
        'E-mail': people.length,
        Department: people.filter(([, group]) => group.trim() !== '' && group !== '#REF!').length,
      });
    }),
  );
});
