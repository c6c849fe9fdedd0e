import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupsToExcept } from '../../src/report/run/run-report.ts';
import { holdCommands, renderHold } from '../../src/report/terminal/render-hold.ts';
import { plain } from './examples.ts';

const hash = 'abcdef0123456789'.repeat(4);
const whole = { guard: 'shrink' as const, scope: 'all' as const, message: 'half of it\nis gone' };
const fresh = {
  guard: 'new' as const,
  scope: { actions: ['new' as const, 'changed' as const] },
  message: 'many are new',
};
const group = { guard: 'newGroups' as const, scope: { groups: ['Board', 'R & D', "O'Hara"] }, message: 'new groups' };

test('a hold says why, the exact commands, until when, and the plan', () => {
  const expiresAt = '2026-01-08T12:00:00.000Z';
  const view = { deliveries: 3, inOtherGroups: 0, reasons: [whole], hash, expiresAt, commands: [] };
  assert.deepEqual(renderHold('r1', view, { ...plain, timeZone: 'UTC' }), [
    '       ! shrink: half of it',
    '         is gone',
    '       roster-sync approve r1   sends what is held',
    '       roster-sync cancel r1    sends none of it',
    '       cancelled unless approved by 2026-01-08 12:00; plan abcdef012345',
  ]);
  assert.ok(!renderHold('r1', { ...view, expiresAt: null }, plain).some((line) => line.includes('not approved')));
});

test('a part of a hold can be approved by kind and by group, with names as shells take them', () => {
  assert.deepEqual(
    holdCommands('r1', { deliveries: 3, inOtherGroups: 1, reasons: [fresh, group] }).map(({ command }) => command),
    [
      'roster-sync approve r1',
      'roster-sync approve r1 --only new',
      'roster-sync approve r1 --only changed',
      `roster-sync approve r1 --except-group Board --except-group 'R & D' --except-group 'O'\\''Hara'`,
      'roster-sync cancel r1',
    ],
  );
});

test('leaving groups out is offered only where that leaves somebody, and a command can name them all', () => {
  const said = (inOtherGroups: number) =>
    JSON.stringify(holdCommands('r1', { deliveries: 3, inOtherGroups, reasons: [group] }));
  assert.match(said(1), /--except-group Board/);
  assert.doesNotMatch(said(0), /--except-group/);
  assert.deepEqual(groupsToExcept([fresh, group, group, whole]), ['Board', 'R & D', "O'Hara"]);
  const many = { ...group, scope: { groups: ['a', 'b', 'c'] } };
  assert.deepEqual(groupsToExcept([group, many]), []);
});

test('of a roster that would send nobody, approving is said to be what later ones are compared with', () => {
  const [approve, cancel] = holdCommands('r1', { deliveries: 0, inOtherGroups: 0, reasons: [whole] });
  assert.deepEqual(approve, {
    command: 'roster-sync approve r1',
    does: 'sends nobody; later rosters are compared with this one',
  });
  assert.equal(cancel?.does, 'leaves everything as it is');
});
