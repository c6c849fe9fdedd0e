import type { PlanView } from '../../src/report/plan/plan-row.ts';
import type { RunReport } from '../../src/report/run/run-report.ts';
import type { Style } from '../../src/report/terminal/style.ts';

/** No colour, as wide as the pictures in the tests, times in UTC. */
export const plain: Style = { color: false, width: 120, timeZone: 'UTC' };

const file = 'examples/new-starters.csv';

/** The plan of the demo: 207 rows, 200 people, all new. */
export function examplePlan(changes: Partial<PlanView> = {}): PlanView {
  return {
    service: 'SANDBOX',
    source: 'new-starters',
    form: {
      file,
      format: 'csv',
      encoding: 'utf-8',
      delimiter: ',',
      header: [],
      newline: '\n',
      headerLine: 1,
      notes: [],
    },
    columns: [
      { column: 'First Name', field: 'firstname' },
      { column: 'Last Name', field: 'lastname' },
      { column: 'Work Email', field: 'email' },
      { column: 'Mobile', field: 'telephone' },
    ],
    roster: { rows: 207, members: 200, merged: 1, filtered: 0, rejects: 6 },
    plan: { new: 200, changed: 0, again: 0, unchanged: 0, later: 0, departed: 0, leftBehind: 0 },
    calls: 200,
    possibleInvitations: 200,
    groups: Array.from({ length: 31 }, (_, at) => ({ group: `Group ${at}`, adds: 31 - at })),
    samples: [
      {
        firstname: 'Åse',
        lastname: 'Lindqvist',
        email: 'ase.lindqvist@example.com',
        groups: ['New starters', 'Finance', 'Sweden'],
      },
      {
        firstname: '太郎',
        lastname: '山田',
        email: 'taro.yamada@example.com',
        telephone: '+81 3 1234 5678',
        groups: ['New starters', 'Sales', 'Japan'],
      },
    ],
    forceSync: false,
    invite: true,
    rate: '50/s',
    estimatedMs: 4000,
    mergedLines: [[12, 40]],
    remarks: [],
    rejectSamples: exampleRejects(),
    nobodyKnown: false,
    ...changes,
  };
}

/** Four of the six rejects of the demo. */
export function exampleRejects(): RunReport['rejectSamples'] {
  const shared = 'two people share this address: lines 52 and 53';
  const two = { file, cells: [], column: 'Work Email', value: 'info@example.com', reason: shared };
  return [
    { file, line: 14, cells: [], column: 'Work Email', value: ' ', reason: 'e-mail is empty' },
    { ...two, line: 52 },
    { ...two, line: 53 },
    { file, line: 88, cells: [], column: 'Work Email', value: 'jane@', reason: '"jane@" is not an e-mail address' },
  ];
}

/** The result of the demo: everybody delivered, two warnings, six rejects. */
export function exampleReport(changes: Partial<RunReport> = {}): RunReport {
  return {
    run: '7f3a',
    source: 'new-starters',
    mode: 'embedded',
    dryRun: false,
    service: 'SANDBOX',
    roster: { rows: 207, members: 200, merged: 1, filtered: 0, rejects: 6 },
    plan: { new: 200, changed: 0, again: 0, unchanged: 0, later: 0, departed: 0, leftBehind: 0 },
    outcome: { succeeded: 200, partial: 0, failed: 0, unknown: 0, superseded: 0, cancelled: 0 },
    groups: [
      { group: 'Sales', calls: 41, inserts: 39, warnings: 2, succeeded: 41, failures: 0 },
      { group: 'New starters', calls: 200, inserts: 200, warnings: 0, succeeded: 200, failures: 0 },
    ],
    inserts: 599,
    warnings: 2,
    calls: 200,
    durationMs: 4000,
    status: 'finished',
    trigger: 'import',
    startedAt: '2026-01-05T14:03:20.000Z',
    finishedAt: '2026-01-05T14:03:24.000Z',
    repeated: 0,
    pending: 0,
    held: 0,
    settings: { forceSync: false, invite: true, rate: '50/s', attempts: 6 },
    rejectsFile: '.roster-sync/7f3a-rejects.csv',
    rejectSamples: exampleRejects(),
    problems: [],
    ...changes,
  };
}

/** A result in which nothing happened at all. */
export function emptyReport(changes: Partial<RunReport> = {}): RunReport {
  return exampleReport({
    roster: { rows: 200, members: 200, merged: 0, filtered: 0, rejects: 0 },
    plan: { new: 0, changed: 0, again: 0, unchanged: 200, later: 0, departed: 0, leftBehind: 0 },
    outcome: { succeeded: 0, partial: 0, failed: 0, unknown: 0, superseded: 0, cancelled: 0 },
    groups: [],
    inserts: 0,
    warnings: 0,
    calls: 0,
    rejectSamples: [],
    ...changes,
  });
}
