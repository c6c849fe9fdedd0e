// Writes a run's report file in the format its ending names.
import { extname } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/escape.ts';
import { withVersion } from '../documents/version.ts';
import { reportHtml } from '../run/report-page.ts';
import { runJson } from '../run/run-report.ts';
import { csvLines } from './csv.ts';
import { jsonLines } from './json-lines.ts';
import { reportColumns, type ReportRow, type ReportSource } from './report-row.ts';
import { checkWritable, writeWhole } from './whole-file.ts';

/** The formats of a report, by the ending of its file. */
export const reportFormats = ['csv', 'xlsx', 'json', 'html'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** The format that a path asks for by its ending. Throws an InputError for any other. */
export function reportFormatOf(path: string): ReportFormat {
  const ending = extname(path).slice(1).toLowerCase();
  const format = reportFormats.find((one) => one === ending);
  if (format) return format;
  const known = reportFormats.map((one) => `.${one}`).join(', ');
  throw new InputError(`--report ${escapeText(path)}: its name must end in one of ${known}`);
}

/** A report in parts, from rows as they come. */
export function reportParts(
  format: ReportFormat,
  source: ReportSource,
  excel = false,
): AsyncIterable<string | Uint8Array> {
  return writers[format](source, excel);
}

/** Its ending must be a format, its folder writable. Throws an InputError, to be asked before a run begins. */
export function checkReportPath(path: string, excel = false): void {
  reportFormatOf(path);
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

/** Throws an InputError if `--excel` is asked for and the file is none of CSV. */
export function checkExcel(path: string, excel: boolean): void {
  if (!excel || extname(path).toLowerCase() === '.csv') return;
  throw new InputError(
    `--excel is about CSV files: ${escapeText(path)} is none. Leave it out, or end the name in .csv.`,
  );
}

const cellsOf = (row: ReportRow) => reportColumns.map((column) => row[column]);

/** Text of a CSV file (UTF-8, comma, RFC 4180 quoting), a line at a time; cells that look like formulas begin with `'`. */
const reportCsv = ({ rows }: ReportSource, excel: boolean): AsyncIterable<string> =>
  csvLines(reportColumns, rows(), cellsOf, excel);

/** Bytes of an Excel workbook with the same lines. */
async function* reportXlsx({ rows }: ReportSource): AsyncGenerator<Uint8Array> {
  const { xlsx } = await import('./xlsx.ts');
  yield* xlsx('Report', reportColumns, rows(), cellsOf);
}

/** Text of a JSON file: what there is to say about the run, and under `rows` one object a line. */
async function* reportJson({ report, details, rows }: ReportSource): AsyncGenerator<string> {
  const { trigger, startedAt, finishedAt, statusReason, settings, repeated, pending, problems, rosterFile } = report;
  const more = { statusReason, trigger, startedAt, finishedAt, settings, repeated, pending, problems, rosterFile };
  async function* inOrder() {
    for await (const row of rows()) yield Object.fromEntries(reportColumns.map((column) => [column, row[column]]));
  }
  yield* jsonLines(withVersion({ run: { ...runJson(report), ...more, ...details } }), 'rows', inOrder());
}

const writers: Record<ReportFormat, (source: ReportSource, excel: boolean) => AsyncIterable<string | Uint8Array>> = {
  csv: reportCsv,
  xlsx: reportXlsx,
  json: reportJson,
  html: reportHtml,
};
