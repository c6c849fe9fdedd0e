import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { judgeRosterTime } from '../../../src/core/guards/roster-time.ts';

suite('R13: the time of a roster', () => {
  const roster = (time: string, checksum: string) => ({ time, checksum });
  const newest = { runId: 'r2', ...roster('2026-01-20T00:00:00.000Z', 'new') };
  test('a roster of the very moment of the newest one passes; a millisecond before, it is held', () => {
    assert.equal(judgeRosterTime(roster('2026-01-20T01:00:00.000+01:00', 'x'), { newest }), undefined);
    assert.equal(judgeRosterTime(roster('2026-01-19T23:59:59.999Z', 'x'), { newest })?.guard, 'time');
    assert.equal(judgeRosterTime(roster('2026-01-20T00:00:00.001Z', 'new'), { newest, same: newest }), undefined);
    assert.equal(judgeRosterTime(roster('2026-01-21T00:00:00.000Z', 'x'), { same: newest }), undefined);
  });
});
