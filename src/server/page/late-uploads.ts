// Keeps files that arrive when a session is over, and reads them once their person has signed in again.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PageSession } from '../../ledger/access/sessions.ts';
import { lateFilePage } from '../../page/import.ts';
import { type KeptUpload, type KeptUploads } from '../imports/kept-uploads.ts';
import { sourceNameFor } from '../imports/source-name-for.ts';
import type { ServerParts } from '../parts.ts';
import { RequestError } from '../problems.ts';
import { sendPage } from './answers.ts';
import { requireScope, SignedOut } from './session.ts';

/** Somebody has this many at most; nobody can fill the disk with a session that is over. */
const mostLate = 2;

/** A file as it arrives, and the source that was chosen for it; empty for a new kind of list. */
interface LateFile {
  name: string;
  chosen: string;
  bytes: AsyncIterable<Buffer>;
}

/**
 * The routes on which such a file is read or removed. Returns what keeps one: it ends in the page that asks to sign in.
 * @param goOn reads it, once its person is signed in and says so
 */
export function lateUploads(
  app: FastifyInstance,
  parts: ServerParts,
  {
    uploads,
    goOn,
  }: {
    uploads: KeptUploads;
    goOn(request: FastifyRequest, reply: FastifyReply, upload: KeptUpload): Promise<FastifyReply>;
  },
): (request: FastifyRequest, session: PageSession, file: LateFile) => Promise<never> {
  const { config, ledger } = parts.context;
  const uploadOf = ({ params, by }: FastifyRequest): Promise<KeptUpload> =>
    uploads.get((params as { upload: string }).upload, by);

  app.get('/import/:upload/brought', async (request, reply) => {
    requireScope(request, 'run');
    const upload = await uploadOf(request);
    if (!upload.late) return reply.redirect(`/import/${upload.id}`, 303);
    const body = lateFilePage(upload.id, upload.name);
    return sendPage(parts, request, reply, { title: 'Your file is here', place: 'import' }, body);
  });

  app.post('/import/:upload/brought', async (request, reply) => {
    requireScope(request, 'run');
    return goOn(request, reply, await uploadOf(request));
  });

  app.post('/import/:upload/leave', async (request, reply) => {
    requireScope(request, 'run');
    const upload = await uploadOf(request);
    if (upload.late) await uploads.remove(upload.id);
    return reply.redirect('/import', 303);
  });

  let isArriving = false;
  return async (request, { name: by }, { name, chosen, bytes }) => {
    if (isArriving) {
      throw new RequestError(503, 'BUSY', 'Another file is arriving. Sign in again, then choose the file again.');
    }
    isArriving = true;
    try {
      const waiting = (await uploads.of(by)).filter(({ late }) => late !== undefined);
      if (waiting.length >= mostLate) throw new SignedOut({ isOver: true, file: 'lost' });
      await parts.context.checkStorage();
      const source = chosen === '' ? sourceNameFor(name, Object.keys(config.sources)) : chosen.slice(0, 200);
      const { id } = await uploads.add({ name, by, source, late: { chosen: chosen.slice(0, 200) } }, bytes);
      await ledger.noteDeed({ by, action: 'bring a file with a session that is over', origin: request.ip });
      throw new SignedOut({ isOver: true, file: { upload: id, name } });
    } finally {
      isArriving = false;
    }
  };
}
