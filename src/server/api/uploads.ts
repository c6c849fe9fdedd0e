// The API routes for a file of no known source: inspect it, plan it with its own mapping, correct a rejected row.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { keptNameProblem } from '../../../config/kept-source.ts';
import { UploadMapping, type WrittenMapping } from '../../../config/source-schema.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { isFromConfig } from '../../wiring/kept-sources.ts';
import { awaitAnswer } from '../bodies.ts';
import { examineUpload, type ExaminedUpload } from '../imports/examine-upload.ts';
import { type KeptUpload, KeptUploads } from '../imports/kept-uploads.ts';
import { openUpload } from '../imports/open-upload.ts';
import { recogniseRejects } from '../imports/recognise-rejects.ts';
import { correct, planUpload } from '../imports/plan-upload.ts';
import { sourceNameFor } from '../imports/source-name-for.ts';
import type { ServerParts } from '../parts.ts';
import { closingOf } from '../plan-for.ts';
import { RequestError } from '../problems.ts';
import { tooLarge } from '../uploads.ts';
import { originOf } from '../access-log.ts';
import { facts } from './routes.ts';
import { Started } from '../../acts/shapes/requests.ts';
import { bytesOf } from './starting.ts';
import { CorrectionBody, InspectQuery, PlanUploadBody, Upload, UploadParams } from '../../acts/shapes/uploads.ts';

/** What they plan is held, and sent by POST /api/v1/runs/{run}/approve only. */
export function registerUploads(app: FastifyInstance, { context }: ServerParts): void {
  const { config, ledger } = context;
  const uploads = new KeptUploads(context);
  const signal = closingOf(app, 'Nothing was sent: try again.');

  async function uploadOf({ params, by }: FastifyRequest): Promise<KeptUpload> {
    const { upload: named } = params as z.output<typeof UploadParams>;
    const [newest] = named === 'latest' ? await uploads.of(by) : [];
    return newest ?? uploads.get(named, by);
  }

  /** A file of rejects gets the mapping of its run; of a file that cannot be read the answer says why. */
  async function recognised(upload: KeptUpload): Promise<KeptUpload> {
    try {
      const roster = await openUpload(upload);
      try {
        return (await recogniseRejects(context, upload, roster)).upload;
      } finally {
        await roster.close();
      }
    } catch (error) {
      if (error instanceof InputError) return upload;
      throw error;
    }
  }

  /** Plans it, keeps what was said, and answers with the run that is held. */
  async function plan(request: FastifyRequest, reply: FastifyReply, upload: KeptUpload): Promise<object> {
    awaitAnswer(request);
    const { upload: planned, result, isNew } = await planUpload(context, upload, { by: request.by, signal });
    await uploads.save(planned);
    const { runId, status, reason } = result;
    if (status === 'busy') throw new RequestError(409, 'BUSY', `${reason}.`);
    if (isNew) await ledger.noteDeed({ by: request.by, action: 'plan an upload', runId, origin: originOf(request) });
    if (status === 'failed') throw new RequestError(422, 'RUN_FAILED', `Run ${runId}: ${reason}`);
    void reply.code(isNew ? 201 : 200).header('location', `/api/v1/runs/${runId}`);
    return { run: runId, status, reason };
  }

  app.register(async (files) => {
    files.removeAllContentTypeParsers();
    files.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    files.post(
      '/uploads',
      {
        ...facts({
          scope: 'run',
          id: 'inspectUpload',
          summary: 'Upload a file and inspect it',
          description:
            'The body is the file itself, in any form that `import` reads. It is kept for 7 days after the last change, ' +
            'and nothing is planned.',
          querystring: InspectQuery,
          takesFile: true,
          status: 201,
          answer: Upload,
        }),
        bodyLimit: config.server.uploadLimit,
      },
      async (request, reply) => {
        const { file: name = 'the upload' } = request.query as z.output<typeof InspectQuery>;
        if (Number(request.headers['content-length']) > config.server.uploadLimit) throw tooLarge(context);
        awaitAnswer(request);
        const source = sourceNameFor(name, Object.keys(config.sources));
        const upload = await recognised(await uploads.add({ name, by: request.by, source }, bytesOf(request)));
        const examined = await examineUpload(context, upload);
        await uploads.save(examined.upload);
        void reply.code(201);
        return uploadJson(examined);
      },
    );
  });

  app.post(
    '/uploads/:upload/plan',
    facts({
      scope: 'run',
      id: 'planUpload',
      summary: 'Plan an upload',
      description:
        'Nothing is sent until the run is approved. What was planned of it before and is still held is cancelled.',
      params: UploadParams,
      body: PlanUploadBody,
      status: 201,
      mayBeUnchanged: true,
      answer: Started,
    }),
    async (request, reply) => {
      const upload = await uploadOf(request);
      const { source = upload.source, mapping = upload.mapping ?? {} } = request.body as z.output<
        typeof PlanUploadBody
      >;
      const wrong = keptNameProblem(source);
      if (wrong !== undefined) throw new RequestError(422, 'INPUT', wrong);
      if (isFromConfig(config, source)) {
        const next = 'POST /api/v1/runs/upload uses them; or give another name.';
        throw new RequestError(409, 'NAME_TAKEN', `The config has rules for the source ${source}. ${next}`);
      }
      return plan(request, reply, { ...upload, source, mapping: checkedMapping(mapping) });
    },
  );

  app.post(
    '/uploads/:upload/corrections',
    facts({
      scope: 'run',
      id: 'correctReject',
      summary: 'Correct a cell of a rejected row',
      description: 'Plans the upload again, with the cell corrected; the run that was planned before is cancelled.',
      params: UploadParams,
      body: CorrectionBody,
      status: 201,
      mayBeUnchanged: true,
      answer: Started,
    }),
    async (request, reply) => {
      const upload = await uploadOf(request);
      const { file = upload.name, line, column: heading, value } = request.body as z.output<typeof CorrectionBody>;
      const roster = await openUpload(upload);
      await roster.close();
      const column = roster.form.header.findIndex((name) => name.trim() === heading.trim());
      if (column < 0) throw new RequestError(422, 'NO_COLUMN', 'The file has no column of that heading.');
      return plan(request, reply, correct(upload, { file, line, column, value }));
    },
  );
}

function checkedMapping(mapping: object): WrittenMapping {
  const parsed = UploadMapping.safeParse(mapping);
  // As it was written: some settings are read into other units.
  if (parsed.success) return mapping;
  const [issue] = parsed.error.issues;
  const name = ['mapping', ...(issue?.path ?? [])].map(String).join('.');
  throw new InputError(`${name}: ${issue?.message}.`);
}

/** What was found, without names or cells of people. */
function uploadJson({ view, upload }: ExaminedUpload): object {
  const { fileName, source, rows, columns, groups, filters, sum, problems, origin, readNotes, rowNotes, read } = view;
  return {
    upload: upload.id,
    file: fileName,
    source,
    rows,
    ...defined({ read }),
    columns: columns.map(({ name, use, why, doubt }) => ({ name, use, why, ...defined({ doubt }) })),
    groups,
    filters: filters.map(({ words, isOn }) => ({ words, isOn })),
    ...defined({ sum }),
    mapping: upload.mapping ?? {},
    problems: problems.map(({ message }) => message),
    notes: [...(origin === undefined ? [] : [origin]), ...readNotes, ...rowNotes],
  };
}
