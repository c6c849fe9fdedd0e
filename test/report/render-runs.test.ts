import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderRuns } from '../../src/report/render-runs.ts';
import { runsJson } from '../../src/report/run-report.ts';
import { emptyReport, exampleReport, plain } from './examples.ts';

const later = exampleReport({
  run: '9c01',
  startedAt: '2026-01-06T02:15:00.000Z',
  trigger: 'schedule',
  status: 'halted',
});

test('runs are listed newest first, one line each', () => {
  const lines = [
    'Run   source        trigger   status    started           people  succeeded  undelivered  rejects',
    '9c01  new-starters  schedule  halted    2026-01-06 02:15     200        200            0        6',
    '7f3a  new-starters  import    finished  2026-01-05 14:03     200          0            0        0',
  ];
  assert.equal(renderRuns([emptyReport(), later], plain), lines.join('\n'));
});

test('no runs at all is said, with how to begin', () => {
  assert.equal(renderRuns([], plain), 'No runs yet. To begin: roster-sync import FILE --dry-run');
});

test('the JSON of runs is the documented object', () => {
  const { runs } = runsJson([later]) as { runs: object[] };
  const keys = 'run source trigger status startedAt finishedAt roster plan outcome inserts warnings calls';
  assert.deepEqual(Object.keys(runs[0] ?? {}), keys.split(' '));
});
