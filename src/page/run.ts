// A run: how far it is, what was not delivered and why, its groups and people, and who did what.
import { countUndelivered } from '../core/call/outcome.ts';
import { defined } from '../core/defined.ts';
import type { Rate } from '../core/pace/pacing.ts';
import type { Html, HtmlPart } from '../core/text/format.ts';
import type { AuditEntry } from '../ledger/access/tokens.ts';
import type { PersonOfRun } from '../ledger/people/people-of-run.ts';
import type { FailuresOfCause } from '../ledger/runs/failures.ts';
import type { RawAnswer } from '../ledger/runs/reading.ts';
import type { RunPace, Timeline } from '../ledger/runs/watching.ts';
import type { RunDetails, RunReport } from '../report/run/run-report.ts';
import { changedSentence, leftSentences, planSentence, rowsSentence } from '../report/plan/plan-sentences.ts';
import { noticedWords } from '../report/terminal/render-hold.ts';
import { changesTable } from './changes.ts';
import { decide, type Decision } from './decide.ts';
import type { Viewer } from './layout.ts';
import { deed, lineByLine, list, note, part, row, statePill, table, time, statusWord } from './parts.ts';
import { movesForms } from './forget.ts';
import { inPageWords } from './press.ts';
import type { Question } from './question.ts';
import { overTime } from './over-time.ts';
import { runFailures, type GroupOfRun, groupsAndPeople, saidOf, wordForWord } from './run-people.ts';
import { leftMs, progress } from './run-progress.ts';
import { figure, formats, html, t } from './words.ts';
import { told } from './told.ts';

export interface RunView {
  report: RunReport;
  details: RunDetails;
  /** A few of the answers to look at, as they were received. */
  answers: RawAnswer[];
  failures: FailuresOfCause[];
  timeline: Timeline;
  pace: RunPace;
  rate: Rate;
  groups: GroupOfRun[];
  areAllGroupsShown: boolean;
  latest: PersonOfRun[];
  /** Whoever had it begun; of what began by itself its trigger. */
  startedBy: string;
  /** Who did what to it, the newest first. */
  deeds: AuditEntry[];
  /** The most invitations that it may cause. */
  possibleInvitations: number;
  viewer: Viewer;
  questions: readonly Question[];
  /** Of everybody who is held, people who are new. */
  fresh: number;
  decision?: Decision;
  /** What others sent before of what was held; absent where nobody has. */
  sentBefore?: { by: string[]; at: string; people: number };
  /** People who wait for a decision because their address changed. */
  moves: number;
  /** A run of its source before it released something, so that the two can be compared. */
  hasEarlier: boolean;
  /** Whether somebody chose something after it was decided. */
  isTooLate?: boolean;
}

export function titleOf({ source, hold, status }: RunReport): string {
  const held = hold?.deliveries ?? 0;
  if (held > 0) return t('Should [this person|these # people] be sent?', held);
  return status === 'held' ? t('Is this roster right?') : source;
}

export function run(view: RunView): Html {
  const { report, viewer, failures, timeline, pace, rate } = view;
  const { source, startedAt, hold, status } = report;
  const isHeld = hold !== undefined && (hold.deliveries > 0 || status === 'held');
  if (isHeld) {
    const first = t('Whoever decides first decides.');
    return html`<h1>${titleOf(report)} ${statePill(report)}</h1>
      <p class="lead">${source}, read ${time(startedAt)} · run ${report.run}</p>
      ${view.sentBefore && note(html`${sentence(view.sentBefore)} This is what is left.`, first)}
      ${decide({ ...view, hold })} ${moves(view)} ${progress(report, pace)}
      ${runFailures(report.run, failures, { mayRetry: false, isOver: false, delivered: report.outcome.succeeded })}
      ${facts(view)}`;
  }
  const mayRetry = viewer.mayRun && status === 'finished-with-failures';
  const isOver = report.finishedAt !== null;
  const times = { ...(!isOver && { now: pace.now.toISOString() }), ...defined({ leftMs: leftMs(report, pace) }) };
  return html`${view.isTooLate && tooLate(view)}${part(
    'head',
    html`<div class="head">
      <div>
        <h1>${titleOf(report)} ${statePill(report)}</h1>
        <p class="lead">${who(view)}</p>
      </div>
      ${steer(report, viewer)}
    </div>`,
  )}
  ${whyItEnded(report)} ${progress(report, pace)} ${part('over-time', overTime({ timeline, rate, ...times }))}
  ${part('failures', runFailures(report.run, failures, { mayRetry, isOver, delivered: report.outcome.succeeded }))}
  ${moves(view)} ${groupsAndPeople(report.run, view.groups, view.latest, view.areAllGroupsShown)}
  ${status !== 'cancelled' && report.plan.leftBehind > 0 && keepers(report.plan.leftBehind)} ${further(view)}
  ${facts(view)}`;
}

