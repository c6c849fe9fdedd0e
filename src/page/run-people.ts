// The groups of a run beside its people, those who ended last first; and who was not delivered, by cause.
import type { Html } from '../core/text/format.ts';
import type { PersonOfRun } from '../ledger/people/people-of-run.ts';
import type { GroupView } from '../report/run/run-report.ts';
import { deed, lines, part, row, searchForm, table, time, tinyBar } from './parts.ts';
import { linkTo, outcomePill } from './people-table.ts';
import { adviceFor, writeCause } from '../core/run/cause.ts';
import { parseJson } from '../core/attempt.ts';
import type { RawAnswer } from '../ledger/runs/reading.ts';
import type { FailuresOfCause } from '../ledger/runs/failures.ts';
import { count, figure, html, t } from './words.ts';
import { told } from './told.ts';

export interface GroupOfRun extends Pick<GroupView, 'group' | 'succeeded' | 'failures'> {
  /** How many people the run puts into it. */
  of: number;
}

/** The most groups to list. */
const mostGroups = 8;

/** Groups with bars at the left, people with a search at the right. */
export function groupsAndPeople(
  run: string,
  groups: readonly GroupOfRun[],
  people: readonly PersonOfRun[],
  areAllShown: boolean,
): Html | false {
  if (groups.length === 0 && people.length === 0) return false;
  return html`<div class="beside">
    <div>${part('groups', groupsTable(run, groups, areAllShown))}</div>
    <div>
      ${searchForm(`/runs/${run}/people`, { heading: t('People') })}
      ${part('latest', latest(run, people), { grows: true })}
    </div>
  </div>`;
}

function groupsTable(run: string, groups: readonly GroupOfRun[], areAllShown: boolean): Html {
  const shown = areAllShown ? groups : groups.slice(0, mostGroups);
  const rows = shown.map(({ group, succeeded, failures, of }) => {
    const all = Math.max(of, succeeded + failures);
    return row(
      html`<a href="/runs/${run}/people?group=${encodeURIComponent(group)}">${group}</a>`,
      { late: tinyBar({ ok: succeeded, bad: failures }, all) },
      { n: figure(succeeded) },
      { 'n quiet': figure(all) },
    );
  });
  const headings = [t('Group'), { wide: t('Delivered') }, { n: t('In') }, { n: t('Of') }];
  const further = groups.length - shown.length;
  return html`<h2>Groups</h2>
    ${table(t('Groups'), headings, rows)}
    ${further > 0 && html`<p class="small"><a href="/runs/${run}?groups=all">All ${figure(groups.length)}</a></p>`}`;
}

function latest(run: string, people: readonly PersonOfRun[]): Html {
  if (people.length === 0) return html`<p class="quiet">Nobody was called yet.</p>`;
  const rows = people.map(
    ({ now, outcome, endedAt, answer, reason, key }) =>
      html`<tr id="p-${rowOf(key, endedAt)}">
        <th scope="row">${linkTo(now)}</th>
        <td>${outcomePill(outcome)}</td>
        <td>${groupsOf(now.groups, answer?.refused ?? [])}</td>
        <td class="quiet late">${answerWords(answer, reason)}</td>
        <td class="n quiet">${endedAt && time(endedAt.toISOString(), 'clock')}</td>
      </tr>`,
  );
  const headings = [t('Person'), t('Outcome'), t('Groups'), { wide: t('Answer') }, { n: t('At') }];
  return html`${table(t('People, those who ended last first'), headings, rows)}
    <p class="small"><a href="/runs/${run}/people">See everybody</a></p>`;
}

