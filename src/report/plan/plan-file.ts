// Writes a plan to a file: CSV, workbook, JSON or HTML.
import { extname } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/escape.ts';
import { csvForm, csvText } from '../files/csv.ts';
import { planPage } from './plan-page.ts';
import { planCells, planColumns, type PlanRow, type PlanSource } from './plan-row.ts';
import { checkExcel } from '../files/report-file.ts';
import { checkWritable, writeWhole } from '../files/whole-file.ts';

const formats: Record<string, (source: PlanSource, excel: boolean) => AsyncIterable<string | Uint8Array>> = {
  '.csv': planCsv,
  '.xlsx': planXlsx,
  '.json': planJsonText,
  '.html': planPage,
};

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

async function* planCsv({ rows }: PlanSource, excel: boolean): AsyncGenerator<string> {
  const form = csvForm(excel);
  yield form.mark + csvText([planColumns], form);
  for await (const row of rows) yield csvText([planCells(row)], form);
}

async function* planXlsx({ rows }: PlanSource): AsyncGenerator<Uint8Array> {
  const { xlsx } = await import('../files/xlsx.ts');
  yield* xlsx('Plan', planColumns, cells());
  async function* cells() {
    for await (const row of rows) yield planCells(row);
  }
}

/** The document with one more key, `people`, an object a line. */
async function* planJsonText({ document, rows }: PlanSource): AsyncGenerator<string> {
  yield `${JSON.stringify(document, null, 2).replace(/\n\}$/, '')},\n  "people": [`;
  let before = '\n';
  for await (const row of rows) {
    yield before + JSON.stringify(row);
    before = ',\n';
  }
  yield before === '\n' ? ']\n}\n' : '\n]\n}\n';
}
