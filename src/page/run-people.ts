// The groups of a run beside its people, those who ended last first.
import { count, figure } from '../core/text/figures.ts';
import { html, type Html } from '../core/text/html.ts';
import type { PersonOfRun } from '../ledger/people/people-of-run.ts';
import type { GroupView } from '../report/run/run-report.ts';
import { part, table, time, tinyBar, searchForm } from './parts.ts';
import { outcomePill } from './people-table.ts';

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
      ${searchForm(`/runs/${run}/people`, { heading: 'People' })}
      ${part('latest', latest(run, people), { grows: true })}
    </div>
  </div>`;
}

function groupsTable(run: string, groups: readonly GroupOfRun[], areAllShown: boolean): Html {
  const shown = areAllShown ? groups : groups.slice(0, mostGroups);
  const rows = shown.map(
    ({ group, succeeded, failures, of }) =>
      html`<tr>
        <th scope="row"><a href="/runs/${run}/people?group=${encodeURIComponent(group)}">${group}</a></th>
        <td class="late">
          ${tinyBar(
            [
              { tone: 'ok', value: succeeded, words: '' },
              { tone: 'bad', value: failures, words: '' },
            ],
            Math.max(of, succeeded + failures),
          )}
        </td>
        <td class="n">${figure(succeeded)}</td>
        <td class="n quiet">${figure(Math.max(of, succeeded + failures))}</td>
      </tr>`,
  );
  const further = groups.length - shown.length;
  return html`<h2>Groups</h2>
    ${table('Groups', ['Group', { wide: 'Delivered' }, { n: 'In' }, { n: 'Of' }], rows)}
    ${further > 0 && html`<p class="small"><a href="/runs/${run}?groups=all">All ${figure(groups.length)}</a></p>`}`;
}

function latest(run: string, people: readonly PersonOfRun[]): Html {
  if (people.length === 0) return html`<p class="quiet">Nobody was called yet.</p>`;
  const rows = people.map(
    ({ now, outcome, endedAt, answer, reason, key }) =>
      html`<tr id="p-${rowOf(key, endedAt)}">
        <th scope="row"><b>${now.firstname} ${now.lastname}</b></th>
        <td>${outcomePill(outcome)}</td>
        <td>${groupsOf(now.groups, answer?.refused ?? [])}</td>
        <td class="quiet late">${answerWords(answer, reason)}</td>
        <td class="n quiet">${endedAt && time(endedAt.toISOString(), 'clock')}</td>
      </tr>`,
  );
  return html`${table('People, those who ended last first', ['Person', 'Outcome', 'Groups', { wide: 'Answer' }, { n: 'At' }], rows)}
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
  return html`${list}${groups.length > few.length && ` and ${figure(groups.length - few.length)} more`}`;
}

function answerWords(answer: PersonOfRun['answer'], reason: string): string {
  if (!answer) return reason;
  const { inserts, warnings, refused } = answer;
  if (refused.length > 0) return `${count(refused.length, 'group')} refused`;
  return warnings > 0 ? count(warnings, 'warning') : count(inserts, 'insert');
}
