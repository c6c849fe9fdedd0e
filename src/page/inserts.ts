// Whom a run put into which group, as the service confirmed it: for whoever has to take them out again.
import { count, figure, html, type Html } from '../core/text/format.ts';
import type { ListedInsert } from '../ledger/runs/inserts.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { pill, row, stats, table, time } from './parts.ts';
import { personCell } from './people-table.ts';

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