const keepers = (people: number): Html =>
  note(
    t('[1 person keeps|# people keep] groups the roster no longer names.', people),
    t('Nobody can be taken out of a group from here. Somebody has to, in the service.'),
  );

/** What else there is to see of a run that sends. */
function further({ report: { run, calls }, hasEarlier }: RunView): Html | false {
  if (calls === 0 && !hasEarlier) return false;
  return html`<p>
    ${calls > 0 && html`<a href="/runs/${run}/inserts">What exactly did they get?</a>`}${calls > 0 && hasEarlier && ' · '}
    ${hasEarlier && html`<a href="/runs/${run}/compare">Compare with the run before</a>`}
  </p>`;
}

function moves({ report, moves, viewer }: RunView): Html | false {
  return moves > 0 && movesForms(report.run, moves, viewer);
}

function tooLate({ report, sentBefore }: RunView): Html {
  const status = statusWord(report.status);
  const finding = sentBefore ? sentence(sentBefore) : t('This run is {status} by now.', 1, { status });
  return html`<div role="alert">
    ${note(finding, t('Somebody decided before you. Nothing of what you chose was done.'))}
  </div>`;
}

function sentence({ by, at, people }: NonNullable<RunView['sentBefore']>): Html {
  return html`${formats().list.format(by)} sent ${figure(people)} of them ${time(at)}.`;
}

/** Who approved it or started it, how many invitations it may cause, and its id. */
function who({ report, details, startedBy, possibleInvitations }: RunView): Html {
  const approval = details.approvals.at(-1);
  const by = approval
    ? html`Approved by ${approval.by} ${time(approval.at)}`
    : html`Started by ${startedBy} ${time(report.startedAt)}`;
  const invitations =
    possibleInvitations > 0 ? t('up to [1 invitation|# invitations]', possibleInvitations) : t('no invitations');
  return html`${by} · ${invitations} · run ${report.run}`;
}

/** Of a run that has stopped for good, and did not deliver everybody. */
function whyItEnded({ status, statusReason = '', outcome }: RunReport): Html | false {
  if (status === 'finished-with-failures') {
    const said = t('Its deadline passed before [1 person was|# people were] sent.', outcome.cancelled);
    return statusReason !== '' && html`<p>${said}</p>`;
  }
  if (status !== 'cancelled' && status !== 'failed') return false;
  return html`<p>${lineByLine(inPageWords(statusReason).split('\n').map(told))}</p>`;
}

/** A retry sends those whom its deadline has left, too. */
function retryWords(failed: number, left: number): string {
  const said = { people: figure(failed), left: figure(left) };
  if (left === 0) return t('Retry {people}', failed, said);
  return failed === 0
    ? t('Send the {left} left', left, said)
    : t('Retry {people} and send the {left} left', left, said);
}

function steer(
  { run, status, statusReason, pending, isAbandoned, outcome }: RunReport,
  { mayRun }: Viewer,
): Html | false {
  if (!mayRun) return false;
  const path = `/runs/${run}`;
  const failed = countUndelivered(outcome) - outcome.cancelled;
  // Only a run that its deadline has ended says why.
  const left = statusReason === undefined ? 0 : outcome.cancelled;
  const buttons = [
    status === 'delivering' && !isAbandoned && deed(`${path}/pause`, t('Pause')),
    (status === 'paused' || status === 'halted' || isAbandoned) && deed(`${path}/resume`, t('Resume'), 'dark'),
    status === 'finished-with-failures' && failed + left > 0 && deed(`${path}/retry`, retryWords(failed, left)),
    (status === 'delivering' || status === 'paused' || status === 'halted') &&
      pending > 0 &&
      html`<a class="button danger" href="${path}/cancel">Cancel the rest</a>`,
  ];
  return html`<div class="row">${buttons}</div>`;
}

