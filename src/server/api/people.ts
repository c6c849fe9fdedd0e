// The API routes about the people of a run: who they are, why they failed, and when they ended.
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { defined } from '../../core/defined.ts';
import { adviceFor, writeCause } from '../../core/run/cause.ts';
import { writePeople } from '../../report/files/people-file.ts';
import type { PeopleFilter, PersonOfRun } from '../../ledger/people/people-of-run.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import type { ApiParts } from '../parts.ts';
import { causeOf } from './cause.ts';
import { theRun } from './find-run.ts';
import { reasonOf } from './reason.ts';
import { facts } from './routes.ts';
import { sendFile } from './send-file.ts';
import { Failures, PeopleBody, PeopleFileBody, PeopleOfRun, RunTimeline, TimelineQuery } from './run-schemas.ts';
import { RunParams } from './schemas.ts';

type Asked = NonNullable<z.output<typeof PeopleBody>>;
const fewPeople = 50;

export function registerPeople(app: FastifyInstance, { context }: ApiParts): void {
  const { ledger } = context;

  // A name or an address in a path or a query would be in the logs of every proxy.
  app.post(
    '/runs/:run/people',
    facts({
      scope: 'read',
      id: 'listPeople',
      summary: 'List the people of a run',
      description: 'Everybody to whom something happens, in the order of their addresses.',
      params: RunParams,
      body: PeopleBody,
      answer: PeopleOfRun,
    }),
    async (request) => {
      const run = await theRun(ledger, (request.params as z.output<typeof RunParams>).run);
      const { limit = fewPeople, after = '', ...asked }: Asked = (request.body as z.output<typeof PeopleBody>) ?? {};
      const of = { runId: run.id, service: run.service, source: run.source };
      const found = await ledger.peopleOfRun(of, filterOf(run, asked), { after, limit: limit + 1 });
      const people = found.slice(0, limit);
      return { people: people.map(personJson), next: found.length > limit ? (people.at(-1)?.key ?? null) : null };
    },
  );

  app.post(
    '/runs/:run/people/download',
    facts({
      scope: 'read',
      id: 'downloadPeople',
      summary: 'Download the people of a run',
      description: 'A line for each person: everybody to whom something happens, or those of a filter.',
      params: RunParams,
      body: PeopleFileBody,
      files: ['text/csv'],
    }),
    async (request, reply) => {
      const run = await theRun(ledger, (request.params as z.output<typeof RunParams>).run);
      const filter = filterOf(run, (request.body as z.output<typeof PeopleFileBody>) ?? {});
      const of = { runId: run.id, service: run.service, source: run.source };
      return sendFile(context, request, reply, {
        runId: run.id,
        action: 'download people',
        name: `${run.id}-people.csv`,
        type: 'text/csv; charset=utf-8',
        write: (path) => writePeople(path, ledger, of, filter),
      });
    },
  );

  app.get(
    '/runs/:run/failures',
    facts({
      scope: 'read',
      id: 'listFailures',
      summary: 'List the failures of a run by cause',
      description: 'With `cause` you can list these people, and retry them.',
      params: RunParams,
      answer: Failures,
    }),
    async (request) => {
      const { id } = await theRun(ledger, (request.params as z.output<typeof RunParams>).run);
      const failures = (await ledger.failuresOf(id)).map(({ said, ...failure }) => {
        const { retryHelps, words: advice } = adviceFor(failure);
        return { cause: writeCause({ ...failure, said }), ...failure, retryHelps, advice };
      });
      return { failures };
    },
  );

  app.get(
    '/runs/:run/timeline',
    facts({
      scope: 'read',
      id: 'getTimeline',
      summary: 'Show how the deliveries of a run ended over time',
      params: RunParams,
      querystring: TimelineQuery,
      answer: RunTimeline,
    }),
    async (request) => {
      const { id } = await theRun(ledger, (request.params as z.output<typeof RunParams>).run);
      const { slices: most } = request.query as z.output<typeof TimelineQuery>;
      const { sliceMs, slices } = await ledger.timelineOf(id, most);
      const none = { succeeded: 0, partial: 0, failed: 0, unknown: 0 };
      return {
        sliceMs,
        slices: slices.map(({ at, outcome, unanswered }) => ({
          at: at.toISOString(),
          ...none,
          ...outcome,
          unanswered,
        })),
      };
    },
  );
}

function filterOf(run: Run, asked: Omit<Asked, 'limit' | 'after'>): PeopleFilter {
  const { action, outcome, cause, group, reason, text } = asked;
  return {
    ...(action !== undefined && { actions: [action] }),
    ...(outcome === 'open' && { isOpen: true }),
    ...(outcome !== undefined && outcome !== 'open' && { outcomes: [outcome] }),
    ...(cause !== undefined && { cause: causeOf(cause) }),
    ...defined({ group }),
    ...(reason !== undefined && { stoppedBy: reasonOf(run, reason) }),
    ...defined({ text }),
  };
}

function personJson({
  now,
  before,
  action,
  file,
  line,
  isHeld,
  outcome,
  reason,
  endedAt,
  answer,
}: PersonOfRun): object {
  const ended = endedAt?.toISOString() ?? null;
  return { now, before, action, file, line: line ?? null, isHeld, outcome, reason, endedAt: ended, answer };
}
