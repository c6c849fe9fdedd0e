// Shows a plan as one HTML page.
import { figure } from '../../core/text/figures.ts';
import { type Html, html } from '../../core/text/html.ts';
import { beginPage, endPage, lineByLine } from '../files/page.ts';
import type { PlanKind, PlanRow, PlanSource } from './plan-row.ts';

/** The most rows that a browser handles well. */
const mostRows = 10_000;

const marks: Record<PlanKind, string> = {
  new: 'good',
  changed: 'odd',
  again: 'late',
  unchanged: 'idle',
  later: 'idle',
  departed: 'late',
  reject: 'bad',
};

export async function* planPage({ title, sentences, rows }: PlanSource): AsyncGenerator<string> {
  yield beginPage(title);
  yield String(
    html`<h1>${title}</h1>
      ${sentences.map((sentence) => html`<p>${sentence}</p>`)}`,
  );
  yield '\n<div class="scroll"><table class="people"><thead><tr><th>What</th><th>Person</th><th>Groups</th><th>Why</th><th>Held by</th><th class="n">line</th></tr></thead><tbody>\n';
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (count <= mostRows) yield `${String(rowHtml(row))}\n`;
  }
  if (count === 0) yield '<tr><td colspan="6">Nobody.</td></tr>\n';
  yield '</tbody></table></div>\n';
  if (count > mostRows) {
    yield `<p class="small">The first ${figure(mostRows)} of ${figure(count)}; a file that ends in .csv, .xlsx or .json has all.</p>\n`;
  }
  yield endPage;
}

function rowHtml({
  kind,
  email,
  firstname,
  lastname,
  groups,
  changes,
  why,
  heldBy,
  line,
  column,
  value,
}: PlanRow): Html {
  const [first, second] =
    kind === 'reject' ? [column === '' ? 'the row' : column, value] : [`${firstname} ${lastname}`, email];
  return html`<tr>
    <td><span class="mark ${marks[kind]}">${kind}</span></td>
    <td class="t">${first}<br /><span class="small">${second}</span></td>
    <td class="t">${lineByLine(groups)}</td>
    <td class="t">${lineByLine([...changes, why])}</td>
    <td>${heldBy.join(', ')}</td>
    <td class="n">${line}</td>
  </tr>`;
}
