// Writes reports, and refuses to write a file that a source would read.
import type { Config } from '../../../config/load.ts';
import type { Ask } from '../../acts/act.ts';
import { reportRun } from '../../acts/run-files.ts';
import { InputError } from '../../core/errors.ts';
import { checkWritable, writeWhole } from '../../report/files/whole-file.ts';
import { picksUp } from '../../roster/files/file-source.ts';
import { checkReportPath, reportFormatOf } from '../../page/report-file.ts';
import { sheetForm } from '../../report/files/sheet.ts';
import type { Output } from './output.ts';

/** The files that a command writes, by what is in them. `excel`: CSV files open in Excel. */
export type WrittenFiles = Partial<
  Record<'report' | 'rejects' | 'departed' | 'inserts' | 'plan', string | undefined>
> & {
  excel?: boolean | undefined;
};

/** A report that cannot be written, a file that a source would take for its newest. Throws an `InputError` first. */
export function checkWrittenFiles(
  { report, rejects, departed, inserts, plan, excel }: WrittenFiles,
  { sources }: Pick<Config, 'sources'>,
): void {
  if (report !== undefined) checkReportPath(report, excel);
  if (plan !== undefined) checkReportPath(plan, excel, '');
  for (const list of [departed, inserts].filter((path) => path !== undefined)) {
    sheetForm(list, excel);
    checkWritable(list);
  }
  for (const path of [report, rejects, departed, inserts, plan].filter((path) => path !== undefined)) {
    const reader = Object.entries(sources).find(([, source]) => picksUp(source, path, process.cwd()));
    if (!reader) continue;
    const [name, { file }] = reader;
    throw new InputError(
      `${path} would be read as a roster: the source ${name} takes ${file}. Write it to another folder, or under ` +
        'another name.',
    );
  }
}

/** Writes to a file, or to stdout where none is named. Resolves with false when nobody reads that any more. */
export async function writeOut(
  output: Output,
  file: string | undefined,
  parts: AsyncIterable<string | Uint8Array>,
): Promise<boolean> {
  if (file === undefined) return output.data(parts);
  await writeWhole(file, parts);
  return true;
}

/** Writes the report of a run that whoever is asked knows, and says where it is. */
export async function writeReportOf(
  ask: Ask,
  run: string,
  { path, output, excel = false }: { path: string; output: Output; excel?: boolean },
): Promise<void> {
  const { parts } = await ask(reportRun, { run, format: reportFormatOf(path), excel });
  await writeWhole(path, parts);
  output.note(`The report is in ${path}.`);
}
