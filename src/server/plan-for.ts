// What routes and forms share that plan a run: who did is noted, and what is under way ends with the server.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { runSource, type SourceRun } from '../../jobs/index.ts';
import type { SourceRunResult } from '../../jobs/run/run-source.ts';
import { originOf } from './access-log.ts';
import type { ServerParts } from './parts.ts';
import { RequestError } from './problems.ts';

/** Aborted once a server begins to close: nothing is left then of what was being planned. */
export function closingOf(app: FastifyInstance, next: string): AbortSignal {
  const closing = new AbortController();
  app.addHook('preClose', async () =>
    closing.abort(new RequestError(503, 'CLOSING', `The server is stopping. ${next}`)),
  );
  return closing.signal;
}

/** Plans a run of a source for whoever sent a request. Throws a RequestError while another run of it is planned. */
export async function planFor(
  { context }: Pick<ServerParts, 'context'>,
  request: FastifyRequest,
  { action, ...run }: Omit<SourceRun, 'trigger' | 'by'> & { action: string },
): Promise<SourceRunResult> {
  const { by } = request;
  const result = await runSource(context, { ...run, trigger: 'api', by });
  if (result.status === 'busy') throw new RequestError(409, 'BUSY', `${result.reason}.`);
  await context.ledger.noteDeed({ by, action, runId: result.runId, origin: originOf(request) });
  return result;
}
