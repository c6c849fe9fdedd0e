// The API routes that approve, pause, cancel, resume and retry.
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { readReport } from '../../report/run/read-report.ts';
import { runJson } from '../../report/run/run-report.ts';
import type { ApiParts } from '../parts.ts';
import { runDeeds } from '../run-deeds.ts';
import { theRun } from './find-run.ts';
import { facts } from './routes.ts';
import { RetryBody } from './run-schemas.ts';
import { causeOf } from './cause.ts';
import { Approval, ApproveBody, Run, RunParams } from './schemas.ts';

export function registerSteering(app: FastifyInstance, parts: ApiParts): void {
  const { context } = parts;
  const { ledger } = context;
  const deeds = runDeeds(parts);

  async function asItIs(id: string): Promise<object> {
    return runJson(await readReport(context, await theRun(ledger, id)));
  }

  for (const command of ['pause', 'cancel'] as const) {
    const summary = command === 'pause' ? 'Pause a run' : 'Cancel a run';
    app.post(
      `/runs/:run/${command}`,
      facts({ scope: 'run', id: `${command}Run`, summary, params: RunParams, answer: Run }),
      async (request) => {
        const run = await theRun(ledger, (request.params as z.output<typeof RunParams>).run);
        await deeds.stop(request, run, command);
        return asItIs(run.id);
      },
    );
  }

  app.post(
    '/runs/:run/resume',
    facts({ scope: 'run', id: 'resumeRun', summary: 'Resume a run', params: RunParams, answer: Run }),
    async (request) => {
      const run = await theRun(ledger, (request.params as z.output<typeof RunParams>).run);
      await deeds.goOn(request, run, 'resume');
      return asItIs(run.id);
    },
  );

  app.post(
    '/runs/:run/retry',
    {
      ...facts({
        scope: 'run',
        id: 'retryRun',
        summary: 'Retry the failures of a run',
        description: 'All of them, or those that the body means. The same calls are made again.',
        params: RunParams,
        body: RetryBody,
        answer: Run,
      }),
    },
    async (request) => {
      const run = await theRun(ledger, (request.params as z.output<typeof RunParams>).run);
      const { cause, ...rest } = (request.body as z.output<typeof RetryBody>) ?? {};
      const isFiltered = cause !== undefined || Object.keys(rest).length > 0;
      const only = { ...rest, ...(cause !== undefined && { cause: causeOf(cause) }) };
      await deeds.goOn(request, run, 'retry', isFiltered ? only : undefined);
      return asItIs(run.id);
    },
  );

  app.post(
    '/runs/:run/approve',
    facts({
      scope: 'approve',
      id: 'approveRun',
      summary: 'Approve what a run holds',
      params: RunParams,
      body: ApproveBody,
      answer: Approval,
    }),
    async (request) => {
      const run = await theRun(ledger, (request.params as z.output<typeof RunParams>).run);
      const approved = await deeds.approve(request, run, request.body as z.output<typeof ApproveBody>);
      return { run: run.id, ...approved };
    },
  );
}
