import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sayIdentityChange } from '../../src/core/rows/row.ts';
import { bringFile } from '../../src/page/import.ts';
import { renderResult, renderRun } from '../../src/report/terminal/render-result.ts';
import { RunDocument } from '../../src/acts/shapes/run.ts';
import { emptyReport, exampleReport, plain } from './examples.ts';

const lastLine = (text: string) => text.split('\n').at(-1);

test('a result says outcomes, groups, warnings and rejects in the shape of the demo, and last what to do', () => {
  const lines = [
    'Done   200 succeeded, 0 partial, 0 failed, 0 unknown; 599 inserts, 2 warnings      run 7f3a',
    '',
    'Group            calls  inserts  warnings  failures',
    'New starters       200      200         0         0',
    'Sales               41       39         2         0',
    'Warnings: the service gives a number, not a meaning; raw answers: roster-sync show 7f3a',
    'Rejects:  6 rows -> .roster-sync/7f3a-rejects.csv   (correct them, import that file)',
    '          line 14 Work Email empty | lines 52, 53 Work Email "info@example.com": two people share this address |',
    '          line 88 "jane@" is not an e-mail address | 2 more',
    'Next:     6 rejects to correct and import; nothing else to do',
  ];
  assert.equal(renderResult(exampleReport(), plain), lines.join('\n'));
});

test('a run with nothing to send is two lines', () => {
  assert.equal(
    renderResult(emptyReport(), plain),
    'Done   200 unchanged, nothing sent      run 7f3a\nNext:     no rejects; nothing else to do',
  );
});

test('beyond ten groups the rest is summed up, so that the table still adds up, unless all are asked for', () => {
  const groups = Array.from({ length: 38 }, (_, at) => ({
    group: `Group ${at}`,
    calls: at,
    inserts: at,
    warnings: 1,
    succeeded: at,
    failures: at === 3 ? 1 : 0,
  }));
  const lines = renderResult(exampleReport({ groups }), plain).split('\n');
  assert.equal(lines[3], 'Group 37            37       37         1         0');
  assert.equal(lines[13], '28 more …          378      378        28         1');
  const verbose = renderResult(exampleReport({ groups }), plain, { verbose: true });
  assert.doesNotMatch(verbose, /more …/);
  assert.match(verbose, /^Group 0 /m);
});

test('under the groups of a run that stopped it says that they are not all of its plan', () => {
  const lines = renderResult(exampleReport({ status: 'halted', pending: 26 }), plain).split('\n');
  assert.equal(lines[5], 'Only groups for which calls were made; not everybody was sent.');
  assert.doesNotMatch(renderResult(exampleReport(), plain), /Only groups/);
});

test('groups with equally many calls stand in the order of their names', () => {
  const group = (name: string) => ({ group: name, calls: 1, inserts: 1, warnings: 0, succeeded: 1, failures: 0 });
  const text = renderResult(exampleReport({ groups: [group('Sales'), group('Åbo'), group('Finance')] }), plain);
  assert.match(text, /Åbo[^]*Finance[^]*Sales/);
});

test('each problem has its reason, an example and its next step', () => {
  const report = exampleReport({
    status: 'finished-with-failures',
    outcome: { succeeded: 195, partial: 1, failed: 3, unknown: 1, superseded: 0, cancelled: 0 },
    problems: [
      { outcome: 'failed', reason: 'HTTP 422: bad phone', count: 3, example: 'a***@example.com' },
      { outcome: 'partial', reason: 'not "success" for Sales: error', count: 1, example: 'b***@example.com' },
      { outcome: 'unknown', reason: 'HTML', count: 1, example: 'c***@example.com' },
    ],
    repeated: 1,
  });
  const text = renderResult(report, plain);
  const lines = [
    'Repeated: 1 person may have been sent twice: an earlier call got no answer, or an unclear one',
    'Problems: 3 failed: HTTP 422: bad phone (e.g. a***@example.com)',
    '          -> fix the cause, then: roster-sync retry 7f3a',
    '          1 partial: not "success" for Sales: error (e.g. b***@example.com)',
    '          -> some of their groups were not accepted; fix the cause, then: roster-sync retry 7f3a',
    '          1 unknown: HTML (e.g. c***@example.com)',
    '          -> the call may have arrived; check the answers with roster-sync show 7f3a, then: roster-sync retry 7f3a',
  ];
  assert.ok(text.includes(lines.join('\n')), text);
  assert.equal(lastLine(text), 'Next:     6 rejects to correct and import; 5 not delivered: roster-sync retry 7f3a');
});

