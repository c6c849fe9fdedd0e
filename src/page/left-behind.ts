// What is left behind: groups that people keep at the service though no roster gives them any more.
import { html, type Html } from '../core/text/html.ts';
import type { LeftBehindRow } from '../report/files/left-behind.ts';
import { table, time } from './parts.ts';

export function leftBehind(rows: readonly LeftBehindRow[]): Html {
  if (rows.length === 0) return html`<h1>Nobody keeps a group they should have left</h1>`;
  const lines = rows.map(
    ({ firstname, lastname, email, group, since, source, cause }) =>
      html`<tr>
        <th scope="row"><b>${firstname} ${lastname}</b><span class="small">${email}</span></th>
        <td>${group}</td>
        <td>${cause === 'departed' ? 'left' : 'moved on'} · ${source}</td>
        <td>${since && time(since)}</td>
      </tr>`,
  );
  return html`<h1>Groups that somebody should have left</h1>
    <p class="lead">
      roster-sync cannot take anybody out of a group. Somebody has to, in the service. Then say so:
      <code>roster-sync left-behind --done</code>.
    </p>
    ${table('Left behind', ['Person', 'Group', 'Because', 'Since'], lines)}`;
}
