// The API route that streams changes.
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { ChangeFeed } from '../parts.ts';
import { streamChanges } from '../changes.ts';
import { facts } from './routes.ts';
import { ChangesQuery } from '../../acts/shapes/people-of-run.ts';

export function registerWatching(app: FastifyInstance, feed: ChangeFeed): void {
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
}
