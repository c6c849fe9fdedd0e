// The API route that resolves moves of people to new addresses.
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { movesJson } from '../../report/person/moves-words.ts';
import { movesByRequest } from '../moves.ts';
import type { ApiParts } from '../parts.ts';
import { RequestError } from '../problems.ts';
import { findRun } from '../../report/run/read-report.ts';
import { facts } from './routes.ts';
import { Moves, MovesBody } from '../../acts/shapes/requests.ts';

export function registerMoves(app: FastifyInstance, parts: ApiParts): void {
  app.post(
    '/moves',
    facts({
      scope: 'approve',
      id: 'resolveMoves',
      summary: 'Say what it means that addresses changed',
      description: 'Ask without a hash first, look at what would become of it, then send the same with its hash.',
      body: MovesBody,
      answer: Moves,
    }),
    async (request) => {
      const { decision, moves, run, hash } = request.body as z.output<typeof MovesBody>;
      if ((moves === undefined) === (run === undefined)) {
        throw new RequestError(422, 'INPUT', 'Say one of `moves` and `run`. Nothing was changed.');
      }
      const of = run === undefined ? { pairs: moves ?? [] } : { run: await findRun(parts.context, run) };
      const { question, found } = await movesByRequest(parts, request, { decision, ...of }, hash);
      return movesJson(found, question);
    },
  );
}
