// Shows the report of a run as one HTML page.
import { countUndelivered, type Outcome } from '../../core/call/outcome.ts';
import { count, duration, figure, moment } from '../../core/text/figures.ts';
import { type Html, html, type HtmlPart } from '../../core/text/html.ts';
import { type HoldView, holdCommands } from './hold-view.ts';
import { nextLine, nextStepFor } from './next-step.ts';
import { bar, type BarPart, beginPage, endPage, lineByLine } from '../files/page.ts';
import {
  groupsSentences,
  leftSentences,
  planSentence,
  rejectedRows,
  rejectsToCorrect,
  rowsSentence,
} from '../plan/plan-sentences.ts';
import { firstSeen, noticedWords } from '../terminal/render-details.ts';
import type { ReportSource, RunDetails } from '../files/report-row.ts';
import { headings, type Kind, kindOf, reportPeople } from './report-people.ts';
import { type GroupView, type RunReport, stateWord } from './run-report.ts';

const mostGroups = 500;

const stateKinds: Partial<Record<RunReport['status'], Kind>> = {
  finished: 'good',
  'finished-with-failures': 'bad',
  failed: 'bad',
  halted: 'bad',
  held: 'late',
  paused: 'late',
};

/** It needs nothing else: no script, no request. */
export async function* reportHtml({ report, details, rows }: ReportSource): AsyncGenerator<string> {
  yield beginPage(`${report.source}, run ${report.run}`);
  yield String(
    html`${head(report)} ${outcomes(report)} ${facts(report, details)} ${groups(report)} ${noticed(details)}
    ${problems(report)} ${rejects(report)}`,
  );
  yield* reportPeople(report, rows);
  yield endPage;
}

const row = (...cells: HtmlPart[]): Html =>
  html`<tr>
    ${cells}
  </tr>`;
const heading = (name: string): Html => html`<th>${name}</th>`;
const cell = (content: HtmlPart, kind?: 'n' | 't' | 'b'): Html =>
  kind === undefined ? html`<td>${content}</td>` : html`<td class="${kind}">${content}</td>`;

function optionalTile(value: number, one: string, many: string): [number, one: string, many: string][] {
  return value > 0 ? [[value, one, many]] : [];
}

function head(report: RunReport): Html {
  const { source, service, run, status, startedAt, finishedAt, durationMs, inserts, warnings, calls, outcome } = report;
  const end = finishedAt === null ? 'not ended' : moment(finishedAt);
  const tiles: [number, one: string, many: string][] = [
    [outcome.succeeded, 'person delivered', 'people delivered'],
    [countUndelivered(outcome), 'person not delivered', 'people not delivered'],
    ...optionalTile(outcome.superseded, 'person superseded', 'people superseded'),
    ...optionalTile(report.pending, 'person not sent yet', 'people not sent yet'),
    [calls, 'call', 'calls'],
    [inserts, 'insert', 'inserts'],
    [warnings, 'warning', 'warnings'],
    [report.roster.rejects, 'rejected row', 'rejected rows'],
  ];
  return html`<h1>${source} <span class="state ${stateKinds[status] ?? 'idle'}">${stateWord(report)}</span></h1>
    <p class="small">
      run ${run} · to ${service} · ${moment(startedAt)} – ${end} · ${duration(durationMs)} of delivering
    </p>
    ${report.statusReason !== undefined && html`<p>${lineByLine(report.statusReason.split('\n'))}</p>`}
    <div class="tiles">
      ${tiles.map(
        ([value, one, many]) =>
          html`<div class="tile"><b>${figure(value)}</b><span>${value === 1 ? one : many}</span></div>`,
      )}
    </div>
    ${report.hold && whyHeld(report.run, report.hold)}
    <p><b>Next:</b> ${nextLine(report)}</p>`;
}

function whyHeld(run: string, hold: HoldView): Html {
  return html`<h2>Why it is held</h2>
    ${hold.reasons.map(({ guard, message }) => html`<p><b>${guard}</b>: ${lineByLine(message.split('\n'))}</p>`)}
    <table class="commands">
      ${holdCommands(run, hold).map(({ command, does }) => row(cell(html`<code>${command}</code>`), cell(does)))}
    </table>
    ${hold.expiresAt !== null && html`<p class="small">Cancelled unless approved by ${moment(hold.expiresAt)}.</p>`}`;
}

function outcomes({ outcome, pending }: RunReport): HtmlPart {
  const named = [...Object.entries(outcome), ['not sent yet', pending] as const].filter(([, value]) => value > 0);
  const total = named.reduce((sum, [, value]) => sum + value, 0);
  if (total === 0) return false;
  const kind = (name: string): Kind => (name in kindOf ? kindOf[name as Outcome] : 'idle');
  const parts = named.map(([name, value]) => {
    return { kind: kind(name), percent: (value / total) * 100, title: `${figure(value)} ${name}` };
  });
  return html`<h2>People</h2>
    ${bar(parts)}
    <p class="small">${parts.map((part) => html`<i class="key ${part.kind}"></i>${part.title} `)}</p>`;
}

const unapproved: Partial<Record<RunReport['status'], string>> = { held: 'nobody yet', cancelled: 'nobody' };

