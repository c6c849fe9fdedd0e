// Writes a plan to a file: CSV, workbook, JSON or HTML.
import { extname } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/escape.ts';
import { figure } from '../../core/text/figures.ts';
import { type Html, html } from '../../core/text/html.ts';
import { csvLines } from '../files/csv.ts';
import { jsonLines } from '../files/json-lines.ts';
import { beginPage, endPage, lineByLine } from '../files/page.ts';
import { checkExcel } from '../files/report-file.ts';
import { checkWritable, writeWhole } from '../files/whole-file.ts';
import { planCells, planColumns, type PlanRow, type PlanSource, type PlanKind } from './plan-row.ts';

function formatOf(path: string) {
  const format = formats[extname(path).toLowerCase()];
  if (format) return format;
  const known = Object.keys(formats).join(', ');
  throw new InputError(`${escapeText(path)}: its name must end in one of ${known}`);
}

/** Throws an InputError unless a plan can be written there, in a format that is known: to be asked before the reading. */
export function checkPlanPath(path: string, excel = false): void {
  formatOf(path);
  checkExcel(path, excel);
  checkWritable(path);
}

/** Returns how many lines that are. Throws what `writeWhole` throws. */
export async function writePlan(path: string, source: PlanSource, excel = false): Promise<number> {
  let count = 0;
  async function* counted(): AsyncGenerator<PlanRow> {
    for await (const row of source.rows) {
      count += 1;
      yield row;
    }
  }
  await writeWhole(path, formatOf(path)({ ...source, rows: counted() }, excel));
  return count;
}

const planCsv = ({ rows }: PlanSource, excel: boolean): AsyncIterable<string> =>
  csvLines(planColumns, rows, planCells, excel);

async function* planXlsx({ rows }: PlanSource): AsyncGenerator<Uint8Array> {
  const { xlsx } = await import('../files/xlsx.ts');
  yield* xlsx('Plan', planColumns, rows, planCells);
}

/** The document with one more key, `people`, an object a line. */
const planJsonText = ({ document, rows }: PlanSource): AsyncIterable<string> => jsonLines(document, 'people', rows);

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

async function* planPage({ title, sentences, rows }: PlanSource): AsyncGenerator<string> {
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

const formats: Record<string, (source: PlanSource, excel: boolean) => AsyncIterable<string | Uint8Array>> = {
  '.csv': planCsv,
  '.xlsx': planXlsx,
  '.json': planJsonText,
  '.html': planPage,
};
