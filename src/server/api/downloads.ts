// The API routes that return files.
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { writeRejectsFile } from '../../../jobs/index.ts';
import { reportSource } from '../../report/run/read-report.ts';
import { writeReport } from '../../report/files/report-file.ts';
import type { ApiParts } from '../parts.ts';
import { RequestError } from '../problems.ts';
import { theRun } from './find-run.ts';
import { facts } from './routes.ts';
import { ReportQuery, RunParams } from './schemas.ts';
import { sendFile } from './send-file.ts';

const types: Record<string, string> = { csv: 'text/csv; charset=utf-8', json: 'application/json' };

/** Who takes one is in the audit. */
export function registerDownloads(app: FastifyInstance, { context }: ApiParts): void {
  const { ledger } = context;

  app.get(
    '/runs/:run/report',
    facts({
      scope: 'read',
      id: 'downloadReport',
      summary: 'Download the report of a run',
      description: 'A line for each person and group, with what the service answered.',
      params: RunParams,
      querystring: ReportQuery,
      files: ['text/csv', 'application/json'],
    }),
    async (request, reply) => {
      const run = await theRun(ledger, (request.params as z.output<typeof RunParams>).run);
      const { format } = request.query as z.output<typeof ReportQuery>;
      return sendFile(context, request, reply, {
        runId: run.id,
        action: 'download report',
        name: `${run.id}.${format}`,
        type: types[format] ?? '',
        write: async (path) => writeReport(path, await reportSource(context, run.id)),
      });
    },
  );

  app.get(
    '/runs/:run/rejects',
    facts({
      scope: 'read',
      id: 'downloadRejects',
      summary: 'Download the rejected rows of a run',
      description: 'In the format of their roster, so that you can correct and import them.',
      params: RunParams,
      files: ['text/csv'],
    }),
    async (request, reply) => {
      const run = await theRun(ledger, (request.params as z.output<typeof RunParams>).run);
      if ((run.roster?.counts.rejects ?? 0) === 0) {
        throw new RequestError(404, 'NO_REJECTS', 'No row of this run was rejected.');
      }
      return sendFile(context, request, reply, {
        runId: run.id,
        action: 'download rejects',
        name: `${run.id}-rejects.csv`,
        type: 'text/csv',
        write: (path) => writeRejectsFile(context, run.id, path),
      });
    },
  );
}
