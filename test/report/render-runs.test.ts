import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunsDocument } from '../../src/acts/shapes/run.ts';
import { renderRuns } from '../../src/report/terminal/render-runs.ts';
import { emptyReport, exampleReport, plain } from './examples.ts';

const later = exampleReport({
  run: '9c01',
  startedAt: '2026-01-06T02:15:00.000Z',
  trigger: 'schedule',
  status: 'halted',
  pending: 35,
});

test('runs are listed newest first, one line each', () => {
  const lines = [
    'Run   source        trigger   status    started           people  succeeded  undelivered  waiting  rejects',
    '9c01  new-starters  schedule  halted    2026-01-06 02:15     200        200            0       35        6',
    '7f3a  new-starters  import    finished  2026-01-05 14:03     200          0            0        0        0',
    'To decide: run 9c01 is halted, 35 waiting: roster-sync show 9c01',
  ];
  assert.equal(renderRuns([emptyReport(), later], plain), lines.join('\n'));
});

test('waiting deliveries are counted, and open decisions are named under the list', () => {
  const hold = { deliveries: 115, inOtherGroups: 0, reasons: [], hash: 'ab', expiresAt: null, commands: [] };
  const held = emptyReport({ run: 'b3', status: 'held', pending: 115, hold });
  const partly = exampleReport({
    run: 'c4',
    status: 'delivering',
    pending: 120,
    hold,
    held: 115,
    roster: later.roster,
  });
  const going = exampleReport({ run: 'd5', status: 'delivering', pending: 7 });
  const lines = renderRuns([held, partly, going], plain).split('\n');
  assert.deepEqual(
    lines.map((line) => line.split(/\s+/).at(-2)),
    ['waiting', '115', '120', '7', 'show', 'show'],
  );
  assert.deepEqual(lines.slice(4), [
    'To decide: run b3 is held, 115 waiting: roster-sync show b3',
    'To decide: run c4 is delivering, 115 held: roster-sync show c4',
  ]);
  const { runs } = RunsDocument.parse({ runs: [partly] });
  assert.deepEqual([runs[0]?.pending, runs[0]?.held], [120, 115]);
});

test('people whose run was cancelled first are undelivered; people whom a newer run took over are counted separately', () => {
  const outcome = { succeeded: 3, partial: 1, failed: 1, unknown: 1, superseded: 0, cancelled: 26 };
  const cancelled = exampleReport({ status: 'cancelled', outcome });
  const [heading, line] = renderRuns([cancelled], plain).split('\n');
  assert.match(heading ?? '', /succeeded +undelivered +waiting/);
  assert.match(line ?? '', / 3 +29 +0 +6$/);
  const overtaken = exampleReport({ outcome: { ...outcome, superseded: 7 } });
  const lines = renderRuns([overtaken], plain).split('\n');
  assert.match(lines[0] ?? '', /succeeded +undelivered +superseded +waiting/);
  assert.match(lines[1] ?? '', / 3 +29 +7 +0 +6$/);
});

test('a run that nobody delivers is not listed as one that delivers', () => {
  const killed = exampleReport({ status: 'delivering', isAbandoned: true, pending: 10 });
  const waiting = exampleReport({ run: 'e6', status: 'delivering', isAbandoned: true, mode: 'production', pending: 9 });
  const text = renderRuns([killed, waiting], plain);
  assert.doesNotMatch(text, /delivering/);
  assert.match(text, /To decide: run 7f3a is interrupted, 10 waiting: roster-sync show 7f3a/);
  assert.match(text, /To decide: run e6 is without a worker, 9 waiting: roster-sync show e6/);
});

test('no runs at all is said, with how to begin', () => {
  assert.equal(renderRuns([], plain), 'No runs yet. To begin: roster-sync import FILE --dry-run');
});

test('the JSON of runs is the documented object', () => {
  const { runs } = RunsDocument.parse({ runs: [later] });
  const keys = 'run source trigger status startedAt finishedAt roster plan outcome inserts warnings calls pending held';
  assert.deepEqual(Object.keys(runs[0] ?? {}), keys.split(' '));
});