test('a run that stopped says why, how many wait, and how to continue', () => {
  const outcome = { succeeded: 3, partial: 0, failed: 0, unknown: 0, superseded: 0, cancelled: 0 };
  const stopped = { outcome, pending: 1197, problems: [], rejectSamples: [], warnings: 0 };
  const reason = 'api.example.com refused the token (401): check ROSTER_SYNC_TOKEN';
  const halted = renderResult(emptyReport({ ...stopped, status: 'halted', statusReason: reason }), plain);
  const head =
    'Halted 3 succeeded, 0 partial, 0 failed, 0 unknown, 1,197 not sent yet; 0 inserts, 0 warnings      run 7f3a';
  assert.deepEqual(halted.split('\n').slice(0, 2), [head, `       ${reason}`]);
  assert.equal(
    lastLine(halted),
    'Next:     no rejects; 1,197 not sent yet; fix the cause, then: roster-sync resume 7f3a',
  );
  const lastOf = (changes: Parameters<typeof emptyReport>[0]) =>
    lastLine(renderResult(emptyReport({ ...stopped, ...changes }), plain));
  assert.match(lastOf({ status: 'paused' }) ?? '', /1,197 not sent yet; to continue: roster-sync resume 7f3a$/);
  assert.match(lastOf({ status: 'held' }) ?? '', /roster-sync approve 7f3a, or roster-sync cancel 7f3a$/);
  assert.match(lastOf({ status: 'delivering' }) ?? '', /to see how it goes: roster-sync show 7f3a$/);
  assert.match(
    lastOf({ status: 'delivering', isAbandoned: true }) ?? '',
    /not sent yet; nobody delivers; to continue: roster-sync resume 7f3a$/,
  );
  const workerless = emptyReport({ ...stopped, status: 'delivering', isAbandoned: true, mode: 'production' });
  const text = renderResult(workerless, plain);
  assert.match(text, /^Waiting 3 succeeded/);
  assert.match(
    lastLine(text) ?? '',
    /no worker runs, so start one: roster-sync worker; or .*: roster-sync resume 7f3a$/,
  );
  const cancelled = { status: 'cancelled', pending: 0, outcome: { ...outcome, cancelled: 1197 } } as const;
  assert.match(lastOf(cancelled) ?? '', /1,197 not delivered: the next roster that names them sends them$/);
  assert.match(
    lastOf({ ...cancelled, statusReason: 'replaced by run 9c1d', supersededBy: '9c1d' }) ?? '',
    /; a newer run has taken its place$/,
  );
  const overdue = { ...cancelled, status: 'finished-with-failures' } as const;
  assert.match(lastOf(overdue) ?? '', /1,197 not delivered: roster-sync retry \w+$/);
  assert.match(lastOf({ status: 'failed' }) ?? '', /nothing was sent: fix the roster and run it again$/);
});

test('a problem of a run that continues later is not to be retried before the run has ended', () => {
  const problems = [{ outcome: 'failed', reason: 'HTTP 500', count: 10, example: 'a***' } as const];
  const text = renderResult(exampleReport({ status: 'paused', pausedBy: 'service', pending: 5, problems }), plain);
  assert.match(text, /-> fix the cause; once the run has ended: roster-sync retry 7f3a/);
});

test('a dry run says that nothing was sent and how to send it', () => {
  const text = renderResult(emptyReport({ dryRun: true, status: 'planning' }), plain);
  assert.equal(
    text,
    'Done   nothing was sent: this was a dry run\nNext:     no rejects; to send it, run it again without --dry-run',
  );
});

test('a shown run begins with where it came from, when, and how it was set', () => {
  const text = renderRun(exampleReport(), plain);
  const lines = [
    'Run    7f3a: source new-starters -> service SANDBOX',
    'When   2026-01-05 14:03 - 2026-01-05 14:03; 4.0 s of delivering; started by import',
    'Set    forceSync off; invite on; 50/s; 6 attempts; embedded',
    'Read   207 rows = 201 used + 6 rejected -> 200 people (1 on two rows)',
    'Plan   200 new, 0 changed, 0 unchanged',
  ];
  assert.ok(text.startsWith(`${lines.join('\n')}\nDone   200 succeeded`), text);
});

test('rejects of several files say which file', () => {
  const [first, ...others] = exampleReport().rejectSamples;
  assert.ok(first);
  const text = renderResult(exampleReport({ rejectSamples: [{ ...first, file: 'other.csv' }, ...others] }), plain);
  assert.match(text, /other\.csv line 14 Work Email empty \|\s+examples\/new-starters\.csv lines 52, 53/);
});

test('rejects of a pattern, a folder or a bundle say which file, also where all are of one', () => {
  const [first] = exampleReport().rejectSamples;
  assert.ok(first);
  const rejectSamples = [{ ...first, file: 'exports/staff-2.csv' }];
  const saidOf = (rosterFile: string) => renderResult(exampleReport({ rejectSamples, rosterFile }), plain);
  assert.match(saidOf('exports/staff-*.csv'), / {10}staff-2\.csv line 14 Work Email empty/);
  assert.match(saidOf('exports/staff-2.csv'), / {10}line 14 Work Email empty/);
});

