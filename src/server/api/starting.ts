// The API routes that start a run.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { runSource, type SourceRun } from '../../../jobs/index.ts';
import type { DeliveryContext } from '../../wiring/context.ts';
import { pathsAsked } from '../../core/mapping/mapping-options.ts';
import { parseRosterTime } from '../../core/rows/roster-time.ts';
import { awaitAnswer } from '../bodies.ts';
import type { ServerParts } from '../parts.ts';
import { RequestError } from '../problems.ts';
import { originOf } from './deeds.ts';
import { facts } from './routes.ts';
import { StartBody, Started, UploadQuery } from './schemas.ts';
import { mappingOf, requireSource } from '../../roster/configured-source.ts';
import { openRoster } from '../../roster/open-roster.ts';

/** Uploads that may arrive or be planned at the same time: each may fill the disk up to its limit. */
const mostUploads = 2;

const whatComes = 'Answers once the run is planned, and released or held; GET /api/v1/runs/{run} shows its progress.';

/** The routes that start a run. What they leave out, the config says: `forceSync` above all. */
export function registerStarting(app: FastifyInstance, { context, poke }: ServerParts): void {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort(interrupted()));

  async function start(
    request: FastifyRequest,
    reply: FastifyReply,
    run: Omit<SourceRun, 'trigger' | 'signal'>,
  ): Promise<object> {
    refuseUnknown(context, run.source);
    awaitAnswer(request);
    const { runId, status, reason } = await runSource(context, { ...run, trigger: 'api', signal: closing.signal });
    if (status === 'busy') throw new RequestError(409, 'BUSY', `${reason}.`);
    await context.ledger.noteDeed({ by: request.by, action: 'start', runId, origin: originOf(request) });
    if (status === 'failed') throw new RequestError(422, 'RUN_FAILED', `Run ${runId}: ${reason}`);
    poke(runId);
    void reply.code(status === 'unchanged' ? 200 : 201).header('location', `/api/v1/runs/${runId}`);
    return { run: runId, status, reason };
  }

  app.post(
    '/runs',
    facts({
      scope: 'run',
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
    let underWay = 0;
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    uploads.post(
      '/runs/upload',
      {
        ...facts({
          scope: 'run',
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
        refuseUnknown(context, source);
        if (Number(request.headers['content-length']) > context.config.server.uploadLimit) throw tooLarge(context);
        const time = asOf === undefined ? {} : { asOf: parseRosterTime(asOf, { option: 'asOf', now: new Date() }) };
        if (underWay >= mostUploads) {
          reply.header('retry-after', '10');
          throw new RequestError(503, 'BUSY', `${mostUploads} uploads are under way already: try again in a moment.`);
        }
        underWay += 1;
        try {
          return await fromFile(request, reply, { source, file, ...time });
        } finally {
          underWay -= 1;
        }
      },
    );
  });

  async function fromFile(
    request: FastifyRequest,
    reply: FastifyReply,
    { file, ...run }: Pick<SourceRun, 'source' | 'asOf'> & { file: string },
  ): Promise<object> {
    const { config, directory } = context;
    const path = join(directory?.path ?? '', `upload-${randomUUID()}`);
    try {
      await pipeline(
        bytesOf(request),
        atMost(config.server.uploadLimit, () => tooLarge(context)),
        createWriteStream(path, { mode: 0o600, flags: 'wx' }),
      );
      if ((await stat(path)).size === 0) {
        const detail = 'The body is empty: send the file as it is, as `curl --data-binary @people.csv` does.';
        throw new RequestError(400, 'NO_FILE', detail);
      }
      const source = requireSource(config, run.source);
      const paths = pathsAsked({ groups: [], groupColumns: [], ...mappingOf(source) });
      const roster = await openRoster(path, {
        ...source.read,
        name: file,
        ...(paths.length > 0 && { paths }),
      });
      try {
        return await start(request, reply, { ...run, roster });
      } finally {
        await roster.close();
      }
    } finally {
      await rm(path, { force: true });
    }
  }
}

/** The bytes of a body. Where reading them fails, the connection stays: the answer is still to be sent on it. */
async function* bytesOf({ body, raw }: FastifyRequest): AsyncGenerator<Buffer> {
  if (body === raw) yield* raw.iterator({ destroyOnReturn: false });
}

/** Passes bytes on, up to a limit. */
function atMost(bytes: number, refusal: () => Error): Transform {
  let left = bytes;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left >= 0) return done(null, chunk);
      done(refusal());
    },
  });
}

function tooLarge({ config }: DeliveryContext): RequestError {
  const { uploadLimit } = config.server;
  return new RequestError(413, 'TOO_LARGE', `The file has more than ${uploadLimit} bytes (server.uploadLimit).`);
}

function refuseUnknown({ config }: DeliveryContext, source: string): void {
  if (Object.hasOwn(config.sources, source)) return;
  throw new RequestError(404, 'NO_SOURCE', 'The config has no source of that name.');
}

function interrupted(): Error {
  const error = new Error('the server is stopping');
  error.name = 'Interrupted';
  return error;
}
