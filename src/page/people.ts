// Everybody of a run: what happens to each, and how it ended.
import type { Outcome } from '../core/call/outcome.ts';
import { defined } from '../core/defined.ts';
import { count, figure } from '../core/text/figures.ts';
import { html, type Html } from '../core/text/html.ts';
import type { Member } from '../core/person/member.ts';
import type { Reject } from '../core/rows/row.ts';
import type { DepartedPerson } from '../ledger/planning/departed-list.ts';
import type { PersonOfRun } from '../ledger/people/people-of-run.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { whatToPress } from './press.ts';
import { deed, pages, pill, table, type Tone, searchForm } from './parts.ts';

export const shows = {
  everybody: 'Everybody',
  new: 'New',
  changed: 'Changed',
  again: 'Again',
  later: 'Later',
  departed: 'Left',
  reject: 'Rejected',
  failed: 'Failed',
  partial: 'Partial',
  unknown: 'Unknown',
  undelivered: 'Not delivered',
  open: 'To go',
} as const;
export type Show = keyof typeof shows;

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
    ${narrowed(view) ?? filters(report, show)}
    <div class="row tools">
      ${searchForm(`/runs/${report.run}/people`, { text })}
      ${shown > 0 && deed(`/runs/${report.run}/people/download`, downloadWord(view), '', view.asked)}
    </div>
    ${text !== '' && shown === 0 && html`<p>Nobody here is like “${text}”.</p>`} ${listOf(view)}
    ${pages({ from, shown, ...defined({ total, next }) })}`;
}

/** The file has everybody whom the list has, on all of its pages. */
function downloadWord({ show, text, group, guard, cause }: PeopleView): string {
  if (show === 'reject') return 'Download rejects';
  const isAll = show === 'everybody' && text === '' && (group ?? guard ?? cause) === undefined;
  return isAll ? 'Download everybody' : 'Download these people';
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

function countsOf({ plan, roster, outcome, baseline, pending }: RunReport): Partial<Record<Show, number>> {
  if (baseline) return {};
  return {
    new: plan.new,
    changed: plan.changed,
    again: plan.again,
    later: plan.later,
    departed: plan.departed,
    reject: roster.rejects,
    failed: outcome.failed,
    partial: outcome.partial,
    unknown: outcome.unknown,
    undelivered: outcome.failed + outcome.partial + outcome.unknown,
    open: pending,
  };
}

function filters(report: RunReport, current: Show): Html {
  const counts = countsOf(report);
  const links = (Object.keys(shows) as Show[])
    .filter((show) => show === 'everybody' || show === current || (counts[show] ?? 0) > 0)
    .map((show) => {
      const number = counts[show];
      return html`<a href="/runs/${report.run}/people?show=${show}" ${show === current && html` aria-current="true"`}
        >${shows[show]}${number !== undefined && ` ${figure(number)}`}</a
      >`;
    });
  return html`<nav class="filters" aria-label="Who is shown">${links}</nav>`;
}

function listOf({ people, departed, rejects }: PeopleView): Html {
  if (rejects.length > 0) {
    const rows = rejects.map(
      ({ file, line, column, value, reason }) =>
        html`<tr>
          <td class="n">${line}</td>
          <td>${column}</td>
          <td>${value}</td>
          <td class="wrong">${whatToPress(reason, '')}</td>
          <td class="late quiet">${file}</td>
        </tr>`,
    );
    return table('Rejected rows', [{ n: 'Line' }, 'Column', 'Cell', 'Why it cannot be sent', { wide: 'File' }], rows);
  }
  if (departed.length > 0) {
    const rows = departed.map(
      ({ firstname, lastname, email, groups }) =>
        html`<tr>
          ${nameCell({ firstname, lastname, email })}
          <td>${pill('Left', 'warn')}</td>
          <td>keeps ${groups.join(' · ')}</td>
        </tr>`,
    );
    return table('People who left', ['Person', 'What happens', 'Groups'], rows);
  }
  return peopleTable(people);
}

export function peopleTable(people: readonly PersonOfRun[]): Html {
  const rows = people.map(
    (person) =>
      html`<tr>
        ${nameCell(person.now)}
        <td>${whatHappens(person)}</td>
        <td>${groupsCell(person)}</td>
        <td class="n late">${person.line ?? ''}</td>
      </tr>`,
  );
  return people.length === 0
    ? html``
    : table(count(people.length, 'person', 'people'), ['Person', 'What happens', 'Groups', { late: 'Line' }], rows);
}

export function nameCell({ firstname, lastname, email }: Pick<Member, 'firstname' | 'lastname' | 'email'>): Html {
  return html`<th scope="row"><b>${firstname} ${lastname}</b><span class="small">${email}</span></th>`;
}

const outcomes: Record<Outcome, [string, Tone]> = {
  succeeded: ['Delivered', 'ok'],
  partial: ['Partial', 'warn'],
  failed: ['Failed', 'bad'],
  unknown: ['Unknown', 'warn'],
  superseded: ['Superseded', 'mute'],
  cancelled: ['Cancelled', 'mute'],
};

export const planned: Record<PersonOfRun['action'], [string, Tone, string]> = {
  new: ['New', 'live', ''],
  changed: ['Changed', 'live', ''],
  again: ['Again', 'live', 'the last call for them did not succeed'],
  unchanged: ['Unchanged', 'mute', 'has everything already'],
  later: ['Later', 'mute', 'not sent yet'],
  departed: ['Left', 'warn', ''],
};

export function outcomePill(outcome: Outcome | null): Html {
  const [word, tone] = outcome === null ? (['To go', 'mute'] as const) : outcomes[outcome];
  return pill(word, tone);
}

function whatHappens({ action, outcome, reason, isHeld }: PersonOfRun): Html {
  if (outcome !== null) {
    const [word, tone] = outcomes[outcome];
    return html`${pill(word, tone)} <span class="quiet">${outcome !== 'succeeded' && reason}</span>`;
  }
  const [word, tone, consequence] = planned[action];
  return html`${pill(word, tone)} ${isHeld && pill('Held', 'warn')} <span class="quiet">${consequence}</span>`;
}

/** Groups, what is new of them in bold, what they lose struck through; without forceSync they keep it at the service. */
function groupsCell({ now, before }: PersonOfRun): Html {
  const had = new Set(before?.groups);
  const lost = before?.groups.filter((group) => !now.groups.includes(group)) ?? [];
  const parts = [
    ...lost.map((group) => html`<del><span class="hidden">was </span>${group}</del>`),
    ...now.groups.map((group) =>
      before && !had.has(group) ? html`<ins><span class="hidden">becomes </span>${group}</ins>` : html`${group}`,
    ),
  ];
  const list = parts.map((part, at) => html`${at > 0 && ' · '}${part}`);
  const keeps = lost.length > 0 && !now.forceSync;
  return html`${list}${keeps && html`<br /><span class="small quiet">keeps ${lost.join(', ')} at the service</span>`}${changes(before, now)}`;
}

function changes(before: Member | null, now: Member): Html | false {
  if (!before) return false;
  const pairs = [
    [`${before.firstname} ${before.lastname}`, `${now.firstname} ${now.lastname}`],
    [before.telephone ?? '', now.telephone ?? ''],
  ].filter(([old, other]) => old !== other);
  return (
    pairs.length > 0 &&
    html`<br /><span class="small"
        >${pairs.map(([old, other]) => html`<del><span class="hidden">was </span>${old || 'none'}</del> → <ins>${other || 'none'}</ins> `)}</span
      >`
  );
}
