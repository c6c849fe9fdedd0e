import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScheduleView } from '../../src/acts/shapes/roster.ts';
import { renderSchedules } from '../../src/cli/commands/sources.ts';
import { plain } from './examples.ts';

const staff: ScheduleView = {
  source: 'staff',
  cron: '15 2 * * *',
  timezone: 'Europe/Copenhagen',
  next: [
    { at: '2026-12-23T01:15:00.000Z', isBlackedOut: false },
    { at: '2026-12-24T01:15:00.000Z', isBlackedOut: true },
  ],
};
const last = { due: '2026-12-22T01:15:00.000Z', reason: '', run: '7f3a', status: null };

test('times are shown by the clocks of the source, and those that are blacked out are marked', () => {
  assert.equal(
    renderSchedules([staff], plain),
    'staff  15 2 * * *  Europe/Copenhagen\nNext   2026-12-23 02:15, 2026-12-24 02:15 (blacked out)',
  );
});

test('the last time is told by the state of its run, or by why there was none', () => {
  const lastLine = (more: Partial<NonNullable<ScheduleView['last']>>): string =>
    renderSchedules([{ ...staff, last: { ...last, result: 'delivering', ...more } }], plain).split('\n')[2] ?? '';
  assert.equal(lastLine({ status: 'finished' }), 'Last   2026-12-22 02:15  finished (run 7f3a)');
  assert.equal(
    lastLine({ result: 'busy', reason: 'run 7f3a of staff is still delivering' }),
    'Last   2026-12-22 02:15  busy: run 7f3a of staff is still delivering',
  );
  assert.equal(renderSchedules([{ ...staff, last: null }], plain).split('\n')[2], 'Last   none yet');
});

test('no schedule at all is said, with how to set one', () => {
  assert.match(renderSchedules([], plain), /^No source has a schedule\. .*cron: "15 2 \* \* \*"/);
});
