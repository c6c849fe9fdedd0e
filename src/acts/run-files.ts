// The acts that give files of a run: its report, its rejected rows, its people, and who left.
import { rejectsFileParts } from '../../jobs/run/rejects-file.ts';
import { NotFoundError, NotNowError } from '../core/errors.ts';
import { departedFile, insertsFile, peopleFile } from '../report/files/people-file.ts';
import { reportParts } from '../page/report-file.ts';
import { reportSource } from '../report/run/read-report.ts';
import type { Run } from '../ledger/runs/runs.ts';
import { act } from './act.ts';
import { filterOf, plannedFor } from './people-filter.ts';
import { PeopleFileInput } from './shapes/people-of-run.ts';
import { fileTypes, ReportInput, reportFormats, RunParams, RunSheetInput } from './shapes/requests.ts';
import { sheetFormats } from './shapes/parts.ts';

const sheetTypes = sheetFormats.map((format) => fileTypes[format]);

export const reportRun = act({
  id: 'runs.report',
  scope: 'read',
  input: ReportInput,
  output: reportFormats.map((format) => fileTypes[format]),
  async run({ context }, { run, format, excel = false }) {
    const parts = reportParts(format, await reportSource(context, run), excel);
    return { name: `${run.id}.${format}`, type: fileTypes[format], parts };
  },
  audit: 'download report',
  http: { route: 'GET /runs/:run/report', operation: 'downloadReport' },
});

export const rejectsOfRun = act({
  id: 'runs.rejects',
  scope: 'read',
  input: RunParams,
  output: [fileTypes.csv],
  run({ context }, { run }) {
    if (!run.roster?.counts.rejects)
      throw new NotFoundError('No row of this run was rejected.', { code: 'NO_REJECTS' });
    return Promise.resolve({ name: `${run.id}-rejects.csv`, type: 'text/csv', parts: rejectsFileParts(context, run) });
  },
  audit: 'download rejects',
  http: { route: 'GET /runs/:run/rejects', operation: 'downloadRejects' },
});

export const peopleFileOfRun = act({
  id: 'runs.peopleFile',
  scope: 'read',
  input: PeopleFileInput,
  output: sheetTypes,
  run({ context: { ledger } }, { run, format = 'csv', excel = false, ...asked }) {
    const parts = peopleFile(ledger, plannedFor(run), filterOf(run, asked), { format, excel });
    return Promise.resolve({ name: `${run.id}-people.${format}`, type: fileTypes[format], parts });
  },
  audit: 'download people',
  http: { route: 'POST /runs/:run/people/download', operation: 'downloadPeople' },
});

export const departedOfRun = act({
  id: 'runs.departed',
  scope: 'read',
  input: RunSheetInput,
  output: sheetTypes,
  run({ context: { ledger } }, { run, format = 'csv', excel = false }) {
    const parts = departedFile(ledger, run.id, { format, excel });
    return Promise.resolve({ name: `${run.id}-departed.${format}`, type: fileTypes[format], parts });
  },
  audit: 'download who left',
  http: { route: 'GET /runs/:run/departed', operation: 'downloadDeparted' },
});

/** Throws a NotNowError where retention has removed who it was, or what the service answered. */
export function checkInsertsKept({ id, rosterRemovedAt, receiptsRemovedAt }: Run): void {
  if (rosterRemovedAt === null && receiptsRemovedAt === null) return;
  throw new NotNowError(
    `The people and answers of run ${id} are no longer kept (retention): nobody can say who got what.`,
  );
}

export const insertsOfRun = act({
  id: 'runs.inserts',
  scope: 'read',
  input: RunSheetInput,
  output: sheetTypes,
  run({ context: { ledger } }, { run, format = 'csv', excel = false }) {
    checkInsertsKept(run);
    const parts = insertsFile(ledger, run.id, { format, excel });
    return Promise.resolve({ name: `${run.id}-inserts.${format}`, type: fileTypes[format], parts });
  },
  audit: 'download inserts',
  http: { route: 'GET /runs/:run/inserts', operation: 'downloadInserts' },
});
