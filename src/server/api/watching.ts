// The API routes of what happens over time: changes as a stream, completion, events.
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { requireBaseUrl } from '../../../config/load.ts';
import { hideSmallGroups } from '../../core/story/completion.ts';
import { parseBaseUrl } from '../../service/address.ts';
import type { ApiParts, ChangeFeed } from '../parts.ts';
import { streamChanges } from '../changes.ts';
import { RequestError } from '../problems.ts';
import { facts } from './routes.ts';
import { ChangesQuery, Completion, CompletionQuery, Events, EventsQuery } from '../../acts/shapes/people-of-run.ts';

export function registerWatching(app: FastifyInstance, { context }: ApiParts, feed: ChangeFeed): void {
  const { ledger } = context;

  app.get(
    '/changes',
    facts({
      scope: 'read',
      id: 'streamChanges',
      summary: 'Watch runs change',
      description:
        'Server-sent events. `run` is a run that is open or has just ended, each time its state or its last delivery ' +
        'changes, and all open ones at the beginning. `ledger` says that the ledger is `away`, or `back`.',
      querystring: ChangesQuery,
      files: ['text/event-stream'],
      filesAre: 'The stream. The data of a `run` is `run`, `source`, `status` and `lastEndedAt`, as JSON.',
    }),
    async (request, reply) =>
      streamChanges(feed, reply, (request.query as z.output<typeof ChangesQuery>).seconds * 1000),
  );

  app.get(
    '/completion',
    facts({
      scope: 'read',
      id: 'listCompletion',
      summary: 'Show how far the people of a source are with their story',
      querystring: CompletionQuery,
      answer: Completion,
    }),
    async (request) => {
      const { source, limit, minCell } = request.query as z.output<typeof CompletionQuery>;
      if (!Object.hasOwn(context.config.sources, source)) {
        throw new RequestError(404, 'NO_SOURCE', 'The config has no source of that name.');
      }
      const { address: service } = parseBaseUrl(requireBaseUrl(context.config));
      const kept = await ledger.listCompletion({ service, source }, limit);
      const completion = kept.map(({ takenAt, rosterAt, story, total, groups }) => {
        return { at: takenAt.toISOString(), rosterAt, story, shown: hideSmallGroups(total, groups, minCell) };
      });
      return { source, minCell, completion };
    },
  );

  app.get(
    '/events',
    facts({
      scope: 'read',
      id: 'countEvents',
      summary: 'Count what came in over webhooks',
      querystring: EventsQuery,
      answer: Events,
    }),
    async (request) => {
      const { days } = request.query as z.output<typeof EventsQuery>;
      return { events: await ledger.eventCounts(days) };
    },
  );
}
