import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgottenReject } from '../../../src/core/person/forgotten.ts';
import { mergeRows } from '../../../src/core/person/member.ts';
import { mapRow } from '../../../src/core/mapping/map-row.ts';
import { resolveColumns } from '../../../src/core/mapping/mapping.ts';
import type { Reject } from '../../../src/core/rows/row.ts';

const mapping = resolveColumns(['First', 'Last', 'Name', 'Email', 'Team', 'Start', 'Active', 'Forklift'], {
  groups: [],
  groupColumns: [],
  rules: {
    members: { firstname: 'First', lastname: 'Last', email: 'Email', startDate: 'Start' },
    groups: [{ column: 'Team' }, { matrix: ['Forklift'] }],
    only: [{ column: 'Active', is: true }],
    allow: { groups: { except: ['Board'] } },
  },
});
const good = {
  First: 'Ann',
  Last: 'Ek',
  Email: 'ann@example.com',
  Team: 'Sales',
  Start: '',
  Active: 'yes',
  Forklift: '',
};

function kindOf(changes: Partial<typeof good>): string | undefined {
  const { First, Last, Email, Team, Start, Active, Forklift } = { ...good, ...changes };
  const row = { file: 'a.csv', line: 2, cells: [First, Last, '', Email, Team, Start, Active, Forklift] };
  const mapped = mapRow(row, mapping);
  return 'reason' in mapped ? mapped.kind : undefined;
}

test('a reject carries its kind, whatever its cell says', () => {
  const cases: [Parameters<typeof kindOf>, Reject['kind']][] = [
    [[{ Email: '' }], 'empty'],
    [[{ Email: 'N/A' }], 'empty'],
    [[{ Last: '' }], 'empty'],
    [[{ First: 'N/A' }], 'empty'],
    [[{ Email: '#FORMULA!' }], 'empty'],
    [[{ Team: '' }], 'empty'],
    [[{ Email: 'jane@' }], 'not-an-address'],
    [[{ Email: 'is empty' }], 'not-an-address'],
    [[{ Last: '12.3.2026' }], 'name'],
    [[{ Start: '32.1.2026' }], 'day'],
    [[{ Active: 'maybe' }], 'yes-or-no'],
    [[{ Forklift: 'perhaps' }], 'yes-or-no'],
    [[{ Team: 'Board' }], 'group'],
    [[{ Last: 'x'.repeat(40_000) }], 'damaged'],
    [[{ First: 'Ann\ud83d' }], 'damaged'],
    [[{ Email: 'email' }], 'other'],
    [[{}], undefined],
  ];
  for (const [given, kind] of cases) assert.equal(kindOf(...given), kind, JSON.stringify(given).slice(0, 80));
  assert.equal(forgottenReject({ file: 'a.csv', line: 2, cells: [] }, 'Email').kind, 'forgotten');
  const two = ['Ann', 'Bo'].map((firstname, at) => {
    const member = { firstname, lastname: 'Ek', email: 'ek@example.com', groups: ['Sales'] };
    return { file: 'a.csv', line: at + 2, cells: [], member };
  });
  const rejected = mergeRows(two) as Reject[];
  assert.deepEqual(
    rejected.map(({ kind }) => kind),
    ['shared-address', 'shared-address'],
  );
});
