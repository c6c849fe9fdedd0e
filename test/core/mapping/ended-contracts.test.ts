import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { EndedContracts } from '../../../src/core/mapping/ended-contracts.ts';
import { mapRow } from '../../../src/core/mapping/map-row.ts';
import { resolveColumns } from '../../../src/core/mapping/mapping.ts';

type Contract = [department: string, start: string, rehire: string, end: string];

/** The groups that the contracts of somebody give, in whatever order their rows come. */
function groupsOf(contracts: readonly Contract[], only = ''): string[] {
  const mapping = resolveColumns(
    ['First Name', 'Last Name', 'Email', 'Department', 'Start Date', 'Rehire Date', 'End Date'],
    {
      ...{ groups: [], groupColumns: ['Department'], today: new Date('2026-11-22') },
      rules: {
        members: { startDate: 'Start Date' },
        ...(only !== '' && { only: [{ column: 'Department', in: [only, ''] }] }),
        except: [{ column: 'End Date', past: true }],
      },
    },
  );
  const ended = new EndedContracts(mapping);
  const rows = contracts.map((contract, at) => {
    return mapRow({ file: 'staff.csv', line: at + 2, cells: ['Ann', 'Ek', 'ann@example.com', ...contract] }, mapping);
  });
  const counting = rows.filter((mapped) => !ended.waits(mapped));
  return [...counting, ...ended.settle()]
    .flatMap((mapped) => ('member' in mapped ? mapped.member.groups : []))
    .toSorted();
}

/** What a row becomes, with a last day in one order and a first day in another, or in none. */
function mapped(start: string, end: string, orders: { start?: 'dmy' | 'mdy'; end?: 'dmy' | 'mdy' }) {
  const startDate = { column: 'Hire Date', ...(orders.start && { order: orders.start }) };
  const mapping = resolveColumns(['First Name', 'Last Name', 'Email', 'Department', 'Hire Date', 'End Date'], {
    ...{ groups: [], groupColumns: ['Department'], today: new Date('2026-11-22') },
    rules: {
      ...(orders.start && { members: { startDate } }),
      leavers: [{ column: 'End Date', past: true, ...(orders.end && { order: orders.end }) }],
    },
  });
  const cells = ['Ann', 'Ek', 'ann@example.com', 'IT', start, end];
  const row = mapRow({ file: 'staff.csv', line: 2, cells }, mapping);
  return 'member' in row ? 'sent' : 'filtered' in row ? 'left out' : row.reason;
}

suite('a first day beside a last day that is past', () => {
  test('is read in its own order', () => {
    assert.equal(mapped('01/02/2026', '31/12/2024', { start: 'dmy' }), 'sent');
    assert.equal(mapped('02/01/2026', '12/31/2025', { start: 'mdy' }), 'sent');
    assert.equal(mapped('01/02/2026', '15/03/2026', { start: 'dmy', end: 'dmy' }), 'left out');
    assert.equal(mapped('05/02/2026', '2026-03-15', { start: 'mdy' }), 'sent');
    assert.equal(mapped('05/02/2026', '2026-03-15', { start: 'dmy' }), 'left out');
  });

  test('whose day and month could be swapped rejects the row, unless it follows, or does not, either way', () => {
    assert.equal(mapped('01/02/2026', '31/12/2024', {}), 'sent');
    assert.equal(mapped('01/02/2023', '31/12/2024', {}), 'left out');
    assert.match(mapped('02/11/2025', '30/06/2025', {}), /"02\/11\/2025"/);
    assert.equal(mapped('soon', '30/06/2025', {}), 'left out');
  });
});

const old: Contract = ['Old', '2019-01-01', '2026-03-01', '2020-12-31'];

suite('a contract that has ended, of somebody who was employed again', () => {
  for (const [what, contracts, groups] of [
    ['counts where there is no other', [old], ['Old']],
    ['gives way to the one that began then', [old, ['New', '2026-03-01', '2026-03-01', '']], ['New']],
    ['gives way to a later one of the same employment', [old, ['New', '2026-09-01', '2026-03-01', '']], ['New']],
    ['gives way to one that ended later', [old, ['New', '2026-03-01', '2026-03-01', '2026-06-30']], []],
    [
      'gives way to one that has given way itself',
      [
        ['First', '2018-01-01', '2021-01-01', '2019-12-31'],
        ['Second', '2021-01-01', '2024-01-01', '2022-12-31'],
        ['New', '2024-01-01', '2024-01-01', ''],
      ],
      ['New'],
    ],
    [
      'does not give way to another job that has ended',
      [
        ['Main', '2020-01-01', '2024-01-01', '2022-12-31'],
        ['Second', '2021-01-01', '', '2024-06-30'],
      ],
      ['Main'],
    ],
    [
      'does not give way to a former job that has the first day of the person',
      [
        ['Main', '2020-01-01', '2024-01-01', '2022-12-31'],
        ['Second', '2025-01-01', '2024-01-01', '2025-06-30'],
      ],
      ['Main'],
    ],
    [
      'does not give way to a contract that ended before its own last first day',
      [
        ['Now', '2025-03-01', '2023-06-01', '2022-12-31'],
        ['Former', '2023-06-01', '', '2024-01-31'],
      ],
      ['Now'],
    ],
    ['gives way to nothing without days', [old, ['Course', '', '', '']], ['Course', 'Old']],
    [
      'is not one that began again beside another',
      [
        ['Again', '2025-01-01', '', '2024-05-31'],
        ['Other', '2019-01-01', '', ''],
      ],
      ['Again', 'Other'],
    ],
    [
      'is not the present one that has the last day of the person',
      [
        ['Old', '2015-01-01', '', '2020-12-31'],
        ['New', '2023-05-01', '', '2020-12-31'],
      ],
      ['New'],
    ],
    [
      'is not the present one that has the last day of the first',
      [
        ['First', '2010-01-01', '', '2018-06-30'],
        ['Second', '2019-01-01', '', '2022-12-31'],
        ['New', '2024-01-01', '', '2018-06-30'],
      ],
      ['New'],
    ],
  ] as [string, Contract[], string[]][])
    test(what, () => {
      assert.deepEqual(groupsOf(contracts), groups);
      assert.deepEqual(groupsOf(contracts.toReversed()), groups);
    });

  test('gives way to one that is left out for another reason, or rejected', () => {
    const now: Contract = ['New', '2026-03-01', '2026-03-01', ''];
    for (const contracts of [
      [old, now],
      [now, old],
      [old, now.with(0, '') as Contract],
      [old, ['New', '2026-03-01', '2026-03-01', '2026-06-30'] as Contract],
    ])
      assert.deepEqual(groupsOf(contracts, 'Old'), []);
  });
});