test('a reject says column and value where its reason does not', () => {
  const file = 'a.csv';
  const saidOf = (column: string, value: string, reason: string) => {
    const rejectSamples = [{ file, line: 1204, cells: [], column, value, reason }];
    return renderResult(exampleReport({ rejectSamples }), plain).split('\n').at(-2);
  };
  const more = '| 5 more';
  assert.equal(saidOf('Team', '', 'no group: Team is empty'), `          line 1204 no group: Team is empty ${more}`);
  assert.equal(saidOf('', '', 'has 3 cells instead of 5'), `          line 1204 has 3 cells instead of 5 ${more}`);
  assert.equal(saidOf('Team', 'HR', 'not allowed'), `          line 1204 Team "HR": not allowed ${more}`);
  const long = saidOf('Team', 'x'.repeat(100_000), 'y'.repeat(100_000)) ?? '';
  assert.ok(long.length < 220);
});

test('the JSON of a run is the documented object, without any person or further key', () => {
  const keys = 'run source mode dryRun service roster plan outcome groups inserts warnings calls durationMs status';
  assert.deepEqual(Object.keys(RunDocument.parse(exampleReport())), keys.split(' '));
});

test('without colour no escape sequence is written, with colour the words are the same', () => {
  const bare = renderResult(exampleReport(), plain);
  // oxlint-disable-next-line no-control-regex -- the sequences are what is looked for
  const sequence = /\u001b\[\d+m/g;
  assert.doesNotMatch(bare, sequence);
  const coloured = renderResult(exampleReport(), { ...plain, color: true });
  assert.notEqual(coloured, bare);
  assert.equal(coloured.replace(sequence, ''), bare);
});

test('the command that settles a changed address is never cut, and the last line says to resolve', () => {
  const change = {
    kind: 'moved',
    employeeId: '1042',
    email: 'a.new@example.com',
    oldEmail: 'a.old@example.com',
  } as const;
  const sample = { file: 'a.csv', line: 2, cells: [], column: 'Email', value: change.email };
  const text = renderResult(
    exampleReport({
      roster: { rows: 1, members: 0, merged: 0, filtered: 0, rejects: 1 },
      rejectSamples: [{ ...sample, reason: sayIdentityChange(change), identityChange: change.kind }],
    }),
    plain,
  );
  assert.match(text, /`roster-sync resolve a\.old@example\.com a\.new@example\.com --renamed-there`.*--new-account/);
  assert.match(
    lastLine(text) ?? '',
    /^Next: +1 reject to resolve \(roster-sync resolve --run [\w-]+\), or to correct and import;/,
  );
});

test('a shown run says who approved it, and when the service first gave what was noticed', () => {
  const details = {
    approvals: [{ at: '2026-01-05T10:00:00.000Z', by: 'eva@desk', note: 'a\u202eb' }],
    noticed: [
      { kind: '2 warnings', count: 1204, firstSeenAt: '2025-11-20T02:15:00.000Z' },
      { kind: 'group status pending', count: 2, firstSeenAt: '2025-11-20T02:15:00.000Z' },
      { kind: 'refused 401', count: 1, firstSeenAt: '2025-11-20T02:15:00.000Z' },
    ],
  };
  const lines = renderRun(exampleReport(), plain, { details }).split('\n');
  assert.ok(lines.includes(String.raw`Yes    given by eva@desk, 2026-01-05 10:00: a\u202eb`), lines.join('\n'));
  assert.deepEqual(
    lines.filter((line) => line.startsWith('Noticed')),
    ['2 warnings for a group, 1,204 times', 'status pending for a group, twice', 'call refused (HTTP 401), once'].map(
      (what) => `Noticed ${what}; first seen at this service 2025-11-20 02:15`,
    ),
  );
});

test('a shown run lists the cells that somebody changed before it was planned: who, row, column, old and new', () => {
  const of = { by: 'eva@desk', file: 'a.csv', column: 'E-mail', was: 'jane@', value: 'jane@example.com', cells: 1 };
  const corrections = [
    { ...of, line: 14 },
    { ...of, file: null, line: null, column: 'Te\u202eam', was: '', value: '\u001b[2J', cells: 1204 },
    ...Array.from({ length: 20 }, (_, at) => ({ ...of, line: 20 + at })),
  ];
  const text = renderRun(exampleReport(), plain, { details: { approvals: [], noticed: [], corrections } });
  assert.match(
    text,
    /\nChanged 1,225 cells were changed by eva@desk\n +line 14 E-mail: "jane@" -> "jane@example\.com"\n +every row \(1,204 cells\) Te\\u202eam: empty -> "\\u001b\[2J"\n/,
  );
  assert.match(text, /\n +and 2 more \(--json\)\n/);
});

test('a reason of several lines stays several lines, at the terminal and on the page, and none forges a line of ours', () => {
  const report = exampleReport({
    status: 'failed',
    statusReason: 'no column "Mail"\n  Columns found: "E-Mail"\nNext: \u001b[2J',
  });
  assert.match(
    renderResult(report, plain),
    /\n {7}no column "Mail"\n {7}Columns found: "E-Mail"\n {7}Next: \\u001b\[2J\n/,
  );
  assert.match(
    String(bringFile({ sources: [], kept: [], uploads: [], limitBytes: 1, problem: 'one\ntwo' })),
    />one<br \/>two</,
  );
});
