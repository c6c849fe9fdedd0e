// Writes a run's report as CSV, workbook or JSON.
import { documentVersion } from '../documents/version.ts';
import { csvForm, csvText } from './csv.ts';
import { reportColumns } from './report-row.ts';
import type { ReportSource } from './report-source.ts';
import { runJson } from '../run/run-report.ts';

/** Text of a CSV file (UTF-8, comma, RFC 4180 quoting), a line at a time; cells that look like formulas begin with `'`. */
export async function* reportCsv({ rows }: ReportSource, excel = false): AsyncGenerator<string> {
  const form = csvForm(excel);
  yield form.mark + csvText([reportColumns], form);
  for await (const row of rows()) yield csvText([reportColumns.map((column) => row[column])], form);
}

/** Bytes of an Excel workbook with the same lines. */
export async function* reportXlsx({ rows }: ReportSource): AsyncGenerator<Uint8Array> {
  const { xlsx } = await import('./xlsx.ts');
  yield* xlsx('Report', reportColumns, cells());
  async function* cells() {
    for await (const row of rows()) yield reportColumns.map((column) => row[column]);
  }
}

/** Text of a JSON file: what there is to say about the run, and under `rows` one object a line. */
export async function* reportJson({ report, details, rows }: ReportSource): AsyncGenerator<string> {
  const { trigger, startedAt, finishedAt, statusReason, settings, repeated, pending, problems, rosterFile } = report;
  const run = {
    ...runJson(report),
    statusReason,
    trigger,
    startedAt,
    finishedAt,
    settings,
    repeated,
    pending,
    problems,
    rosterFile,
    ...details,
  };
  yield `{\n"version": ${documentVersion},\n"run": ${JSON.stringify(run)},\n"rows": `;
  let before = '[\n';
  for await (const row of rows()) {
    yield before + JSON.stringify(Object.fromEntries(reportColumns.map((column) => [column, row[column]])));
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n}\n' : '\n]\n}\n';
}
