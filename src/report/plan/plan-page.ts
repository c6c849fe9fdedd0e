// Shows a plan as one HTML page.
import { figure } from '../../core/text/figures.ts';
import { beginPage, endPage, html } from '../files/page.ts';
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

/** One page about a plan that needs nothing else, to read, print and sign. */
export async function* planPage({ title, sentences, rows }: PlanSource): AsyncGenerator<string> {
  yield beginPage(title);
  yield `<h1>${html(title)}</h1>\n${sentences.map((sentence) => `<p>${html(sentence)}</p>\n`).join('')}`;
  yield '<div class="scroll"><table class="people"><thead><tr><th>What</th><th>Person</th><th>Groups</th><th>Why</th><th>Held by</th><th class="n">line</th></tr></thead><tbody>\n';
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (count <= mostRows) yield rowHtml(row);
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
}: PlanRow): string {
  const who =
    kind === 'reject'
      ? `${html(column === '' ? 'the row' : column)}<br><span class="small">${html(value)}</span>`
      : `${html(`${firstname} ${lastname}`)}<br><span class="small">${html(email)}</span>`;
  const said = [...changes, why].map(html).join('<br>');
  return (
    `<tr><td><span class="mark ${marks[kind]}">${kind}</span></td><td class="t">${who}</td><td class="t">${groups.map(html).join('<br>')}</td>` +
    `<td class="t">${said}</td><td>${html(heldBy.join(', '))}</td><td class="n">${line ?? ''}</td></tr>\n`
  );
}
