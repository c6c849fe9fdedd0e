// The list of runs.
import { countUndelivered } from '../core/call/outcome.ts';
import { figure } from '../core/text/figures.ts';
import { html, type Html } from '../core/text/html.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { statePill, table, time } from './parts.ts';

export function runs(reports: readonly RunReport[]): Html {
  if (reports.length === 0)
    return html`<h1>No run yet</h1>
      <p>A run begins when a roster is read. The first one shows up here.</p>`;
  const rows = reports.map(
    (report) =>
      html`<tr>
        <th scope="row">
          <a href="/runs/${report.run}"><b>${report.source}</b></a
          ><span class="small quiet">${report.run} · ${report.trigger}</span>
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
