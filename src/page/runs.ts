// The list of runs, two side by side, whom one put into which group, and who keeps groups that nobody gives them.
import { countUndelivered } from '../core/call/outcome.ts';
import { count, duration, figure, html, type Html, type HtmlPart } from '../core/text/format.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { addressOf, type List, listFilters, listTable, partLinks } from './list.ts';
import { deed, pill, row, searchForm, statePill, stateWords, stats, table, time } from './parts.ts';
import { personCell } from './people-table.ts';
import type { LeftBehindRow } from '../report/files/left-behind.ts';
import type { z } from 'zod';
import type { Comparison } from '../acts/shapes/requests.ts';
import type { ListedInsert } from '../ledger/runs/inserts.ts';

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
    { name: 'source', label: 'Source', options: [['', 'All sources'] as const, ...sources] },
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
    <div id="runs" class="stacks">
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

const triggers: Readonly<Record<string, string>> = {
  import: 'an import',
  sync: 'somebody on the server',
  schedule: 'its schedule',
  event: 'an event',
  api: 'another program',
};

/** Who began a run of which no name is known. */
export const begunByTrigger = (trigger: string): string => triggers[trigger] ?? trigger;

function runRow(report: RunsView['runs'][number]): Html {
  const { run, source, trigger, startedAt, roster, outcome, durationMs, calls, begunBy } = report;
  const people = (number: number, words: string) => html`${figure(number)}<span class="phone quiet"> ${words}</span>`;
  return row(
    html`<a href="/runs/${run}"><b>${source}</b></a> <span class="small quiet">${run}</span>`,
    statePill(report),
    { when: time(startedAt) },
    { 'late quiet': begunBy ?? begunByTrigger(trigger) },
    { n: people(roster.members, 'people') },
    { n: people(outcome.succeeded, 'delivered') },
    { n: people(countUndelivered(outcome) - outcome.cancelled, 'not delivered') },
    { n: people(roster.rejects, 'rejected') },
    { 'n late quiet': calls > 0 && duration(durationMs) },
  );
}

interface LeftBehindView {
  rows: readonly LeftBehindRow[];
  /** Of everybody, also those who are not among the rows. */
  people: number;
  groups: number;
  /** ISO 8601: when they were listed; what is left behind later is not marked. */
  at: string;
  /** How many groups somebody has just marked. */
  marked: number;
  mayMark: boolean;
}

