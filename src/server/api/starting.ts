// The API routes that start a run.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { SourceRun } from '../../../jobs/index.ts';
import { parseRosterTime } from '../../core/guards/roster-time.ts';
import { learnKeptSources } from '../../wiring/kept-sources.ts';
import { awaitAnswer } from '../bodies.ts';
import type { ServerParts } from '../parts.ts';
import { closingOf, planFor } from '../plan-for.ts';
import { RequestError } from '../problems.ts';
import { refuseUnknown, tooLarge, withUpload } from '../uploads.ts';
import { facts } from './routes.ts';
import { StartBody, Started, UploadQuery } from '../../acts/shapes/requests.ts';

const whatComes = 'Answers once the run is planned, and released or held; GET /api/v1/runs/{run} shows its progress.';

/** What they leave out, the config says: `forceSync` above all. */
export function registerStarting(app: FastifyInstance, parts: ServerParts): void {
  const { context, poke } = parts;
  const signal = closingOf(app, 'Nothing was sent: try again.');

  async function start(
    request: FastifyRequest,
    reply: FastifyReply,
    run: Omit<SourceRun, 'trigger' | 'by' | 'signal'>,
  ): Promise<object> {
    await learnKeptSources(context);
    refuseUnknown(context, run.source);
    awaitAnswer(request);
    const { runId, status, reason } = await planFor(parts, request, { ...run, signal, action: 'start' });
    if (status === 'failed') throw new RequestError(422, 'RUN_FAILED', `Run ${runId}: ${reason}`);
    poke(runId);
    void reply.code(status === 'unchanged' ? 200 : 201).header('location', `/api/v1/runs/${runId}`);
    return { run: runId, status, reason };
  }

  app.post(
    '/runs',
    facts({
      scope: 'run',
      id: 'startRun',
      summary: 'Start a run of a source',
      description: whatComes,
      body: StartBody,
      status: 201,
      mayBeUnchanged: true,
      answer: Started,
    }),
    async (request, reply) => start(request, reply, request.body as z.output<typeof StartBody>),
  );

  app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    uploads.post(
      '/runs/upload',
      {
        ...facts({
          scope: 'run',
          id: 'uploadRun',
          summary: 'Start a run from a file',
          description: `The body is the file itself, in any form that \`import\` reads. ${whatComes}`,
          querystring: UploadQuery,
          takesFile: true,
          status: 201,
          mayBeUnchanged: true,
          answer: Started,
        }),
        bodyLimit: context.config.server.uploadLimit,
      },
      async (request, reply) => {
        const { source, file = 'the upload', asOf } = request.query as z.output<typeof UploadQuery>;
        await learnKeptSources(context);
        refuseUnknown(context, source);
        if (Number(request.headers['content-length']) > context.config.server.uploadLimit) throw tooLarge(context);
        const time = asOf === undefined ? {} : { asOf: parseRosterTime(asOf, { option: 'asOf', now: new Date() }) };
        return withUpload(context, { source, name: file, bytes: bytesOf(request) }, (roster) =>
          start(request, reply, { source, ...time, roster }),
        );
      },
    );
  });
}

/** The bytes of a body. Where reading them fails, the connection stays: the answer is still to be sent on it. */
export async function* bytesOf({ body, raw }: FastifyRequest): AsyncGenerator<Buffer> {
  if (body === raw) yield* raw.iterator({ destroyOnReturn: false });
}
