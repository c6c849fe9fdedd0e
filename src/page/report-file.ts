// Writes the report of a run, or a plan, in the format that the ending of its file names.
import { type ReportFormat, reportFormats } from '../acts/shapes/requests.ts';
import { RunDocument } from '../acts/shapes/run.ts';
import { reportColumns, type ReportSource } from '../report/run/run-report.ts';
import { checkExcel, formatOf, sheetParts } from '../report/files/sheet.ts';
import { checkWritable, writeWhole } from '../report/files/whole-file.ts';
import { planColumns, type PlanRow, type PlanSource } from '../report/plan/plan-row.ts';

/** The format that a path asks for by its ending. Throws an InputError for any other. */
export const reportFormatOf = (path: string): ReportFormat => formatOf(path, reportFormats, '--report ');

/** A report in parts, from rows as they come. */
export function reportParts(
  format: ReportFormat,
  source: ReportSource,
  excel = false,
): AsyncIterable<string | Uint8Array> {
  if (format === 'html') return reportPage(source);
  const { report, details, rows } = source;
  const { trigger, startedAt, finishedAt, statusReason, settings, repeated, pending, problems, rosterFile } = report;
  const more = { statusReason, trigger, startedAt, finishedAt, settings, repeated, pending, problems, rosterFile };
  const head = { run: { ...RunDocument.parse(report), ...more, ...details } };
  return sheetParts({ name: 'Report', list: 'rows', head, columns: reportColumns, rows: rows() }, { format, excel });
}

// Loaded where somebody wants a page: to load it takes as long as to start a command.
async function* reportPage(source: ReportSource): AsyncGenerator<string> {
  yield* (await import('./report.ts')).reportHtml(source);
}

/** Its ending must be a format, its folder writable. Throws an InputError, to be asked before a run begins. */
export function checkReportPath(path: string, excel = false, flag = '--report '): void {
  formatOf(path, reportFormats, flag);
  checkExcel(path, excel);
  checkWritable(path);
}

/**
 * Writes a report file (mode 0600) from rows as they come, next to its place first, then renamed: it is there
 * whole or not at all. Returns once it is on the disk.
 * @throws InputError when the name, its folder or its rights are wrong; StorageError when the disk fails
 */
export async function writeReport(path: string, source: ReportSource, excel = false): Promise<void> {
  await writeWhole(path, reportParts(reportFormatOf(path), source, excel));
}

/** The same of a plan. Returns how many lines that are. */
export async function writePlan(path: string, source: PlanSource, excel = false): Promise<number> {
  let count = 0;
  async function* counted(): AsyncGenerator<PlanRow> {
    for await (const row of source.rows) {
      count += 1;
      yield row;
    }
  }
  const format = formatOf(path, reportFormats);
  const rows = counted();
  const sheet = { name: 'Plan', list: 'people', head: source.document, columns: planColumns, rows };
  const parts =
    format === 'html'
      ? (await import('./file.ts')).planHtml({ ...source, rows })
      : sheetParts(sheet, { format, excel });
  await writeWhole(path, parts);
  return count;
}
