// The list of runs, two side by side, whom one put into which group, and who keeps groups that nobody gives them.
import { countUndelivered } from '../core/call/outcome.ts';
import { duration, type Html, type HtmlPart } from '../core/text/format.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { addressOf, type List, listFilters, listTable, partLinks } from './list.ts';
import { deed, pill, row, searchForm, statePill, stateWords, stats, table, time } from './parts.ts';
import { personCell } from './people-table.ts';
import type { LeftBehindRow } from '../report/files/left-behind.ts';
import type { z } from 'zod';
import type { Comparison } from '../acts/shapes/requests.ts';
import type { ListedInsert } from '../ledger/runs/inserts.ts';
import { count, figure, html, t, words } from './words.ts';

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
    { name: 'status', label: t('State'), options: [['', t('All states')] as const, ...stateWords()] },
    { name: 'source', label: t('Source'), options: [['', t('All sources')] as const, ...sources] },
  ];
  const hiddenOnes =
    isAll === 'shown'
      ? html`<a href="${addressOf(list, 'previews', '')}">Hide previews that nobody sent</a>`
      : previews > 0 &&
        html`${t('[1 preview that nobody sent is|# previews that nobody sent are] hidden.', previews)}
          <a href="${addressOf(list, 'previews', 'shown')}">${t('Show [it|them]', previews)}</a>`;
  const none = text === '' ? html`No run is like that.` : html`No run is like “${text}”.`;
  return html`<h1>Runs</h1>
    <p class="lead">Of each roster that was read: what was planned, sent and answered.</p>
    <div class="row tools">
      ${listFilters(list, filters)} ${searchForm(list.path, { text, label: t('Source, file, id or who') })}
    </div>
    ${total === 0 && html`<p>${none} <a href="/runs">Show all runs</a></p>`}
    <div id="runs" class="stacks">
      ${listTable(list, {
        caption: t('Runs'),
        columns: [
          { sort: 'source', words: t('Source') },
          t('State'),
          { sort: 'started', words: t('Started') },
          { wide: t('By') },
          { sort: 'people', words: t('People'), kind: 'n' },
          { n: t('Delivered') },
          { n: t('Not delivered') },
          { n: t('Rejected') },
          { sort: 'took', words: t('Took'), kind: 'n late' },
        ],
        rows: listed.map(runRow),
        total,
        isMore: list.from + listed.length < total,
      })}
    </div>
    ${hiddenOnes && html`<p class="small quiet">${hiddenOnes}</p>`}`;
}

const triggers: Readonly<Record<string, string>> = {
  import: words('an import'),
  sync: words('somebody on the server'),
  schedule: words('its schedule'),
  event: words('an event'),
  api: words('another program'),
};

/** Who began a run of which no name is known. */
export const begunByTrigger = (trigger: string): string => t(triggers[trigger] ?? trigger);

function runRow(report: RunsView['runs'][number]): Html {
  const { run, source, trigger, startedAt, roster, outcome, durationMs, calls, begunBy } = report;
  const people = (number: number, words: string) => html`${figure(number)}<span class="phone quiet"> ${words}</span>`;
  return row(
    html`<a href="/runs/${run}"><b>${source}</b></a> <span class="small quiet">${run}</span>`,
    statePill(report),
    { when: time(startedAt) },
    { 'late quiet': begunBy ?? begunByTrigger(trigger) },
    { n: people(roster.members, t('people')) },
    { n: people(outcome.succeeded, t('delivered')) },
    { n: people(countUndelivered(outcome) - outcome.cancelled, t('not delivered')) },
    { n: people(roster.rejects, t('rejected')) },
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
  const finding = t('[1 group|# groups] marked as done.', marked);
  const said = marked > 0 && html`<div class="note ok" role="status"><p>${finding}</p></div>`;
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
      `${cause === 'departed' ? t('left') : t('moved on')} · ${source}`,
      since && time(since),
      { act: mayMark && done(html`Done<span class="hidden">: ${who}</span>`, { person: person.email, group, source }) },
    );
  });
  const headings = [t('Person'), t('Group'), t('Because'), t('Since'), { unseen: t('Mark as done') }];
  return html`<div class="head">
      <div>
        <h1>Groups that somebody should have left</h1>
        <p class="lead">
          ${t('[1 person keeps|# people keep] {groups}.', people, { groups: count(groups, 'group') })} roster-sync
          cannot take anybody out of a group. Somebody has to, in the service, and then says so here.
        </p>
      </div>
      <div class="row">
        ${deed('/left-behind/download', t('Download as CSV'), '', { format: 'csv' })}
        ${deed('/left-behind/download', t('Download for Excel'), '', { format: 'xlsx' })}
      </div>
    </div>
    ${said} ${table(t('Left behind'), headings, lines)}
    ${rows.length < groups && html`<p class="small">The first ${figure(rows.length)} of ${figure(groups)}. The files have all.</p>`}
    ${
      mayMark &&
      groups > 1 &&
      html`<div class="row field">
        ${done(t('All # are done', groups), {}, '')}
        <span class="small quiet">They are not listed again. That cannot be taken back.</span>
      </div>`
    }`;
}

