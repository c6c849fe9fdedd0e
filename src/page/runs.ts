// The list of runs, two of them side by side, and who keeps groups that no roster gives them any more.
import { countUndelivered } from '../core/call/outcome.ts';
import { count, duration, figure, html, type Html } from '../core/text/format.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { addressOf, type List, listFilters, listTable } from './list.ts';
import { pill, row, searchForm, statePill, stateWords, table, time } from './parts.ts';
import { personCell } from './people-table.ts';
import type { LeftBehindRow } from '../report/files/left-behind.ts';
import type { z } from 'zod';
import type { Comparison } from '../acts/shapes/requests.ts';

export interface RunsView {
  list: List;
  /** Each with who began it, where that is known. */
  runs: readonly (RunReport & { begunBy: string | null })[];
  /** Those of the filter. */
  total: number;
  /** Those that are not shown since nobody sent them: previews that were cancelled or replaced. */
  previews: number;
  sources: readonly string[];
}

export const runsLimit = 50;

export function runs({ list, runs: listed, total, previews, sources }: RunsView): Html {
  const { status = '', source = '', text = '', previews: isAll = '' } = list.asked;
  const isNarrow = status !== '' || source !== '' || text !== '';
  if (total === 0 && !isNarrow && previews === 0)
    return html`<h1>No run yet</h1>
      <p>A run begins when a roster is read. The first one shows up here.</p>`;
  const filters = [
    { name: 'status', label: 'State', options: [['', 'All states'] as const, ...stateWords] },
    {
      name: 'source',
      label: 'Source',
      options: [['', 'All sources'] as const, ...sources.map((each) => [each, each] as const)],
    },
  ];
  const hiddenOnes =
    isAll === 'shown'
      ? html`<a href="${addressOf(list, 'previews', '')}">Hide previews that nobody sent</a>`
      : previews > 0 &&
        html`${count(previews, 'preview')} that nobody sent ${previews === 1 ? 'is' : 'are'} hidden.
          <a href="${addressOf(list, 'previews', 'shown')}">Show ${previews === 1 ? 'it' : 'them'}</a>`;
  return html`<h1>Runs</h1>
    <p class="lead">Of each roster that was read: what was planned, sent and answered.</p>
    <div class="row tools">
      ${listFilters(list, filters)} ${searchForm(list.path, { text, label: 'Source, file, id or who' })}
    </div>
    ${total === 0 && html`<p>${text === '' ? 'No run is like that.' : html`No run is like “${text}”.`} <a href="/runs">Show all runs</a></p>`}
    <div id="runs">
      ${listTable(list, {
        caption: 'Runs',
        columns: [
          { sort: 'source', words: 'Source' },
          'State',
          { sort: 'started', words: 'Started' },
          { wide: 'By' },
          { sort: 'people', words: 'People', kind: 'n' },
          { n: 'Delivered' },
          { n: 'Not delivered' },
          { n: 'Rejected' },
          { sort: 'took', words: 'Took', kind: 'n late' },
        ],
        rows: listed.map(runRow),
        of: ` of ${figure(total)}`,
        isMore: list.from + listed.length < total,
      })}
    </div>
    ${hiddenOnes && html`<p class="small quiet">${hiddenOnes}</p>`}`;
}

function runRow(report: RunsView['runs'][number]): Html {
  const { run, source, trigger, startedAt, roster, outcome, durationMs, calls, begunBy } = report;
  const people = (number: number, words: string) => html`${figure(number)}<span class="phone quiet"> ${words}</span>`;
  return row(
    html`<a href="/runs/${run}"><b>${source}</b></a> <span class="small quiet">${run}</span>`,
    statePill(report),
    { when: time(startedAt) },
    { 'late quiet': begunBy ?? trigger },
    { n: people(roster.members, 'people') },
    { n: people(outcome.succeeded, 'delivered') },
    { n: people(countUndelivered(outcome) - outcome.cancelled, 'not delivered') },
    { n: people(roster.rejects, 'rejected') },
    { 'n late quiet': calls > 0 && duration(durationMs) },
  );
}

export function leftBehind(rows: readonly LeftBehindRow[]): Html {
  if (rows.length === 0) return html`<h1>Nobody keeps a group they should have left</h1>`;
  const lines = rows.map(({ group, since, source, cause, ...person }) => {
    return row(
      personCell(person),
      group,
      `${cause === 'departed' ? 'left' : 'moved on'} · ${source}`,
      since && time(since),
    );
  });
  return html`<h1>Groups that somebody should have left</h1>
    <p class="lead">
      roster-sync cannot take anybody out of a group. Somebody has to, in the service. Then say so:
      <code>roster-sync left-behind --done</code>.
    </p>
    ${table('Left behind', ['Person', 'Group', 'Because', 'Since'], lines)}`;
}

/** How people differ between two runs, in the words of their pills. */
const changes = { new: ['Joined', 'ok'], changed: ['Changed', 'live'], gone: ['Left', 'warn'] } as const;
type Change = keyof typeof changes;
export const changeNames = Object.keys(changes) as Change[];

function changePill(change: Change): Html {
  const [word, tone] = changes[change];
  return pill(word, tone);
}

/** Two runs of a source side by side. */
export function comparison(
  list: List,
  { source, older, newer, counts, people, next }: z.output<typeof Comparison>,
): Html {
  const of = ({ run, startedAt }: typeof older) => html`<a href="/runs/${run}">run ${run}</a> of ${time(startedAt)}`;
  const shown = list.asked['change'] ?? '';
  const all = counts.new + counts.gone + counts.changed;
  const links = [
    ['', 'Everybody', all] as const,
    ...changeNames.map((each) => [each, changes[each][0], counts[each]] as const),
  ];
  const rows = people.map((person) => {
    return row(personCell(person), changePill(person.change), person.groups.join(' · '));
  });
  return html`<h1>${source}: what changed</h1>
    <p class="lead">
      ${of(newer)} with ${count(newer.members, 'person', 'people')}, compared with ${of(older)} with
      ${figure(older.members)}.
    </p>
    ${
      all === 0
        ? html`<p>Nobody joined, changed or left.</p>`
        : html`<nav class="filters" aria-label="Who is shown">
              ${links.map(([value, words, number]) => html`<a href="${addressOf(list, 'change', value)}" ${value === shown && html` aria-current="true"`}>${words} ${figure(number)}</a>`)}
            </nav>
            ${listTable(list, {
              caption: 'Who joined, changed or left',
              columns: ['Person', 'Change', 'Groups'],
              rows,
              of: ` of ${figure(shown === '' ? all : counts[shown as Change])}`,
              isMore: next !== undefined,
            })}`
    }`;
}
