// The API routes that approve, pause, cancel, resume and retry.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { requireBaseUrl } from '../../../config/load.ts';
import { approveRun, howToGoOn, stopRun } from '../../../jobs/index.ts';
import type { Run as LedgerRun } from '../../ledger/runs/runs.ts';
import { readReport } from '../../report/run/read-report.ts';
import { runJson } from '../../report/run/run-report.ts';
import { parseBaseUrl } from '../../service/address.ts';
import type { ApiParts } from '../parts.ts';
import { RequestError } from '../problems.ts';
import { originOf, possibleNow } from './deeds.ts';
import { theRun } from './find-run.ts';
import { facts } from './routes.ts';
import { Approval, ApproveBody, Run, RunParams } from './schemas.ts';

/** The routes that pause, end and continue runs. Each answers with the run as it is then. */
export function registerSteering(app: FastifyInstance, { context, poke }: ApiParts): void {
  const { ledger } = context;

  async function asItIs(id: string): Promise<object> {
    return runJson(await readReport(context, await theRun(ledger, id)));
  }

  for (const command of ['pause', 'cancel'] as const) {
    const summary = command === 'pause' ? 'Pause a run' : 'Cancel a run';
    app.post(
      `/runs/:run/${command}`,
      facts({ scope: 'run', summary, params: RunParams, answer: Run }),
      async (request) => {
        const run = await theRun(ledger, (request.params as z.output<typeof RunParams>).run);
        await possibleNow(() => stopRun(context, run, command, request.by));
        await note(request, command, run.id);
        return asItIs(run.id);
      },
    );
  }

  for (const command of ['resume', 'retry'] as const) {
    const summary = command === 'resume' ? 'Resume a run' : 'Retry the failures of a run';
    app.post(
      `/runs/:run/${command}`,
      facts({ scope: 'run', summary, params: RunParams, answer: Run }),
      async (request) => {
        const run = await theRun(ledger, (request.params as z.output<typeof RunParams>).run);
        const how = await possibleNow(async () => howToGoOn(run, command));
        refuseOtherService(run);
        // A run that already delivers needs no further step.
        const moved = run.status === 'delivering' || (await ledger.continueRun(run.id, how)) !== undefined;
        if (!moved) throw new RequestError(409, 'CHANGED', 'The run has just changed; look at it again.');
        await note(request, command, run.id);
        poke(run.id);
        return asItIs(run.id);
      },
    );
  }

  app.post(
    '/runs/:run/approve',
    facts({
      scope: 'approve',
      summary: 'Approve what a run holds',
      params: RunParams,
      body: ApproveBody,
      answer: Approval,
    }),
    async (request) => {
      const run = await theRun(ledger, (request.params as z.output<typeof RunParams>).run);
      const what = request.body as z.output<typeof ApproveBody>;
      const { address } = parseBaseUrl(requireBaseUrl(context.config));
      const approved = await possibleNow(() =>
        approveRun(context, { ...what, runId: run.id, service: address, by: request.by }),
      );
      if (approved.already === undefined) await note(request, 'approve', run.id);
      poke(run.id);
      return { run: run.id, ...approved };
    },
  );

  /** No process here would deliver it or end it at its deadline. */
  function refuseOtherService({ id, service }: LedgerRun): void {
    const { address } = parseBaseUrl(requireBaseUrl(context.config));
    if (service === address) return;
    const detail = `Run ${id} belongs to ${service}, but the configured service is ${address}. Nothing was changed.`;
    throw new RequestError(409, 'OTHER_SERVICE', detail);
  }

  async function note(request: FastifyRequest, action: string, runId: string): Promise<void> {
    await ledger.noteDeed({ by: request.by, action, runId, origin: originOf(request) });
  }
}