export function cancelPage({ run, outcome, pending }: RunReport): Html {
  const { succeeded, partial, unknown, failed } = outcome;
  return html`<h1>Cancel the rest?</h1>
    <p>
      ${t('[1 person was|# people were] delivered and stay so.', succeeded)}
      ${partial > 0 && t('[1 person is|# people are] in only some of their groups, and stay there.', partial)}
      ${unknown > 0 && t('[1 person|# people] may have been delivered: nobody knows.', unknown)}
      ${failed > 0 && t('[1 person|# people] failed.', failed)}
    </p>
    <p>${t('[1 person is|# people are] not sent. The next roster of this source plans them again.', pending)}</p>
    <div class="row">
      ${deed(`/runs/${run}/cancel`, t('Cancel the rest'), 'danger')}<a class="button" href="/runs/${run}"
        >Back to the run</a
      >
    </div>`;
}

type Facts = readonly (readonly [name: string, value: string])[];

/** What was read, and what would become of it. */
export const readFacts = ({ status, rosterFile, roster, plan, departures }: RunReport): Facts => [
  [t('Roster'), rosterFile ?? t('none was read')],
  [t('Read'), told(rowsSentence(roster))],
  [
    t('Plan'),
    [planSentence(plan), ...(status === 'cancelled' ? [] : leftSentences(plan, departures))].map(told).join('; '),
  ],
];

/** How it was sent. */
export const setFacts = ({ settings, repeated, departures }: RunReport): Facts => [
  [t('Invites new people'), settings.invite ? t('yes') : t('no')],
  [t('Takes people out of groups'), takesOut(settings.forceSync, departures?.forceSync)],
  [t('Calls'), t('at most {most}', 1, { most: settings.rate })],
  [t('Attempts of a call'), t('at most {most}', 1, { most: settings.attempts })],
  [t('Repeated'), repeated > 0 ? t('[1 call|# calls] may have happened twice', repeated) : ''],
];

const takesOut = (all: boolean, leavers = false): string =>
  all ? t('yes (forceSync)') : leavers ? t('only those who left (forceSync)') : t('no');

function facts({ report, details, answers, deeds, startedBy }: RunView): Html {
  const { roster, run } = report;
  const approvals = details.approvals.map(
    ({ at, by, note }) => html`${by}, ${time(at)}${note !== '' && `: ${note}`}<br />`,
  );
  const did = [
    [t('Started by'), startedBy],
    [t('Approved by'), approvals.length > 0 ? html`${approvals}` : t('nobody so far')],
  ] as const;
  const set = setFacts(report).filter(([, text]) => text !== '');
  return html`<h2 class="hidden">Details</h2>
    ${noticed(details, answers)}
    ${fold(t('How it was read'), html`${list(readFacts(report))}${rejects(run, roster.rejects)}`)} ${changed(details)}
    ${fold(t('Settings'), list(set))} ${fold(t('Who did what'), html`${list(did)}${audit(deeds)}`, true)}`;
}

const changed = ({ corrections }: RunDetails): Html | false =>
  corrections !== undefined && fold(told(changedSentence(corrections)), changesTable(corrections));

function fold(summary: string, body: Html, isOpen = false): Html {
  return html`<details class="fold" ${isOpen && html` open`}>
    <summary>${summary}</summary>
    ${body}
  </details>`;
}

function rejects(run: string, rejected: number): Html | false {
  return (
    rejected > 0 &&
    html`<p>
      <a href="/runs/${run}/people?show=reject">${t('See the [1 rejected row|# rejected rows]', rejected)}</a> ·
      <a href="/files/runs/${run}/rejects">Download them</a>
    </p>`
  );
}

function noticed(details: RunDetails, answers: RunView['answers']): Html | false {
  const { length } = details.noticed;
  return (
    length > 0 &&
    fold(
      t('Answers to look at: [1 kind|# kinds]', length),
      html`${noticedTable(details)}${answers.map((answer) => wordForWord(answer, `${answer.email}: ${saidOf(answer.reason || told(noticedWords(answer.kind)))}`))}`,
    )
  );
}

export function noticedTable({ noticed }: RunDetails, at: (iso: string) => HtmlPart = time): Html {
  const rows = noticed.map(({ kind, count: times, firstSeenAt }) =>
    row(told(noticedWords(kind)), { n: figure(times) }, at(firstSeenAt)),
  );
  return table(t('Answers to look at'), [t('Answer'), { n: t('Times') }, t('First seen at this service')], rows);
}

function audit(deeds: readonly AuditEntry[]): Html | false {
  if (deeds.length === 0) return false;
  const rows = deeds.map(({ at, by, action }) => row(action, by, time(at.toISOString())));
  return table(t('Who did what'), [t('What'), t('Who'), t('When')], rows);
}
