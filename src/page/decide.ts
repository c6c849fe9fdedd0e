// A hold: what each guard saw, who is behind it, and the form that decides.
import type { Action } from '../core/run/run.ts';
import type { Html } from '../core/text/format.ts';
import { groupsToExcept, type HoldView, type RunReport } from '../report/run/run-report.ts';
import { answerSelects, type Question, questionSection } from './question.ts';
import { mayOnly, type Viewer } from './layout.ts';
import { choice, hidden, isWrong, time, wrong } from './parts.ts';
import { figure, formats, html, t, words } from './words.ts';
import { told } from './told.ts';

export interface Decision {
  /** `all`, `none`, `one` (by one), `except`, or `only:new`. */
  choice: string;
  /** How each question was answered, by its field. */
  answers: Partial<Record<string, string>>;
  note: string;
  /** The number typed. */
  confirm: string;
  /** Why it was not done. */
  problem: { field: 'choice' | 'confirm' | 'form'; message: string };
}

interface HoldPage {
  report: RunReport;
  hold: HoldView;
  viewer: Viewer;
  questions: readonly Question[];
  /** Of everybody who is held, people who are new. */
  fresh: number;
  decision?: Decision;
}

/** From this number of possible invitations on, the number has to be typed. */
const typedFrom = 20;

/** The number that has to be typed to send so many new people; undefined where no number has to be. */
export function numberToType(invite: boolean, fresh: number): number | undefined {
  return invite && fresh >= typedFrom ? fresh : undefined;
}

