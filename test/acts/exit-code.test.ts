import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCode, exitCodeOfPlan } from '../../src/acts/exit-code.ts';
import type { OutcomeCounts, RunReport } from '../../src/report/run/run-report.ts';

const none: OutcomeCounts = { succeeded: 0, partial: 0, failed: 0, unknown: 0, superseded: 0, cancelled: 0 };
const table: [string, Pick<RunReport, 'status' | 'pausedBy'>, Partial<OutcomeCounts>, number][] = [
  ['all delivered', { status: 'finished' }, { succeeded: 2 }, 0],
  ['nothing to do', { status: 'finished' }, {}, 0],
  ['some superseded by a newer run', { status: 'finished' }, { succeeded: 1, superseded: 1 }, 0],
  ['not waited for', { status: 'delivering' }, {}, 0],
  ['a dry run', { status: 'planning' }, {}, 0],
  ['unreadable roster', { status: 'failed' }, {}, 2],
  ['held', { status: 'held' }, {}, 3],
  ['some failed', { status: 'finished-with-failures' }, { succeeded: 1, failed: 1 }, 4],
  ['some partial, whatever the status says', { status: 'finished' }, { succeeded: 1, partial: 1 }, 4],
  ['some unknown, whatever the status says', { status: 'finished' }, { unknown: 1 }, 4],
  ['cancelled before all were sent', { status: 'cancelled' }, { succeeded: 1, cancelled: 1 }, 4],
  ['refused', { status: 'halted' }, {}, 6],
  ['refused after failures: 6 outranks 4', { status: 'halted' }, { failed: 9 }, 6],
  ['paused by what the service answered', { status: 'paused', pausedBy: 'service' }, { failed: 10 }, 6],
  ['interrupted', { status: 'paused', pausedBy: 'interruption' }, { succeeded: 1 }, 130],
  ['paused because the disk is full', { status: 'paused', pausedBy: 'storage' }, {}, 1],
  ['paused from another terminal', { status: 'paused', pausedBy: 'person' }, {}, 130],
];

for (const [name, state, outcome, code] of table) {
  test(`exit code ${code}: ${name}`, () => {
    assert.equal(exitCode({ ...state, outcome: { ...none, ...outcome } }), code);
  });
}

test('exit code 3: a plan that a guard would hold; 0: any other', () => {
  assert.equal(exitCodeOfPlan(true), 3);
  assert.equal(exitCodeOfPlan(false), 0);
});
