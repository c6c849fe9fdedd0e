// Shows the people of a run in its HTML report, row by row.
import type { Outcome } from '../../core/call/outcome.ts';
import { figure } from '../../core/text/figures.ts';
import { type Html, html } from '../../core/text/html.ts';
import type { BarPart } from '../files/page.ts';
import type { ReportRow, ReportSource } from '../files/report-row.ts';
import type { RunReport } from './run-report.ts';

/** The most deliveries to list one by one; of a larger run only those to look at. */
const everybodyUpTo = 2000;
/** The most rows that a browser handles well. */
const mostRows = 10_000;

export type Kind = BarPart['kind'];

export const kindOf: Record<Outcome, Kind> = {
  succeeded: 'good',
  partial: 'late',
  failed: 'bad',
  unknown: 'odd',
  superseded: 'idle',
  cancelled: 'idle',
};

export const headings = (names: readonly string[]): Html =>
  html`${names.map((name) => html`<th class="n">${name}</th>`)}`;

/** The section, written piece by piece; nothing for a run without a delivery. */
export async function* reportPeople(report: RunReport, rowsOf: ReportSource['rows']): AsyncGenerator<string> {
  const total = Object.values(report.outcome).reduce((sum, each) => sum + each, 0) + report.pending;
  if (total === 0) return;
  const notable = total > everybodyUpTo;
  const which = notable
    ? 'People to check: not delivered, repeated, or with a warning. The CSV and JSON reports list everybody.'
    : 'Everybody, with the last answer of the service.';
  yield `\n<h2>Person by person</h2>\n<p class="small">${which}</p>\n<div class="scroll"><table class="people"><thead><tr><th>Person</th><th>Outcome</th><th>Group</th><th>status</th>`;
  yield `${String(headings(['inserts', 'warnings', 'calls', 'HTTP', 'response time']))}<th>hash</th></tr></thead><tbody>\n`;
  let rows = 0;
  let held: { row: ReportRow; isFirst: boolean } | undefined;
  for await (const row of rowsOf({ notable })) {
    if (held) yield personRow(held.row, held.isFirst, held.row.email === row.email);
    const isFirst = held?.row.email !== row.email;
    held = undefined;
    if (rows++ >= mostRows) break;
    held = { row, isFirst };
  }
  if (held) yield personRow(held.row, held.isFirst, false);
  if (rows === 0) yield '<tr><td colspan="10">Nobody: everything went as it should.</td></tr>\n';
  yield '</tbody></table></div>\n';
  if (rows > mostRows)
    yield `<p class="small">The first ${figure(mostRows)} rows; all are in the CSV or JSON report.</p>\n`;
}

/** A row of one person and one group; the first of their rows names the person. */
function personRow(row: ReportRow, isFirst: boolean, hasMore: boolean): string {
  const {
    email,
    firstname,
    lastname,
    group,
    outcome,
    status,
    inserts,
    warnings,
    attempts,
    repeated,
    hash,
    responseTime,
    httpStatus,
    reason,
  } = row;
  const number = (value: number | null): Html => html`<td class="n">${value === null ? '' : figure(value)}</td>`;
  const why = [...(repeated ? ['perhaps called twice'] : []), ...(reason === '' ? [] : [reason])].join('; ');
  const mark =
    outcome === null
      ? html`<span class="mark idle">not sent yet</span>`
      : html`<span class="mark ${kindOf[outcome]}">${outcome}</span>`;
  const who = html`<td class="t">${firstname} ${lastname}<br /><span class="small">${email}</span></td>
    <td class="t">${mark}${why !== '' && html`<br /><span class="small">${why}</span>`}</td>`;
  const last = html`${number(attempts)}
    <td class="n">${httpStatus}</td>
    <td class="n">${responseTime}</td>
    <td><code>${hash}</code></td>`;
  const empty = html`<td></td>`;
  const whole = html`<tr${hasMore && html` class="more"`}>
    ${isFirst ? who : [empty, empty]}
    <td class="t">${group}</td>
    <td>${status}</td>
    ${number(inserts)}${number(warnings)}${isFirst ? last : [empty, empty, empty, empty]}
  </tr>`;
  return `${String(whole)}\n`;
}
