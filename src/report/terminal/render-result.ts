// Shows the result of a run as text.
import { count, duration, escapeText, figure, moment, shownText } from '../../core/text/format.ts';
import { countEnded, countUndelivered } from '../../core/call/outcome.ts';
import type { RunStatus } from '../../core/run/states.ts';
import { tableOf } from './columns.ts';
import { displayWidth, flow } from './layout.ts';
import { nextLine, nextStepFor, whereNamed } from './commands.ts';
import { renderDetails, renderHold } from './render-hold.ts';
import { beside, indent, labelled, paint, type Style } from './style.ts';
import {
  groupsSentences,
  leftSentences,
  planSentence,
  rejectedRows,
  rejectsToCorrect,
  rowsSentence,
} from '../plan/plan-sentences.ts';
import { describeRejects } from './reject-samples.ts';
import type { GroupTotals, RunDetails, RunReport } from '../run/run-report.ts';

const mostGroups = 10;
/** The columns that labels under the table take: `Warnings: `. */
const noteWidth = 10;

const labels: Record<RunStatus, string> = {
  planning: 'Plan',
  held: 'Held',
  delivering: 'Going',
  paused: 'Paused',
  halted: 'Halted',
  finished: 'Done',
  'finished-with-failures': 'Done',
  cancelled: 'Cancelled',
  failed: 'Failed',
};

export interface ResultOptions {
  verbose?: boolean;
  /** No rejected row is shown. */
  hidesPeople?: boolean;
  details?: RunDetails;
}

/** Without a line break at the end. The last line always gives the rejects and the next step. */
export function renderResult(
  report: RunReport,
  style: Style,
  { verbose = false, hidesPeople = false }: ResultOptions = {},
): string {
  const { groups, statusReason } = report;
  const shown = verbose ? groups.length : mostGroups;
  return [
    ...doneLines(report, style),
    ...(statusReason === undefined || report.baseline ? [] : reasonLines(statusReason, style)),
    ...throttledLines(report, style),
    ...(report.hold ? renderHold(report.run, report.hold, style) : []),
    ...(groups.length > 0 ? ['', ...groupLines(groups, shown, style), ...groupsSentences(report)] : []),
    ...notes(hidesPeople ? { ...report, rejectSamples: [] } : report, style),
    note('Next', nextLine(report), style),
  ].join('\n');
}

/** Why a run is in its state: one line, or several where a roster could not be read for several reasons. */
function reasonLines(reason: string, style: Style): string[] {
  return reason.split('\n').map((line) => indent + paint(style, 'bad', escapeText(line.trim())));
}

export function renderRun(report: RunReport, style: Style, options: ResultOptions = {}): string {
  const { run, source, service, mode, trigger, startedAt, finishedAt, durationMs, settings, roster, plan } = report;
  const end = finishedAt === null ? 'not ended' : moment(finishedAt, style.timeZone);
  const when = `${moment(startedAt, style.timeZone)} - ${end}; ${duration(durationMs)} of delivering; started by ${trigger}`;
  const { forceSync, invite, rate, attempts } = settings;
  const set = [
    `forceSync ${forceSync ? 'ON' : 'off'}`,
    `invite ${invite ? 'on' : 'off'}`,
    rate,
    count(attempts, 'attempt'),
    mode,
  ];
  return [
    labelled('Run', `${run}: source ${escapeText(source)} -> service ${escapeText(service)}`, style),
    labelled('When', escapeText(when), style),
    labelled('Set', escapeText(set.join('; ')), style),
    labelled('Read', rowsSentence(roster), style),
    labelled('Plan', planSentence(plan), style),
    ...leftSentences(plan, report.departures, whereNamed).map((sentence) => indent + sentence),
    ...(options.details ? renderDetails(options.details, style) : []),
    renderResult(report, style, options),
  ].join('\n');
}

/** That the service has asked not to be called: this outlasts the run. */
function throttledLines({ throttled, status, run }: RunReport, style: Style): string[] {
  if (throttled === undefined) return [];
  const until = moment(throttled.until, style.timeZone);
  const next =
    status === 'cancelled' || status === 'failed'
      ? 'The next run waits until then too; `roster-sync resume latest --now` ends the wait once it has begun.'
      : `Calls start again then; to call it now: roster-sync resume ${run} --now`;
  const said = `The service is rate-limiting us until ${until} (${escapeText(throttled.reason)}). ${next}`;
  return [indent + paint(style, 'warn', said)];
}

function labelOf({ status, isAbandoned, mode }: RunReport): string {
  if (!isAbandoned) return labels[status];
  return mode === 'production' ? 'Waiting' : 'Interrupted';
}

function doneLines(report: RunReport, style: Style): string[] {
  const { status, outcome, calls, pending, plan, dryRun, run } = report;
  const label = dryRun && status !== 'held' ? 'Done' : labelOf(report);
  if (dryRun) return [labelled(label, 'nothing was sent: this was a dry run', style)];
  const nothing = calls === 0 && pending === 0 && countEnded(outcome) === 0;
  const recorded = plan.new + plan.changed + plan.again;
  const given = `${count(recorded, 'person', 'people')} recorded as given already, elsewhere; nothing was sent`;
  const said = report.baseline
    ? given
    : nothing && label === 'Done'
      ? `${figure(plan.unchanged)} unchanged, nothing sent`
      : outcomeSentence(report);
  const [first = '', ...more] = beside(said, `run ${run}`, style);
  return [labelled(label, paint(style, inkOf(report), first), style), ...more];
}

