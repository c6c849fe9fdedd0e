// Everybody of a run: what happens to each, and how it ended; and whom a part of a name or address may mean.
import { defined } from '../core/defined.ts';
import type { Html } from '../core/text/format.ts';
import type { Reject } from '../core/rows/row.ts';
import type { DepartedPerson } from '../ledger/people/roster-people.ts';
import type { PersonOfRun } from '../ledger/people/people-of-run.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { countsOfPlan, outcomePill, type PeopleList, peopleList, personCell, type Show } from './people-table.ts';
import type { z } from 'zod';
import type { FoundPeople } from '../acts/shapes/requests.ts';
import { row, table } from './parts.ts';
import { personSearch } from './person.ts';
import { html, t } from './words.ts';

/** What of the people may be shown. */
export const showsOfRun: readonly Show[] = [
  ...(['everybody', 'new', 'changed', 'again', 'later', 'departed', 'reject'] as const),
  ...(['failed', 'partial', 'unknown', 'undelivered', 'open'] as const),
];

export interface PeopleView extends Pick<PeopleList, 'list' | 'show' | 'groups' | 'isSortable' | 'counted'> {
  report: RunReport;
  /** The question of its page that holds the shown people; absent for all. */
  question?: string;
  /** What failures of the shown people have in common, in words; absent for all. */
  cause?: string;
  people: PersonOfRun[];
  departed: DepartedPerson[];
  rejects: Reject[];
}

export function people(view: PeopleView): Html {
  const { report } = view;
  return html`<h1>${report.pending > 0 && report.calls === 0 ? t('Look at everybody') : t('Everybody')}</h1>
    <p class="lead">
      <a href="/runs/${report.run}">${report.source}, run ${report.run}</a
      >${report.calls === 0 && `. ${t('Nothing has been sent yet.')}`}
    </p>
    ${peopleList({ ...view, counts: countsOf(report), invites: report.settings.invite, ...defined({ narrowed: narrowed(view) }) })}`;
}

/** What the list is narrowed to, with the way back. */
function narrowed({ question, cause, report }: PeopleView): Html | undefined {
  const words = [
    ...(question === undefined ? [] : [t('The people whom question {question} holds.', 1, { question })]),
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

export function peopleFound(asked: string, { people, isAll }: z.output<typeof FoundPeople>): Html {
  const rows = people.map((person) =>
    row(personCell(person), person.source, person.groups.join(' · '), outcomePill(person.lastOutcome)),
  );
  const headings = [t('Person'), t('Source'), t('Last given'), t('Last delivery')];
  return html`${personSearch(asked)}
  ${
    rows.length === 0
      ? html`<p role="status">
          Nobody who was sent is like “${asked}”. People who were never sent are found by their whole address.
        </p>`
      : html`${table(t('People who may be meant'), headings, rows, 'lines')}
        ${!isAll && html`<p class="small">These are the first. Type more of the name.</p>`}`
  }`;
}