function rowOf(key: string, endedAt: Date | null): string {
  let sum = 0;
  for (const letter of key) sum = (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return `${sum.toString(36)}${(endedAt?.getTime() ?? 0).toString(36)}`;
}

function groupsOf(groups: readonly string[], refused: readonly string[]): Html {
  const few = groups.slice(0, 4);
  const list = few.map(
    (group, at) =>
      html`${at > 0 && ' · '}${refused.includes(group) ? html`<del><span class="hidden">refused </span>${group}</del>` : group}`,
  );
  const further = groups.length - few.length;
  return further > 0 ? html`${list} and ${figure(further)} more` : html`${list}`;
}

function answerWords(answer: PersonOfRun['answer'], reason: string): string {
  if (!answer) return reason;
  const { inserts, warnings, refused } = answer;
  if (refused.length > 0) return t('[1 group|# groups] refused', refused.length);
  return warnings > 0 ? count(warnings, 'warning') : count(inserts, 'insert');
}

/** The failures of a run; `mayRetry` where the run lets them be retried, and the viewer may. */
export function runFailures(
  run: string,
  failures: readonly FailuresOfCause[],
  { mayRetry, isOver, delivered }: { mayRetry: boolean; isOver: boolean; delivered: number },
): Html | false {
  if (failures.length === 0) {
    return (
      delivered > 0 &&
      html`<h2>Not delivered</h2>
        <p>${isOver ? t('Everybody who was sent was delivered.') : t('Everybody so far was delivered.')}</p>`
    );
  }
  const people = failures.reduce((sum, each) => sum + each.people, 0);
  const rows = failures.map((failure) => {
    const { people } = failure;
    const { retryHelps, words: advice } = adviceFor(failure);
    const cause = writeCause(failure);
    const number = { people: figure(people) };
    const see = html`<a class="button slim" href="/runs/${run}/people?cause=${cause}"
      >${t('See [who|the {people}]', people, number)}</a
    >`;
    const retry = deed(`/runs/${run}/retry`, t('Retry [this one|these {people}]', people, number), 'slim', { cause });
    return row(
      outcomePill(failure.outcome),
      html`${said(failure)}<br /><span class="small quiet">${circumstances(failure)}</span>`,
      { n: html`<b>${figure(people)}</b>` },
      { quiet: told(advice) },
      { act: retryHelps && mayRetry ? retry : see },
    );
  });
  const headings = [
    ...[t('Outcome'), t('What the service said'), { n: t('People') }, t('What to do')],
    { unseen: t('Next') },
  ];
  return html`<h2>
      Not delivered
      <span class="aside">${count(people, 'person', 'people')}, by cause. Retrying makes the same call again.</span>
    </h2>
    ${table(t('Not delivered, by cause'), headings, rows)}
    ${failures.length > 1 && html`<p class="small"><a href="/runs/${run}/people?show=undelivered">See all ${figure(people)}</a></p>`}`;
}

function said({ kind, reason, outcome }: FailuresOfCause): Html {
  if (kind === 'may-have-happened') return html`Nothing: the connection broke after the call was sent`;
  if (kind === 'not-sent') return html`Nothing: the service was not reached`;
  if (reason === '') return outcome === 'failed' ? html`Nothing that was kept` : html`Nothing more`;
  return html`${saidOf(reason)}`;
}

/** What the service answered, as it was received, folded; JSON with a line for each value where only spaces are added by that. */
export function wordForWord(
  { httpStatus, body }: Pick<RawAnswer, 'httpStatus' | 'body'>,
  summary = t('What came back, word for word'),
): Html | false {
  if (!body) return false;
  const read = parseJson(body);
  const text = JSON.stringify(read) === body ? JSON.stringify(read, null, 2) : body;
  return html`<details class="small">
    <summary>${summary}</summary>
    <pre tabindex="0" aria-label="The answer">${lines(httpStatus === null ? text : `HTTP ${httpStatus}\n${text}`)}</pre>
  </details>`;
}

/** What the service said, quoted; or our own words for an answer without any. */
export const saidOf = (reason: string): string =>
  /^(?:HTTP|not "success"|the answer|no answer) ?/.test(reason) ? reason : `“${reason}”`;

function circumstances({ status, reason, mostCalls, groups, people, said }: FailuresOfCause): string {
  const [most] = groups;
  const parts = [
    ...(status === null || reason.includes(String(status)) ? [] : [`HTTP ${status}`]),
    ...(mostCalls > 1 ? [t('up to # calls each', mostCalls)] : []),
    ...(most && most.people < people && most.people > 1
      ? [t('# of them in {group}', most.people, { group: most.group })]
      : []),
    ...(said === null && people > 1 ? [t('and others like it')] : []),
  ];
  return parts.join(', ');
}
