// The list of runs, two of them side by side, and who keeps groups that no roster gives them any more.
import { countUndelivered } from '../core/call/outcome.ts';
import { figure } from '../core/text/figures.ts';
import { html, type Html } from '../core/text/html.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { pill, row, statePill, stats, table, time } from './parts.ts';
import { nameCell } from './people-table.ts';
import type { LeftBehindRow } from '../report/files/left-behind.ts';
import type { z } from 'zod';
import type { Comparison } from '../acts/shapes/requests.ts';

export function runs(reports: readonly RunReport[]): Html {
  if (reports.length === 0)
    return html`<h1>No run yet</h1>
      <p>A run begins when a roster is read. The first one shows up here.</p>`;
  const rows = reports.map((report) => {
    const { run, source, trigger, startedAt, roster, outcome } = report;
    const people = (number: number, words: string) => html`${figure(number)}<span class="phone quiet"> ${words}</span>`;
    return row(
      html`<a href="/runs/${run}"><b>${source}</b></a
        ><span class="small quiet">${run} · ${trigger} · <a href="/runs/${run}/compare">compare</a></span>`,
      statePill(report),
      { when: time(startedAt) },
      { n: people(roster.members, 'people') },
      { n: people(outcome.succeeded, 'delivered') },
      { n: people(countUndelivered(outcome) - outcome.cancelled, 'not delivered') },
      { n: people(roster.rejects, 'rejected') },
    );
  });
  return html`<h1>Runs</h1>
    <p class="lead">The newest ${figure(reports.length)}, newest first.</p>
    <div id="runs">
      ${table('Runs', ['Source', 'State', 'Started', { n: 'People' }, { n: 'Delivered' }, { n: 'Not delivered' }, { n: 'Rejected' }], rows)}
    </div>`;
}

export function leftBehind(rows: readonly LeftBehindRow[]): Html {
  if (rows.length === 0) return html`<h1>Nobody keeps a group they should have left</h1>`;
  const lines = rows.map(({ group, since, source, cause, ...person }) => {
    return row(
      nameCell(person),
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

/** Two runs of a source side by side. */
export function comparison({ source, older, newer, counts, people, next }: z.output<typeof Comparison>): Html {
  const of = ({ run, startedAt }: typeof older) => html`<a href="/runs/${run}">run ${run}</a> of ${time(startedAt)}`;
  const tones = { new: 'ok', gone: 'warn', changed: 'live' } as const;
  const rows = people.map((person) => {
    return row(nameCell(person), pill(person.change, tones[person.change]), person.groups.join(', '));
  });
  return html`<h1>${source}: what changed</h1>
    <p class="lead">${of(newer)}, compared with ${of(older)}.</p>
    ${stats([
      [counts.new, 'new'],
      [counts.gone, 'gone'],
      [counts.changed, 'changed'],
      [newer.members, 'people now'],
    ])}
    ${rows.length > 0 && table('People', ['Person', 'Change', 'Groups'], rows)}
    ${next !== undefined && html`<p class="small">The first ${figure(rows.length)}; the command and the API have everybody.</p>`}`;
}