/** Who keeps which group, as files to work by; what is done in the service is marked here. */
export function leftBehind({ rows, people, groups, at, marked, mayMark }: LeftBehindView): Html {
  const said =
    marked > 0 && html`<div class="note ok" role="status"><p>${count(marked, 'group')} marked as done.</p></div>`;
  if (rows.length === 0) {
    return html`<h1>Nobody keeps a group they should have left</h1>
      ${said}`;
  }
  const done = (words: HtmlPart, fields: Readonly<Record<string, string>>, kind: 'slim' | '' = 'slim'): Html =>
    deed('/left-behind/done', words, kind, { ...fields, before: at });
  const lines = rows.map(({ group, since, source, cause, ...person }) => {
    const who = `${person.firstname} ${person.lastname}, ${group}`;
    return row(
      personCell(person),
      group,
      `${cause === 'departed' ? 'left' : 'moved on'} · ${source}`,
      since && time(since),
      { act: mayMark && done(html`Done<span class="hidden">: ${who}</span>`, { person: person.email, group, source }) },
    );
  });
  return html`<div class="head">
      <div>
        <h1>Groups that somebody should have left</h1>
        <p class="lead">
          ${count(people, 'person keeps', 'people keep')} ${count(groups, 'group')}. roster-sync cannot take anybody out
          of a group. Somebody has to, in the service, and then says so here.
        </p>
      </div>
      <div class="row">
        ${deed('/left-behind/download', 'Download as CSV', '', { format: 'csv' })}
        ${deed('/left-behind/download', 'Download for Excel', '', { format: 'xlsx' })}
      </div>
    </div>
    ${said} ${table('Left behind', ['Person', 'Group', 'Because', 'Since', { unseen: 'Mark as done' }], lines)}
    ${rows.length < groups && html`<p class="small">The first ${figure(rows.length)} of ${figure(groups)}. The files have all.</p>`}
    ${
      mayMark &&
      groups > 1 &&
      html`<div class="row field">
        ${done(`All ${figure(groups)} are done`, {}, '')}
        <span class="small quiet">They are not listed again. That cannot be taken back.</span>
      </div>`
    }`;
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
  const partOf = (value: string, words: string, count: number) => ({
    of: list,
    value,
    words,
    isShown: value === shown,
    count,
  });
  const links = [
    partOf('', 'Everybody', all),
    ...changeNames.map((each) => partOf(each, changes[each][0], counts[each])),
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
        : html`${partLinks('change', links)}
          ${listTable(list, {
            caption: 'Who joined, changed or left',
            columns: ['Person', 'Change', 'Groups'],
            rows,
            of: ` of ${figure(shown === '' ? all : counts[shown as Change])}`,
            isMore: next !== undefined,
          })}`
    }`;
}

export const insertsTitle = 'What exactly did they get?';

export interface InsertsView {
  report: RunReport;
  /** Of a page of people, the groups of each one after the other. */
  inserts: readonly ListedInsert[];
  from: number;
  next?: string;
}

export function inserts({ report, inserts: listed, from, next }: InsertsView): Html {
  const { run, source, inserts, outcome, pending } = report;
  const people = [...Map.groupBy(listed, ({ deliveryId }) => deliveryId).values()];
  const rows = people.map(rowOf);
  const file = (format: string, words: string): Html =>
    html`<a class="button" href="/files/runs/${run}/inserts?format=${format}" download>${words}</a>`;
  return html`<div class="head">
      <div>
        <h1>${insertsTitle}</h1>
        <p class="lead">
          <a href="/runs/${run}">${source}, run ${run}</a>. The groups that the service confirmed, person by person.
          ${pending > 0 && `${count(pending, 'person is', 'people are')} still to go.`}
        </p>
      </div>
      ${rows.length > 0 && html`<div class="row">${file('csv', 'Download as CSV')} ${file('xlsx', 'Download for Excel')}</div>`}
    </div>
    ${stats([
      [inserts, inserts === 1 ? 'insert confirmed' : 'inserts confirmed'],
      [outcome.unknown, 'people whose outcome is unknown: they may be in'],
    ])}
    ${
      rows.length === 0
        ? html`<p>The service confirmed no ${from > 0 && 'further '}insert of this run.</p>`
        : html`<p class="small quiet">
              roster-sync cannot take anybody out of a group. This is the list for whoever does it in the service.
              People and groups without a confirmed insert are not on it.
            </p>
            ${table('Who was put into which group', ['Person', 'Put into', 'May be in', { late: 'Answered' }], rows, 'lines')}
            <p class="pages">
              <span>${figure(from + 1)}–${figure(from + people.length)}</span>
              ${next !== undefined && html`<a href="${next}" rel="next">Next</a>`}
            </p>`
    }`;
}

function rowOf(theirs: readonly ListedInsert[]): Html {
  const [first] = theirs;
  const into = theirs.filter(({ result, group }) => result === 'inserted' && group !== null);
  const maybe = theirs.filter(({ result, group }) => result === 'unknown' && group !== null);
  const names = (some: typeof theirs): string => some.map(({ group }) => group).join(' · ');
  return row(
    first && personCell(first),
    names(into),
    maybe.length > 0 &&
      html`${pill('Unknown', 'warn')} ${names(maybe)}<span class="small quiet"> ${maybe[0]?.reason}</span>`,
    { 'n late quiet': first?.answeredAt && time(first.answeredAt.toISOString()) },
  );
}
