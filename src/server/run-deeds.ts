// What a request can do to a run: pause, cancel, resume, retry, approve. The API and the pages do the same.
import type { FastifyRequest } from 'fastify';
import { requireBaseUrl } from '../../config/load.ts';
import { approveRun, howToGoOn, stopRun } from '../../jobs/index.ts';
import type { ApproveRequest } from '../../jobs/run/approve-run.ts';
import type { StopCommand } from '../../jobs/run/steer-run.ts';
import { defined } from '../core/defined.ts';
import type { Approved } from '../ledger/moves/approving.ts';
import type { FailureFilter } from '../ledger/runs/failures.ts';
import type { Run } from '../ledger/runs/runs.ts';
import { parseBaseUrl } from '../service/address.ts';
import { originOf, possibleNow } from './api/deeds.ts';
import type { ApiParts } from './parts.ts';
import { RequestError } from './problems.ts';

export function runDeeds({ context, poke }: ApiParts) {
  const { ledger } = context;

  async function note(request: FastifyRequest, action: string, runId: string): Promise<void> {
    await ledger.noteDeed({ by: request.by, action, runId, origin: originOf(request) });
  }

  return {
    async stop(request: FastifyRequest, run: Run, command: StopCommand): Promise<void> {
      await possibleNow(() => stopRun(context, run, command, request.by));
      await note(request, command, run.id);
    },

    /** Continues a run, or retries its failures, or those that `only` means. */
    async goOn(request: FastifyRequest, run: Run, command: 'resume' | 'retry', only?: FailureFilter): Promise<void> {
      const how = await possibleNow(async () => howToGoOn(run, command));
      refuseOtherService(run);
      const go = (): Promise<number | undefined> => ledger.continueRun(run.id, { ...how, ...defined({ only }) });
      // What delivers already only has to be looked at.
      const moved = run.status === 'delivering' || (await (only ? possibleNow(go) : go())) !== undefined;
      if (!moved) throw new RequestError(409, 'CHANGED', 'The run has just changed; look at it again.');
      await note(request, command, run.id);
      poke(run.id);
    },

    async approve(
      request: FastifyRequest,
      run: Run,
      what: Omit<ApproveRequest, 'runId' | 'service' | 'by'>,
    ): Promise<Approved> {
      const { address } = parseBaseUrl(requireBaseUrl(context.config));
      const approved = await possibleNow(() =>
        approveRun(context, { ...what, runId: run.id, service: address, by: request.by }),
      );
      if (approved.already === undefined) await note(request, 'approve', run.id);
      poke(run.id);
      return approved;
    },
  };

  /** Nobody here would deliver it, nor end it at its deadline. */
  function refuseOtherService({ id, service }: Run): void {
    const { address } = parseBaseUrl(requireBaseUrl(context.config));
    if (service === address) return;
    const detail = `Run ${id} belongs to ${service}, but the configured service is ${address}. Nothing was changed.`;
    throw new RequestError(409, 'OTHER_SERVICE', detail);
  }
}