/** How people differ between two runs, in the words of their pills. */
const changes = {
  new: [words('Joined'), 'ok'],
  changed: [words('Changed'), 'live'],
  gone: [words('Left'), 'warn'],
} as const;
type Change = keyof typeof changes;
export const changeNames = Object.keys(changes) as Change[];

function changePill(change: Change): Html {
  const [word, tone] = changes[change];
  return pill(t(word), tone);
}

/** Two runs of a source side by side. */
export function comparison(
  list: List,
  { source, older, newer, counts, people, next }: z.output<typeof Comparison>,
): Html {
  const of = ({ run, startedAt }: typeof older) => html`<a href="/runs/${run}">run ${run}</a> of ${time(startedAt)}`;
  const shown = list.asked['change'] ?? '';
  const all = counts.new + counts.gone + counts.changed;
  const parts: [value: string, words: string, count: number][] = [
    ['', t('Everybody'), all],
    ...changeNames.map((each): [string, string, number] => [each, t(changes[each][0]), counts[each]]),
  ];
  const links = parts.map(([value, words, count]) => ({ of: list, value, words, isShown: value === shown, count }));
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
            caption: t('Who joined, changed or left'),
            columns: [t('Person'), t('Change'), t('Groups')],
            rows,
            total: shown === '' ? all : counts[shown as Change],
            isMore: next !== undefined,
          })}`
    }`;
}

export const insertsTitle = words('What exactly did they get?');

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
  const headings = [t('Person'), t('Put into'), t('May be in'), { late: t('Answered') }];
  const file = (format: string, words: string): Html =>
    html`<a class="button" href="/files/runs/${run}/inserts?format=${format}" download>${words}</a>`;
  const files = html`${file('csv', t('Download as CSV'))} ${file('xlsx', t('Download for Excel'))}`;
  const none =
    from > 0
      ? t('The service confirmed no further insert of this run.')
      : t('The service confirmed no insert of this run.');
  return html`<div class="head">
      <div>
        <h1>${t(insertsTitle)}</h1>
        <p class="lead">
          <a href="/runs/${run}">${source}, run ${run}</a>. The groups that the service confirmed, person by person.
          ${pending > 0 && t('[1 person is|# people are] still to go.', pending)}
        </p>
      </div>
      ${rows.length > 0 && html`<div class="row">${files}</div>`}
    </div>
    ${stats([
      [inserts, t('[insert|inserts] confirmed', inserts)],
      [outcome.unknown, t('people whose outcome is unknown: they may be in')],
    ])}
    ${
      rows.length === 0
        ? html`<p>${none}</p>`
        : html`<p class="small quiet">
              roster-sync cannot take anybody out of a group. This is the list for whoever does it in the service.
              People and groups without a confirmed insert are not on it.
            </p>
            ${table(t('Who was put into which group'), headings, rows, 'lines')}
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
      html`${pill(t('Unknown'), 'warn')} ${names(maybe)}<span class="small quiet"> ${maybe[0]?.reason}</span>`,
    { 'n late quiet': first?.answeredAt && time(first.answeredAt.toISOString()) },
  );
}
