// Bringing a file: it is read by the rules of a source, planned, and held until somebody approves it.
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { runSource } from '../../../jobs/index.ts';
import type { SourceRunResult } from '../../../jobs/run/run-source.ts';
import { bringFile } from '../../page/import.ts';
import { originOf } from '../api/deeds.ts';
import { awaitAnswer } from '../bodies.ts';
import type { ServerParts } from '../parts.ts';
import { describeProblem, RequestError } from '../problems.ts';
import { withUpload } from '../uploads.ts';
import { sendPage } from './answers.ts';
import { requireScope } from './session.ts';

/** The page that takes a file. The run that comes of it is decided like every other one that is held. */
export async function registerImporting(app: FastifyInstance, parts: ServerParts): Promise<void> {
  const { context } = parts;
  const { config, ledger } = context;
  const { uploadLimit } = config.server;
  await app.register(multipart, { limits: { fileSize: uploadLimit + 1, files: 1, fields: 5, fieldSize: 1000 } });
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort(stopping()));

  function show(request: FastifyRequest, reply: FastifyReply, chosen?: string, problem?: string): FastifyReply {
    const view = { sources: Object.keys(config.sources), limitBytes: uploadLimit };
    const body = bringFile({
      ...view,
      ...(chosen !== undefined && { chosen }),
      ...(problem !== undefined && { problem }),
    });
    return sendPage(parts, request, reply, { title: 'Bring a file', place: 'import' }, body);
  }

  app.get('/import', async (request, reply) => {
    requireScope(request, 'run');
    return show(request, reply, (request.query as { source?: string }).source);
  });

  app.post('/import', { config: { takesFile: true }, bodyLimit: uploadLimit + 64 * 1024 }, async (request, reply) => {
    requireScope(request, 'run');
    awaitAnswer(request);
    const file = await request.file();
    if (!file) return show(request, reply.code(422), undefined, 'Choose a file first.');
    const source = fieldOf(file, 'source');
    const planned = await plan(request, source, file).catch((error: unknown) => {
      const { status, detail, isExpected } = describeProblem(error, request.id);
      if (!isExpected) throw error;
      return { status, problem: detail };
    });
    if ('problem' in planned) return show(request, reply.code(planned.status), source, planned.problem);
    if (planned.status === 'busy') return show(request, reply.code(409), source, `${planned.reason}.`);
    await ledger.noteDeed({ by: request.by, action: 'bring a file', runId: planned.runId, origin: originOf(request) });
    if (planned.status === 'failed') return show(request, reply.code(422), source, planned.reason);
    return reply.redirect(`/runs/${planned.runId}`, 303);
  });

  async function plan(request: FastifyRequest, source: string, file: MultipartFile): Promise<SourceRunResult> {
    const upload = { source, name: nameOf(file), bytes: file.file };
    return withUpload(context, upload, (roster) =>
      runSource(context, { source, roster, trigger: 'api', broughtBy: request.by, signal: closing.signal }),
    );
  }
}

function stopping(): RequestError {
  return new RequestError(503, 'CLOSING', 'The server is stopping. Nothing was sent: bring the file again.');
}

function fieldOf({ fields }: MultipartFile, name: string): string {
  const field = fields[name];
  if (field && 'value' in field && typeof field.value === 'string') return field.value;
  throw new RequestError(422, 'INPUT', `The form has no ${name}. Load the page again.`);
}

/** What a file is called in messages. */
function nameOf({ filename }: MultipartFile): string {
  const last = filename.split(/[/\\\\]/).at(-1) ?? '';
  return last === '' ? 'the upload' : last.slice(0, 200);
}
