// Writes a run's report file in the format its ending names.
import { extname } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/escape.ts';
import { reportCsv, reportJson, reportXlsx } from './report-formats.ts';
import { reportHtml } from '../run/report-page.ts';
import type { ReportSource } from './report-source.ts';
import { checkWritable, writeWhole } from './whole-file.ts';

const formats: Record<string, (source: ReportSource, excel: boolean) => AsyncIterable<string | Uint8Array>> = {
  '.csv': reportCsv,
  '.xlsx': reportXlsx,
  '.json': reportJson,
  '.html': reportHtml,
};

function formatOf(path: string) {
  const format = formats[extname(path).toLowerCase()];
  if (format) return format;
  const known = Object.keys(formats).join(', ');
  throw new InputError(`--report ${escapeText(path)}: its name must end in one of ${known}`);
}

/** Its ending must be a format, its folder writable. Throws an InputError, to be asked before a run begins. */
export function checkReportPath(path: string, excel = false): void {
  formatOf(path);
  checkExcel(path, excel);
  checkWritable(path);
}

/**
 * Writes a report file (mode 0600) from rows as they come, next to its place first, then renamed: it is there
 * whole or not at all. Returns once it is on the disk.
 * @throws InputError when the name, its folder or its rights are wrong; StorageError when the disk fails
 */
export async function writeReport(path: string, source: ReportSource, excel = false): Promise<void> {
  await writeWhole(path, formatOf(path)(source, excel));
}

/** Throws an InputError if `--excel` is asked for and the file is none of CSV. */
export function checkExcel(path: string, excel: boolean): void {
  if (!excel || extname(path).toLowerCase() === '.csv') return;
  throw new InputError(
    `--excel is about CSV files: ${escapeText(path)} is none. Leave it out, or end the name in .csv.`,
  );
}
