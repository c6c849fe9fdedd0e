// Says what happens to moves to new addresses, and resolves them by the hash of that: for the API and the pages.
import type { FastifyRequest } from 'fastify';
import { requireBaseUrl } from '../../config/load.ts';
import { type MovesToResolve, resolveMoves } from '../../jobs/index.ts';
import type { IdentityDecision } from '../core/rows/identity-change.ts';
import type { AddressPair } from '../core/person/moves.ts';
import type { ResolvedMoves } from '../ledger/planning/resolving.ts';
import type { Run } from '../ledger/runs/runs.ts';
import { parseBaseUrl } from '../service/address.ts';
import { originOf } from './access-log.ts';
import type { ApiParts } from './parts.ts';
import { RequestError } from './problems.ts';

/** What is decided, and about whom: pairs and rules, or everybody who waits in a run. */
type MovesAsked = { decision: IdentityDecision } & ({ pairs: readonly AddressPair[] } | { run: Run });

/**
 * What happens to moves; with a hash it is done.
 * @throws RequestError when these are not the moves of the hash
 */
export async function movesByRequest(
  { context }: Pick<ApiParts, 'context'>,
  request: FastifyRequest,
  asked: MovesAsked,
  hash?: string,
): Promise<{ question: MovesToResolve; found: ResolvedMoves }> {
  const { decision } = asked;
  const question: MovesToResolve =
    'run' in asked
      ? { decision, service: asked.run.service, of: { runId: asked.run.id } }
      : { decision, service: parseBaseUrl(requireBaseUrl(context.config)).address, of: { pairs: asked.pairs } };
  const go = hash === undefined ? undefined : { hash, by: request.by, origin: originOf(request) };
  const found = await resolveMoves(context, question, go);
  if (go && !found.isDone) {
    throw new RequestError(409, 'CHANGED', 'These are not the moves that were shown: look again. Nothing was changed.');
  }
  return { question, found };
}
