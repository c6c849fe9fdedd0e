// The list of runs.
import { countUndelivered } from '../core/call/outcome.ts';
import { figure } from '../core/text/figures.ts';
import { html, type Html } from '../core/text/html.ts';
import type { z } from 'zod';
import type { Comparison } from '../acts/shapes/requests.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { pill, statePill, stats, table, time } from './parts.ts';
import { nameCell } from './people-table.ts';

/** Two runs of a source side by side. */
export function comparison({ source, older, newer, counts, people, next }: z.output<typeof Comparison>): Html {
  const of = ({ run, startedAt }: typeof older) => html`<a href="/runs/${run}">run ${run}</a> of ${time(startedAt)}`;
  const tones = { new: 'ok', gone: 'warn', changed: 'live' } as const;
  const rows = people.map(
    (person) =>
      html`<tr>
        ${nameCell(person)}
        <td>${pill(person.change, tones[person.change])}</td>
        <td>${person.groups.join(', ')}</td>
      </tr>`,
  );
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

export function runs(reports: readonly RunReport[]): Html {
  if (reports.length === 0)
    return html`<h1>No run yet</h1>
      <p>A run begins when a roster is read. The first one shows up here.</p>`;
  const rows = reports.map(
    (report) =>
      html`<tr>
        <th scope="row">
          <a href="/runs/${report.run}"><b>${report.source}</b></a
          ><span class="small quiet"
            >${report.run} · ${report.trigger} · <a href="/runs/${report.run}/compare">compare</a></span
          >
        </th>
        <td>${statePill(report)}</td>
        <td class="when">${time(report.startedAt)}</td>
        <td class="n">${figure(report.roster.members)}<span class="phone quiet"> people</span></td>
        <td class="n">${figure(report.outcome.succeeded)}<span class="phone quiet"> delivered</span></td>
        <td class="n">${figure(countUndelivered(report.outcome))}<span class="phone quiet"> not delivered</span></td>
        <td class="n">${figure(report.roster.rejects)}<span class="phone quiet"> rejected</span></td>
      </tr>`,
  );
  return html`<h1>Runs</h1>
    <p class="lead">The newest ${figure(reports.length)}, newest first.</p>
    <div id="runs">
      ${table('Runs', ['Source', 'State', 'Started', { n: 'People' }, { n: 'Delivered' }, { n: 'Not delivered' }, { n: 'Rejected' }], rows)}
    </div>`;
}
