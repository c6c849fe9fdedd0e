import papaparse from 'papaparse';
import { formula } from '../core/formula.ts';
import { reportColumns, type ReportRow } from './report-row.ts';

/** Text of a CSV file (UTF-8, comma, RFC 4180 quoting), a line at a time; cells that look like formulas begin with `'`. */
export async function* reportCsv(rows: AsyncIterable<ReportRow>): AsyncGenerator<string> {
  yield `${reportColumns.join(',')}\n`;
  for await (const row of rows) yield `${csvLine(row)}\n`;
}

function csvLine(row: ReportRow): string {
  return papaparse.unparse([reportColumns.map((column) => row[column])], { escapeFormulae: formula, newline: '\n' });
}

/** Text of a JSON file: an array with one object a line. */
export async function* reportJson(rows: AsyncIterable<ReportRow>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const row of rows) {
    yield before + JSON.stringify(Object.fromEntries(reportColumns.map((column) => [column, row[column]])));
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
