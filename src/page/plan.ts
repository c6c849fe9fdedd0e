// A plan as a page in a file.
import { figure } from '../core/text/figures.ts';
import { html, type Html } from '../core/text/html.ts';
import type { PlanRow, PlanSource } from '../report/plan/plan-row.ts';
import { filePage, longTable, mostRows } from './file.ts';
import { lineByLine } from './lines.ts';
import { pill } from './parts.ts';
import { nameCell, planned } from './people-table.ts';

export async function* planHtml({ title, sentences, rows }: PlanSource): AsyncGenerator<string> {
  const [before, after] = filePage(title);
  yield before;
  yield String(
    html`<h1>${title}</h1>
      ${sentences.map((sentence) => html`<p>${sentence}</p>`)}`,
  );
  const [head, end] = longTable('People', ['Person', 'What', 'Groups', 'Why', 'Held by', { n: 'Line' }]);
  yield head;
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (count <= mostRows) yield `${String(rowHtml(row))}\n`;
  }
  if (count === 0) yield '<tr><td colspan="6">Nobody.</td></tr>';
  yield end;
  if (count > mostRows) {
    yield `<p class="small">The first ${figure(mostRows)} of ${figure(count)}; a file that ends in .csv, .xlsx or .json has all.</p>\n`;
  }
  yield after;
}

function rowHtml(row: PlanRow): Html {
  const { kind, groups, changes, why, heldBy, line, column, value } = row;
  const isReject = kind === 'reject';
  const cell = { firstname: column === '' ? 'the row' : column, lastname: '', email: value };
  return html`<tr>
    ${nameCell(isReject ? cell : row)}
    <td>${isReject ? pill('Rejected', 'bad') : pill(planned[kind][0], planned[kind][1])}</td>
    <td>${lineByLine(groups)}</td>
    <td>${lineByLine([...changes, why])}</td>
    <td>${heldBy.join(', ')}</td>
    <td class="n">${line}</td>
  </tr>`;
}
