// A run: how far it is, what was not delivered and why, its groups, and who did what.
import { countUndelivered } from '../core/call/outcome.ts';
import { count, duration, figure } from '../core/text/figures.ts';
import { html, type Html } from '../core/text/html.ts';
import type { RunDetails } from '../report/files/report-source.ts';
import { leftSentences, planSentence, rowsSentence } from '../report/plan/plan-sentences.ts';
import type { Problem, RunReport } from '../report/run/run-report.ts';
import { decide, type Decision } from './decide.ts';
import { progressOf } from './home.ts';
import type { Viewer } from './layout.ts';
import type { Question } from './question.ts';
import { bar, deed, note, statePill, table, time } from './parts.ts';

/** What the page of a run shows. */
export interface RunView {
  report: RunReport;
  details: RunDetails;
  viewer: Viewer;
  /** What holds it; empty where nothing does. */
  questions: readonly Question[];
  /** Of everybody who is held, people who are new. */
  fresh: number;
  /** What somebody chose, where it could not be done. */
  decision?: Decision;
}

/** The most groups to list. */
const mostGroups = 50;

/** The title of a run: what is asked, or what is so. */
export function titleOf({ source, hold, status }: RunReport): string {
  const held = hold?.deliveries ?? 0;
  if (held > 0) return held === 1 ? 'Should this person be sent?' : `Should these ${figure(held)} people be sent?`;
  return status === 'held' ? 'Is this roster right?' : source;
}

/** The body of the page of a run. */
export function run(view: RunView): Html {
  const { report, viewer } = view;
  const { source, startedAt, statusReason, hold } = report;
  const isHeld = hold !== undefined && (hold.deliveries > 0 || report.status === 'held');
  return html`<h1>${titleOf(report)} ${statePill(report)}</h1>
    <p class="lead">
      ${isHeld && `${source}, `}read ${time(startedAt)} · run
      ${report.run}${!isHeld && statusReason !== undefined && ` · ${statusReason}`}
    </p>
    ${isHeld ? decide({ ...view, hold }) : steer(report, viewer)} ${sent(report)} ${problems(report)} ${groups(report)}
    ${facts(view)}`;
}

function steer(
  { run, status, pending, isAbandoned, outcome }: RunReport,
  { mayRun, mayApprove }: Viewer,
): Html | false {
  if (!mayRun) return false;
  const path = `/runs/${run}`;
  const undelivered = countUndelivered(outcome);
  const buttons = [
    status === 'delivering' && !isAbandoned && deed(`${path}/pause`, 'Pause'),
    (status === 'paused' || status === 'halted' || isAbandoned) && deed(`${path}/resume`, 'Resume'),
    status === 'finished-with-failures' && deed(`${path}/retry`, `Retry ${figure(undelivered)}`),
    (status === 'delivering' || status === 'paused' || status === 'halted') &&
      pending > 0 &&
      mayApprove &&
      html`<a class="button danger" href="${path}/cancel">Cancel the rest</a>`,
  ];
  return html`<div class="row">${buttons}</div>`;
}

/** The page that asks before the rest of a run is cancelled. */
export function cancelPage({ run, outcome, pending }: RunReport): Html {
  return html`<h1>Cancel the rest?</h1>
    <p>
      ${count(outcome.succeeded, 'person was', 'people were')} sent and stay so.
      ${count(pending, 'person is', 'people are')} not sent. The next roster of this source plans them again.
    </p>
    <div class="row">
      ${deed(`/runs/${run}/cancel`, 'Cancel the rest', 'danger')}<a class="button" href="/runs/${run}"
        >Back to the run</a
      >
    </div>`;
}

