// Shows the list of runs as text.
import { countUndelivered } from '../../core/call/outcome.ts';
import { figure, moment } from '../../core/text/format.ts';
import { tableOf } from './columns.ts';
import { type RunReport, stateWord } from '../run/run-report.ts';
import { paint, type Style } from './style.ts';

/** One line for each run, newest first, then what waits for a decision; without a line break at the end. */
export function renderRuns(runs: readonly RunReport[], style: Style): string {
  if (runs.length === 0) return 'No runs yet. To begin: roster-sync import FILE --dry-run';
  const sorted = runs.toSorted((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
  const [heading = '', ...lines] = tableOf(sorted, style.width, ({ words, numbers }) => [
    words('Run', ({ run }) => run),
    words('source', ({ source }) => source, { gives: true }),
    words('trigger', ({ trigger }) => trigger),
    words('status', stateWord),
    words('started', ({ startedAt }) => moment(startedAt, style.timeZone)),
    numbers('people', ({ roster }) => roster.members),
    numbers('succeeded', ({ outcome }) => outcome.succeeded),
    numbers('undelivered', ({ outcome }) => countUndelivered(outcome)),
    // Superseded deliveries are rare and harmless.
    ...(runs.some(({ outcome }) => outcome.superseded > 0)
      ? [numbers('superseded', ({ outcome }) => outcome.superseded)]
      : []),
    numbers('waiting', ({ pending }) => pending),
    numbers('rejects', ({ roster }) => roster.rejects),
  ]);
  return [paint(style, 'label', heading), ...lines, ...sorted.flatMap((run) => toDecide(run, style))].join('\n');
}

function toDecide(summary: RunReport, style: Style): string[] {
  const { run, status, isAbandoned = false, pending, hold } = summary;
  const isStopped = status === 'held' || status === 'paused' || status === 'halted' || isAbandoned;
  const held = hold?.deliveries ?? 0;
  if (!isStopped && held === 0) return [];
  const what = status === 'held' || held === 0 ? `${figure(pending)} waiting` : `${figure(held)} held`;
  return [
    `${paint(style, 'warn', 'To decide:')} run ${run} is ${stateWord(summary)}, ${what}: roster-sync show ${run}`,
  ];
}