/** Why what was typed does not confirm a number, in words; undefined if it does, or none has to be typed. */
export function numberMistake(typed: string, number: number | undefined): string | undefined {
  if (number === undefined || typed.replaceAll(/[\s.,'’]/g, '') === String(number)) return undefined;
  const shown = typed.trim().slice(0, 20);
  return t(shown === '' ? 'Type {number} to confirm.' : 'It is {number}, not {shown}.', 1, { number, shown });
}

/** Where a number is typed to confirm it, with its label. */
export const numberField = (
  number: number,
  typed = '',
  mistaken = false,
  label: string = words('Type {number} to confirm'),
): Html =>
  html`<label for="confirm">${t(label, 1, { number: figure(number) })}</label
    ><input
      type="text"
      class="short"
      inputmode="numeric"
      autocomplete="off"
      id="confirm"
      name="confirm"
      value="${typed}"
      ${mistaken && isWrong}
    />`;

export function decide(page: HoldPage): Html {
  const { report, questions } = page;
  const sections = questions.map((question) => questionSection(report.run, question, questions.length === 1));
  return html`<div class="columns">
    <div>${sections}</div>
    <aside class="decide" aria-labelledby="decide">
      <h2 id="decide">Decide</h2>
      ${form(page)}
    </aside>
  </div>`;
}

function form({ report, hold, viewer, questions, fresh, decision }: HoldPage): Html {
  if (!viewer.mayApprove)
    return html`<p>${mayOnly(viewer)}</p>
      ${lapses(hold)}`;
  const typed = numberToType(report.settings.invite, fresh);
  const problem = decision?.problem;
  const over = hold.overDay === undefined ? '' : html`<p>${told(hold.overDay)}</p>`;
  const shown = optionsOf(hold, questions).filter(({ value }) => viewer.waits === undefined || value === 'none');
  const options = shown.map(({ value, words, consequence }) => {
    const isOn = decision?.choice === value;
    const selects = value === 'one' && answerSelects(questions, decision?.answers ?? {}, report.settings.invite);
    return html`${choice({ type: 'radio', name: 'choice', value, isOn }, words, consequence)}${selects}`;
  });
  const label = shown.length > 2 ? numberOfAll : undefined;
  return html`<form method="post" action="/runs/${report.run}/decide">
${problem && wrong(problem.message)}
${viewer.waits !== undefined && html`<p>${viewer.waits}</p>`}
${hidden({ hash: hold.hash })}
<fieldset${problem?.field === 'choice' && html` aria-describedby="wrong"`}><legend class="hidden">What should happen to them?</legend>${options}</fieldset>
<div class="field"><label for="note">Why?</label><p class="small quiet">Kept with your name.</p><input type="text" id="note" name="note" maxlength="500" value="${decision?.note ?? ''}"></div>
${namesOf(hold, questions)}
${over}
${viewer.waits === undefined && whatGoesOut(report, fresh)}
${viewer.waits === undefined && typed !== undefined && html`<div class="field row">${numberField(typed, decision?.confirm, problem?.field === 'confirm', label)}</div>`}
<button class="main" data-names="choice">Confirm my choice</button></form>${lapses(hold)}`;
}

const numberOfAll = words('Type {number} to send all. For a part, confirm first: then you see its number');

const onlyThose: Record<Action, string> = {
  new: words('Send only those who are new'),
  changed: words('Send only those who are changed'),
  again: words('Send only those who are again'),
  unchanged: words('Send only those who are unchanged'),
  departed: words('Send only those who are departed'),
  later: words('Send only those who are later'),
};

/** What can be chosen, for a file that shrank first of all to send none of it; nothing is chosen beforehand. */
function optionsOf({ deliveries, inOtherGroups, reasons }: HoldView, questions: readonly Question[]) {
  const way = (value: string, words: string, consequence: string) => ({ value, words, consequence });
  const no = t(deliveries === 0 ? 'It is not right' : 'Send none of them');
  const none = way('none', no, t('The run is cancelled. The next roster of this source is compared afresh.'));
  const hasShrunk = reasons.some(({ guard }) => guard === 'shrink');
  if (deliveries === 0) {
    const right = way('all', t('It is right'), t('Nobody is sent. Later rosters are compared with this one.'));
    return hasShrunk ? [none, right] : [right, none];
  }
  const sendAll = t('Send all {people}', deliveries, { people: figure(deliveries) });
  const all = way('all', sendAll, t('One call each, with everything shown here.'));
  const oneByOne = way('one', t('Decide one by one'), t('Those whom you leave keep waiting.'));
  if (hasShrunk) {
    return [{ ...none, words: t('Send none of it') }, all, ...(questions.length > 1 ? [oneByOne] : [])];
  }
  if (questions.length > 1) return [all, oneByOne, none];
  const actions = [
    ...new Set(reasons.flatMap(({ scope }) => (scope !== 'all' && 'actions' in scope ? scope.actions : []))),
  ];
  const groups = groupsToExcept(reasons);
  const parts = actions.length > 1 || (actions.length > 0 && groups.length > 0) ? actions : [];
  const part = (value: string, words: string) => way(value, words, t('The others keep waiting.'));
  const except = t('Send the # who are not in {groups}', inOtherGroups, { groups: groups.join(', ') });
  return [
    all,
    ...parts.map((action) => part(`only:${action}`, t(onlyThose[action]))),
    ...(inOtherGroups > 0 ? [part('except', except)] : []),
    none,
  ];
}

/** Few people are named before the button. */
function namesOf({ deliveries }: HoldView, questions: readonly Question[]): Html | false {
  const names = [...new Set(questions.flatMap((question) => question.names))];
  if (names.length === 0 || questions.some((question) => question.people > question.names.length)) return false;
  const said = { number: figure(deliveries), who: formats().list.format(names) };
  return html`<p>${t('Look at [this person|those {number}], then confirm: {who}.', deliveries, said)}</p>`;
}

function whatGoesOut(report: RunReport, fresh: number): Html {
  const invited = report.settings.invite ? fresh : 0;
  const forceSync = report.settings.forceSync || report.departures?.forceSync;
  const mails = t(
    invited === 0
      ? 'Nobody gets an e-mail.'
      : 'At most [1 person|# people] may get an invitation by e-mail. It cannot be taken back.',
    invited,
  );
  const takesOut =
    forceSync &&
    t(
      'The service may take people out of groups that are not named here (forceSync). That cannot be taken back either.',
    );
  return html`<p><b>${mails}</b> ${takesOut}</p>`;
}

function lapses({ expiresAt }: HoldView): Html | false {
  return (
    expiresAt !== null &&
    html`<p class="small quiet">
      Undecided, it lapses ${time(expiresAt)}: nobody is sent. Whoever decides first decides.
    </p>`
  );
}