function sent(report: RunReport): Html | false {
  const { outcome, pending, calls, durationMs, run, settings } = report;
  const { done, all } = progressOf(report);
  if (all === 0 || (calls === 0 && report.hold !== undefined)) return false;
  return html`<h2>${figure(done)} of ${count(all, 'person', 'people')}</h2>
    ${bar([
      { tone: 'ok', value: outcome.succeeded, words: 'delivered' },
      { tone: 'warn', value: outcome.partial, words: 'partly' },
      { tone: 'warn', value: outcome.unknown, words: 'unknown: they may be in' },
      { tone: 'bad', value: outcome.failed, words: 'failed' },
      { tone: 'mute', value: outcome.superseded, words: 'superseded by a newer roster' },
      { tone: 'mute', value: outcome.cancelled, words: 'cancelled' },
      { tone: 'mute', value: pending, words: 'to go' },
    ])}
    <p class="small quiet">
      ${count(calls, 'call')}${durationMs > 0 && ` in ${duration(durationMs)}`}, limit ${settings.rate}.
      <a href="/runs/${run}/people">See everybody</a> ·
      <a href="/files/runs/${run}/report?format=csv">Download the report</a>
    </p>`;
}

const outcomeWords: Record<Problem['outcome'], string> = { failed: 'Failed', partial: 'Partly', unknown: 'Unknown' };

function problems({ problems, run, outcome }: RunReport): Html | false {
  if (problems.length === 0) {
    return (
      outcome.succeeded > 0 &&
      html`<h2>Not delivered</h2>
        <p>Everybody so far was delivered.</p>`
    );
  }
  const rows = problems.map(
    ({ outcome, reason, count: people, example }) =>
      html`<tr>
        <th scope="row">${outcomeWords[outcome]}</th>
        <td>${reason}<br /><span class="small quiet">for instance ${example}</span></td>
        <td class="n">${figure(people)}</td>
        <td><a href="/runs/${run}/people?show=${outcome}">See them</a></td>
      </tr>`,
  );
  return html`<h2>Not delivered</h2>
    ${table('Not delivered, by cause', ['Outcome', 'What came back', { n: 'People' }, 'Who'], rows)}`;
}

function groups({ groups, plan }: RunReport): Html | false {
  if (groups.length === 0) return false;
  const rows = groups.slice(0, mostGroups).map(
    ({ group, calls, succeeded, failures }) =>
      html`<tr>
        <th scope="row">${group}</th>
        <td class="n">${figure(calls)}</td>
        <td class="n">${figure(succeeded)}</td>
        <td class="n">${figure(failures)}</td>
      </tr>`,
  );
  const further = groups.length - mostGroups;
  return html`<h2>Groups</h2>
    ${table('Groups', ['Group', { n: 'Calls' }, { n: 'Delivered' }, { n: 'Not, or unknown' }], rows)}
    ${further > 0 && html`<p class="small quiet">${count(further, 'more group')} in the report.</p>`}
    ${plan.leftBehind > 0 && note(`${count(plan.leftBehind, 'person keeps', 'people keep')} groups the roster no longer names.`, 'Nobody can be taken out of a group from here. Somebody has to, in the service.')}`;
}

function facts({ report, details }: RunView): Html {
  const { trigger, settings, roster, plan, rosterFile, departures, repeated, run } = report;
  const approvals = details.approvals.map(
    ({ at, by, note }) => html`${by}, ${time(at)}${note !== '' && `: ${note}`}<br />`,
  );
  const rows: [string, Html | string][] = [
    ['Started by', trigger],
    ['Approved by', approvals.length > 0 ? html`${approvals}` : 'nobody so far'],
    ['Roster', rosterFile ?? 'none was read'],
    ['Read', rowsSentence(roster)],
    ['Plan', [planSentence(plan), ...leftSentences(plan, departures)].join('; ')],
    [
      'Settings',
      `forceSync ${settings.forceSync ? 'on' : 'off'}, invite ${settings.invite ? 'on' : 'off'}, ${settings.rate}, ${count(settings.attempts, 'attempt')}`,
    ],
    ...(repeated > 0 ? [['Repeated', `${count(repeated, 'call')} may have happened twice`] as [string, string]] : []),
  ];
  return html`<h2>What was read, and with which settings</h2>
    <dl>
      ${rows.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
    ${roster.rejects > 0 && html`<p><a href="/runs/${run}/people?show=reject">See the ${count(roster.rejects, 'rejected row')}</a> · <a href="/files/runs/${run}/rejects">Download them</a></p>`}`;
}