function facts(report: RunReport, { approvals, checksum, rosterTime }: RunDetails): Html {
  const { trigger, settings, roster, plan, rosterFile, mode, repeated } = report;
  const { forceSync, invite, rate, attempts } = settings;
  const approved = approvals.map(({ at, by, note }) => `${by}, ${moment(at)}${note === '' ? '' : `: ${note}`}`);
  const twice = count(repeated, 'person was', 'people were');
  const rows: [name: string, text: string][] = [
    ['Started by', trigger],
    ['Approved by', approved.join('; ') || unapproved[report.status] || 'nobody had to'],
    [
      'Settings',
      `forceSync ${forceSync ? 'ON' : 'off'}; invite ${invite ? 'on' : 'off'}; ${rate}; ${count(attempts, 'attempt')}; ${mode}`,
    ],
    ['Roster', rosterFile === undefined ? 'none was read' : rosterFile],
    ['Roster date', rosterTime === undefined ? '' : moment(rosterTime)],
    ['SHA-256', checksum ?? ''],
    ['Read', rowsSentence(roster)],
    ['Plan', [planSentence(plan), ...leftSentences(plan, report.departures)].join('; ')],
    ['Repeated', repeated > 0 ? `${twice} perhaps called twice, and may have been invited twice` : ''],
  ];
  return html`<h2>Run details</h2>
    <table class="facts">
      ${rows.filter(([, text]) => text !== '').map(([name, text]) => row(cell(name), cell(text)))}
    </table>`;
}

function groups(report: RunReport): HtmlPart {
  const all = report.groups;
  if (all.length === 0) return false;
  const sorted = all.toSorted((a, b) => b.calls - a.calls || (a.group < b.group ? -1 : 1));
  const further = ({ calls, succeeded, failures }: GroupView): number => Math.max(0, calls - succeeded - failures);
  const most = Math.max(1, ...sorted.map((each) => each.succeeded + each.failures + further(each)));
  const rows = sorted.slice(0, mostGroups).map((each) => {
    const { group, calls, inserts, warnings, succeeded, failures } = each;
    const share = (value: number): number => (value / most) * 100;
    const parts: BarPart[] = [
      { kind: 'good', percent: share(succeeded), title: `${figure(succeeded)} succeeded` },
      { kind: 'bad', percent: share(failures), title: count(failures, 'failure') },
      { kind: 'idle', percent: share(further(each)), title: count(further(each), 'call') + ' without an end' },
    ];
    const figures = [calls, inserts, warnings, failures].map((value) => cell(figure(value), 'n'));
    return row(cell(group, 't'), cell(bar(parts), 'b'), ...figures);
  });
  const left = all.length - rows.length;
  return html`<h2>Groups</h2>
    ${groupsSentences(report).map((sentence) => html`<p class="small">${sentence}</p>`)}
    <div class="scroll">
      <table>
        <thead>
          ${row(heading('Group'), heading(''), headings(['calls', 'inserts', 'warnings', 'failures']))}
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
    ${left > 0 && html`<p class="small">${figure(left)} more groups are in the JSON report.</p>`}`;
}

function noticed({ noticed: kinds }: RunDetails): HtmlPart {
  if (kinds.length === 0) return false;
  return html`<h2>Noticed in the answers</h2>
    <p class="small">The service gives numbers, not meanings. Check what it has never given before.</p>
    <table>
      <thead>
        ${row(heading('Kind'), headings(['times in this run', firstSeen]))}
      </thead>
      <tbody>
        ${kinds.map(({ kind, count: times, firstSeenAt }) =>
          row(cell(noticedWords(kind)), cell(figure(times), 'n'), cell(moment(firstSeenAt), 'n')),
        )}
      </tbody>
    </table>`;
}

function problems(report: RunReport): HtmlPart {
  if (report.problems.length === 0) return false;
  return html`<h2>Problems</h2>
    <table>
      ${report.problems.map(({ outcome, reason, count: times, example }) =>
        row(
          cell(html`<span class="mark ${kindOf[outcome]}">${outcome}</span>`),
          cell(figure(times), 'n'),
          cell(html`${reason}<br /><span class="small">e.g. ${example} · ${nextStepFor(outcome, report)}</span>`),
        ),
      )}
    </table>`;
}

function rejects({ roster, rejectSamples, rejectsFile }: RunReport): HtmlPart {
  if (roster.rejects === 0) return false;
  const where =
    rejectsFile !== undefined &&
    rejectsToCorrect(roster) > 0 &&
    html` Correct them in <code>${rejectsFile}</code> and import that file.`;
  const left = roster.rejects - rejectSamples.length;
  return html`<h2>Rejected rows</h2>
    <p>${rejectedRows(roster)} could not become a person.${where}</p>
    <table>
      <thead>
        ${row(headings(['line']), heading('column'), heading('why'))}
      </thead>
      ${rejectSamples.map(({ line, column, reason }) => row(cell(figure(line), 'n'), cell(column), cell(reason)))}
    </table>
    ${left > 0 && html`<p class="small">and ${figure(left)} more</p>`}`;
}
