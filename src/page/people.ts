// Everybody of a run: what happens to each, and how it ended.
import { defined } from '../core/defined.ts';
import { html, type Html } from '../core/text/html.ts';
import type { Reject } from '../core/rows/row.ts';
import type { DepartedPerson } from '../ledger/people/roster-people.ts';
import type { PersonOfRun } from '../ledger/people/people-of-run.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { pages, plainRow, searchForm, table } from './parts.ts';
import { countsOfPlan, downloadPeople, peopleTable, type Show, showFilters } from './people-table.ts';
import { whyRejected } from './press.ts';

/** What of the people may be shown. */
export const showsOfRun: readonly Show[] = [
  ...(['everybody', 'new', 'changed', 'again', 'later', 'departed', 'reject'] as const),
  ...(['failed', 'partial', 'unknown', 'undelivered', 'open'] as const),
];

export interface PeopleView {
  report: RunReport;
  show: Show;
  guard?: string;
  group?: string;
  /** What failures of the shown people have in common, in words; absent for all. */
  cause?: string;
  text: string;
  people: PersonOfRun[];
  departed: DepartedPerson[];
  rejects: Reject[];
  /** What was asked for, for the file of it: filters by their names. */
  asked: Readonly<Record<string, string>>;
  /** How many come before them; known while one goes on page by page. */
  from: number;
  next?: string;
}

export function people(view: PeopleView): Html {
  const { report, show, text, from, next } = view;
  const shown = view.people.length + view.departed.length + view.rejects.length;
  const total = text === '' && narrowed(view) === undefined ? countsOf(report)[show] : undefined;
  return html`<h1>${report.pending > 0 && report.calls === 0 ? 'Look at everybody' : 'Everybody'}</h1>
    <p class="lead">
      <a href="/runs/${report.run}">${report.source}, run ${report.run}</a
      >${report.calls === 0 && '. Nothing has been sent yet.'}
    </p>
    ${narrowed(view) ?? showFilters({ current: show, counts: countsOf(report), to: (each) => `/runs/${report.run}/people?show=${each}` })}
    <div class="row tools">
      ${searchForm(`/runs/${report.run}/people`, { text })}
      ${shown > 0 && downloadPeople(`/runs/${report.run}/people`, view.asked)}
    </div>
    ${text !== '' && shown === 0 && html`<p>Nobody here is like “${text}”.</p>`} ${listOf(view)}
    ${pages({ from, shown, ...defined({ total, next }) })}`;
}

/** What the list is narrowed to, with the way back. */
function narrowed({ guard, group, cause, report }: PeopleView): Html | undefined {
  const words = [
    ...(guard === undefined ? [] : [`Held by the guard “${guard}”.`]),
    ...(group === undefined ? [] : [`In the group “${group}”.`]),
    ...(cause === undefined ? [] : [cause]),
  ];
  if (words.length === 0) return undefined;
  return html`<p>${words.join(' ')} <a href="/runs/${report.run}/people">Show everybody</a></p>`;
}

function countsOf(report: RunReport): Partial<Record<Show, number>> {
  const { plan, outcome, baseline, pending } = report;
  if (baseline) return {};
  const { failed, partial, unknown } = outcome;
  const undelivered = failed + partial + unknown;
  return { ...countsOfPlan(report), departed: plan.departed, failed, partial, unknown, undelivered, open: pending };
}

function listOf({ people, departed, rejects, report }: PeopleView): Html | false {
  if (rejects.length === 0) return peopleTable({ people, departed, invites: report.settings.invite });
  const rows = rejects.map(({ file, line, column, value, reason }) =>
    plainRow({ n: line }, column, value, { wrong: whyRejected(reason) }, { 'late quiet': file }),
  );
  return table('Rejected rows', [{ n: 'Line' }, 'Column', 'Cell', 'Why it cannot be sent', { wide: 'File' }], rows);
}
