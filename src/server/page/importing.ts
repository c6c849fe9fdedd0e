// Bringing a file: one of a known source is planned by its rules, any other is kept, to be checked first.
import { createReadStream } from 'node:fs';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FileBytes } from '../../acts/act.ts';
import { uploadRun } from '../../acts/starting.ts';
import { bringFile, importTitle } from '../../page/import.ts';
import { inPageWords } from '../../page/press.ts';
import { t, words } from '../../page/words.ts';
import { EncodingQuestion, RequestError, SheetQuestion } from '../../core/errors.ts';
import { isFromConfig, learnKeptSources } from '../../wiring/kept-sources.ts';
import { awaitAnswer, hungUp } from '../bodies.ts';
import { asLastTime } from '../../intake/as-last-time.ts';
import { type KeptUpload, KeptUploads } from '../../intake/kept-uploads.ts';
import { type RecognisedUpload, recogniseRejects } from '../../intake/recognise-rejects.ts';
import type { ServerParts } from '../parts.ts';
import { describeProblem } from '../problems.ts';
import { askOf } from '../api/mount.ts';
import { requireScope, sendPage } from './session.ts';
import { registerChanging } from './changing.ts';
import { registerChecking } from './checking.ts';
import { registerImportPeople } from './import-people.ts';
import { registerPlanning } from './planning.ts';
import { registerKeptSources } from './sources.ts';

/** How often uploads that nobody continued are looked for, ms. */
const tidyEveryMs = 60 * 60_000;
/** The most characters of pasted rows. */
const mostPasted = 2_000_000;

const tooMuchPasted = words(
  'These are too many rows to paste. Nothing was read: save them as a file, and import that.',
);

interface Tried {
  chosen?: string;
  pasted?: string;
  problem?: string;
}

export async function registerImporting(app: FastifyInstance, parts: ServerParts): Promise<void> {
  const { context } = parts;
  const { config } = context;
  const { uploadLimit } = config.server;
  const uploads = new KeptUploads(context);
  await app.register(multipart, { limits: { fileSize: uploadLimit + 1, files: 1, fields: 5, fieldSize: mostPasted } });
  const removeOld = (): void =>
    void uploads.removeOld().catch((error: unknown) => context.trouble('old uploads could not be removed', error));
  const timer = setInterval(removeOld, tidyEveryMs).unref();
  app.addHook('onReady', async () => removeOld());
  app.addHook('onClose', async () => clearInterval(timer));
  const planBehind = registerPlanning(app, parts);
  registerChecking(app, parts, planBehind);
  registerChanging(app, parts, planBehind);
  registerImportPeople(app, parts);
  registerKeptSources(app, parts);

  async function show(request: FastifyRequest, reply: FastifyReply, tried: Tried = {}): Promise<FastifyReply> {
    const kept = (await learnKeptSources(context))
      .map(({ name }) => name)
      .filter((name) => !isFromConfig(config, name));
    const body = bringFile({
      kept,
      sources: Object.keys(config.sources),
      limitBytes: uploadLimit,
      ...tried,
      uploads: await uploads.of(request.by),
    });
    return sendPage(parts, request, reply, { title: t(importTitle), place: 'import' }, body);
  }

  app.get('/import', async (request, reply) => {
    requireScope(request, 'run');
    const { source } = request.query as { source?: string };
    return show(request, reply, source === undefined ? {} : { chosen: source });
  });

  app.post(
    '/import',
    { config: { takesFile: true }, bodyLimit: uploadLimit + 3 * mostPasted },
    async (request, reply) => {
      requireScope(request, 'run');
      awaitAnswer(request);
      const file = await request.file();
      if (!file) return show(request, reply.code(422), { problem: t('Choose a file first.') });
      const chosen = fieldOf(file, 'source');
      if (isCut(file)) return show(request, reply.code(413), { chosen, problem: t(tooMuchPasted) });
      await learnKeptSources(context);
      const pasted = fieldOf(file, 'pasted').replaceAll('\r\n', '\n');
      const isPasted = file.filename === '' && pasted.trim() !== '';
      const name = isPasted ? 'pasted-rows.csv' : nameOf(file);
      const bytes = isPasted ? pastedBytes(pasted) : file.file;
      const tried = { chosen, ...(isPasted && { pasted }) };
      try {
        if (chosen !== '' && isFromConfig(config, chosen))
          return await bringOfSource(request, reply, { name, bytes, source: chosen });
        return await check(request, reply, await uploads.add({ name, by: request.by }, bytes), chosen);
      } catch (error) {
        const { status, code, detail, isExpected } = describeProblem(error, request.id);
        if (!isExpected || code === 'STORAGE') throw error;
        const isNone = file.filename === '' && !isPasted;
        const problem = isNone ? t('Choose a file first, or paste rows.') : inPageWords(detail);
        return show(request, reply.code(status), { ...tried, problem });
      }
    },
  );

  /** Has a new kind of file checked, if it can be read, or somebody can say how; rejects of a known source follow its rules. */
  async function check(
    request: FastifyRequest,
    reply: FastifyReply,
    upload: KeptUpload,
    chosen: string,
  ): Promise<FastifyReply> {
    const recognised = (await asLastTime(context, upload, chosen)) ?? (await readable(upload, hungUp(reply)));
    if (recognised.source !== undefined) {
      try {
        const { name, file } = upload;
        return await bringOfSource(request, reply, { source: recognised.source, name, bytes: createReadStream(file) });
      } finally {
        await uploads.remove(upload.id);
      }
    }
    await uploads.save(recognised.upload);
    return reply.redirect(`/import/${upload.id}`, 303);
  }

  async function readable(upload: KeptUpload, signal: AbortSignal): Promise<RecognisedUpload> {
    try {
      return await recogniseRejects(context, upload, signal);
    } catch (error) {
      if (error instanceof EncodingQuestion || error instanceof SheetQuestion) return { upload };
      await uploads.remove(upload.id);
      throw error;
    }
  }

  async function bringOfSource(
    request: FastifyRequest,
    reply: FastifyReply,
    { source, name: file, bytes }: { source: string; name: string; bytes: FileBytes },
  ): Promise<FastifyReply> {
    const { run, status, reason } = await askOf(parts, request)(uploadRun, { source, file, hold: true }, bytes);
    if (status === 'failed') throw new RequestError(422, 'RUN_FAILED', reason);
    return reply.redirect(`/runs/${run}`, 303);
  }
}

async function* pastedBytes(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

function fieldOf({ fields }: MultipartFile, name: string): string {
  const field = fields[name];
  return field && 'value' in field && typeof field.value === 'string' ? field.value : '';
}

function isCut({ fields: { pasted } }: MultipartFile): boolean {
  return pasted !== undefined && 'valueTruncated' in pasted && pasted.valueTruncated;
}

function nameOf({ filename }: MultipartFile): string {
  const last = filename.split(/[/\\\\]/).at(-1) ?? '';
  return last === '' ? 'the upload' : last.slice(0, 200);
}
