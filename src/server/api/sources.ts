// The API routes of the sources: list them, keep them in the ledger, and show their schedules.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { requireBaseUrl } from '../../../config/load.ts';
import { keptNameProblem, parseKeptBlock } from '../../../config/kept-source.ts';
import { readKnownSchedules, viewSchedules } from '../../../jobs/index.ts';
import { parseBaseUrl } from '../../service/address.ts';
import { isFromConfig, learnKeptSources } from '../../wiring/kept-sources.ts';
import { SchedulesDocument } from '../../report/documents/roster-documents.ts';
import type { ApiParts } from '../parts.ts';
import { changeSource } from '../keep-source.ts';
import { RequestError } from '../problems.ts';
import { facts } from './routes.ts';
import { KeepBody, Kept, KeptSource, SourceParams, Sources } from './source-schemas.ts';

export function registerSourceRoutes(app: FastifyInstance, { context }: ApiParts): void {
  const { config, ledger } = context;
  const nameOf = ({ params }: FastifyRequest): string => (params as z.output<typeof SourceParams>).source;

  app.get(
    '/sources',
    facts({ scope: 'read', id: 'listSources', summary: 'List the sources', answer: Sources }),
    async () => {
      const kept = await learnKeptSources(context);
      const own = Object.keys(config.sources).filter((name) => isFromConfig(config, name));
      return {
        sources: [
          ...own.map((name) => ({ name, from: 'config', isUsed: true })),
          ...kept.map(({ name, by, at }) => ({
            name,
            from: 'ledger',
            isUsed: !own.includes(name),
            by,
            at: at.toISOString(),
          })),
        ],
      };
    },
  );

  app.get(
    '/sources/:source',
    facts({
      scope: 'read',
      id: 'getSource',
      summary: 'Show a source that is kept in the ledger',
      params: SourceParams,
      answer: KeptSource,
    }),
    async (request) => {
      const found = (await ledger.listKeptSources()).find(({ name }) => name === nameOf(request));
      if (!found) throw notKept();
      return { name: found.name, settings: found.block, by: found.by, at: found.at.toISOString() };
    },
  );

  app.put(
    '/sources/:source',
    facts({
      scope: 'run',
      id: 'keepSource',
      summary: 'Keep a source in the ledger',
      description:
        'It says how a file is read, not where it is. One of the config with the same name wins. What lets more through than ' +
        'before (a guard, everybody, forceSync, invitations, limits) needs the scope approve, and with server.twoPeople two people.',
      params: SourceParams,
      body: KeepBody,
      answer: Kept,
    }),
    async (request) => {
      const name = nameOf(request);
      const { settings } = request.body as z.output<typeof KeepBody>;
      const parsed = parseKeptBlock(settings);
      const problem = keptNameProblem(name);
      const problems = [...(problem === undefined ? [] : [problem]), ...('problems' in parsed ? parsed.problems : [])];
      if (problems.length > 0) throw new RequestError(422, 'INPUT', `Nothing was kept. ${problems.join('; ')}.`);
      await changeSource(context, request, { name, block: settings });
      return { name, isKept: true };
    },
  );

  app.delete(
    '/sources/:source',
    facts({
      scope: 'run',
      id: 'removeSource',
      summary: 'Remove a source from the ledger',
      description: 'What was sent stays. If its settings are stricter than the defaults, it needs the scope approve.',
      params: SourceParams,
      answer: Kept,
    }),
    async (request) => {
      const name = nameOf(request);
      if (!(await changeSource(context, request, { name }))) throw notKept();
      return { name, isKept: false };
    },
  );

  app.get(
    '/schedules',
    facts({ scope: 'read', id: 'listSchedules', summary: 'Show when each source is read', answer: SchedulesDocument }),
    async () => {
      const known = await readKnownSchedules(ledger, parseBaseUrl(requireBaseUrl(config)).address);
      return { schedules: viewSchedules(config, new Date(), known) };
    },
  );
}

function notKept(): RequestError {
  return new RequestError(404, 'NO_SOURCE', 'No source of this name is kept in the ledger.');
}
