// The API routes of the sources: list them, keep them in the ledger, and show their schedules.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { keptNameProblem, parseKeptBlock } from '../../../config/kept-source.ts';
import { requireBaseUrl } from '../../../config/load.ts';
import { readKnownSchedules, viewSchedules } from '../../../jobs/index.ts';
import { time } from '../../report/documents/parts.ts';
import { SchedulesDocument } from '../../report/documents/roster-documents.ts';
import { parseBaseUrl } from '../../service/address.ts';
import { isFromConfig, learnKeptSources } from '../../wiring/kept-sources.ts';
import { changeSource } from '../keep-source.ts';
import type { ApiParts } from '../parts.ts';
import { RequestError } from '../problems.ts';
import { facts } from './routes.ts';

const name = z.string().min(1).max(200);

/** The source that a path names. */
const SourceParams = z.strictObject({ source: name.describe('Its name.') });

/** The sources that there are. */
const Sources = z.object({
  sources: z.array(
    z.object({
      name: z.string(),
      from: z.enum(['config', 'ledger']),
      isUsed: z.boolean().describe('False for one of the ledger while the config has one of the same name.'),
      by: z.string().exactOptional().describe('Who kept it in the ledger.'),
      at: time.exactOptional().describe('When that was.'),
    }),
  ),
});

/** A source that is kept in the ledger. */
const KeptSource = z.object({
  name: z.string(),
  settings: z.string().describe('YAML, as below the name of a source in the config.'),
  by: z.string(),
  at: time,
});

/** What is to be kept. */
const KeepBody = z.strictObject({
  settings: z.string().max(65_536).describe('YAML, as below the name of a source in the config, without a place.'),
});

/** What the ledger has now. */
const Kept = z.object({ name: z.string(), isKept: z.boolean() });

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