function inkOf({ status, outcome }: RunReport): 'good' | 'warn' | 'bad' {
  if (status === 'halted' || status === 'failed' || outcome.failed > 0) return 'bad';
  return status === 'finished' && countUndelivered(outcome) === 0 ? 'good' : 'warn';
}

/** `200 succeeded, 0 partial, 0 failed, 0 unknown; 599 inserts, 2 warnings` */
function outcomeSentence({ outcome, pending, inserts, warnings }: RunReport): string {
  const { succeeded, partial, failed, unknown, superseded, cancelled } = outcome;
  const parts = [`${figure(succeeded)} succeeded, ${figure(partial)} partial, ${figure(failed)} failed`];
  parts.push(`${figure(unknown)} unknown`);
  if (superseded > 0) parts.push(`${figure(superseded)} superseded`);
  if (cancelled > 0) parts.push(`${figure(cancelled)} cancelled`);
  if (pending > 0) parts.push(`${figure(pending)} not sent yet`);
  return `${parts.join(', ')}; ${count(inserts, 'insert')}, ${count(warnings, 'warning')}`;
}

const byCalls = new Intl.Collator('en');
const shownFigures = ['calls', 'inserts', 'warnings', 'failures'] as const;

/** The groups with the most calls first; those beyond `shown` are summed up in one line, so that all adds up. */
function groupLines(groups: readonly GroupTotals[], shown: number, style: Style): string[] {
  const sorted = groups.toSorted((a, b) => b.calls - a.calls || byCalls.compare(a.group, b.group));
  const rest = sorted.slice(shown);
  const rows = sorted.slice(0, shown).map((each) => ({ ...each, group: shownText(each.group) }));
  if (rest.length > 0) rows.push(sum(`${figure(rest.length)} more …`, rest));
  const [heading = '', ...lines] = tableOf(rows, style.width, ({ words, numbers }) => [
    words('Group', ({ group }) => group, { least: 15, gives: true }),
    ...shownFigures.map((key) => numbers(key, (row) => row[key])),
  ]);
  return [paint(style, 'label', heading), ...lines];
}

function sum(name: string, groups: readonly GroupTotals[]): GroupTotals {
  const all = (of: (typeof shownFigures)[number]): number => groups.reduce((total, each) => total + each[of], 0);
  return {
    group: name,
    calls: all('calls'),
    inserts: all('inserts'),
    warnings: all('warnings'),
    failures: all('failures'),
  };
}

/** What else there is to say, each below its label. */
function notes(report: RunReport, style: Style): string[] {
  const { run, warnings, repeated, repeatedInvitations = 0, problems, refusedAgain = 0, roster } = report;
  const { rejectsFile, rejectSamples, rosterFile } = report;
  const said: [label: string, text: string][] = [];
  if (warnings > 0) {
    said.push(['Warnings', `the service gives a number, not a meaning; raw answers: roster-sync show ${run}`]);
  }
  if (repeated > 0) {
    const who = count(repeated, 'person', 'people');
    said.push(['Repeated', `${who} may have been sent twice: an earlier call got no answer, or an unclear one`]);
  }
  if (repeated > 0 && repeatedInvitations > 0) {
    const invited = `${figure(repeatedInvitations)} of them ${repeatedInvitations === 1 ? 'was' : 'were'}`;
    said.push(['', `-> ${invited} new, and may have been invited twice`]);
  }
  for (const [at, { outcome, reason, count: times, example }] of problems.entries()) {
    const text = `${figure(times)} ${outcome}: ${escapeText(reason)} (e.g. ${escapeText(example)})`;
    said.push([at === 0 ? 'Problems' : '', text], ['', `-> ${nextStepFor(outcome, report)}`]);
  }
  if (refusedAgain > 0) {
    const who = count(refusedAgain, 'person is', 'people are');
    said.push(['Refused', `${who} refused for the same reason as before; the run that found it names them`]);
  }
  if (roster.rejects > 0) {
    const toCorrect = rejectsToCorrect(roster);
    const which = toCorrect === roster.rejects ? 'them' : 'the others';
    const what = toCorrect === 0 ? '' : `   (correct ${which}, import that file)`;
    const where = rejectsFile === undefined ? '' : ` -> ${escapeText(rejectsFile)}${what}`;
    const samples = flow(describeRejects(rejectSamples, roster.rejects, rosterFile), ' | ', style.width - noteWidth);
    said.push(['Rejects', `${rejectedRows(roster)}${where}`]);
    if (rejectSamples.length > 0) said.push(...samples.map((line): [string, string] => ['', line]));
  }
  return said.map(([label, text]) => note(label, text, style));
}

function note(label: string, text: string, style: Style): string {
  const head = label === '' ? '' : `${label}:`;
  return `${paint(style, 'label', head)}${' '.repeat(noteWidth - displayWidth(head))}${text}`;
}
