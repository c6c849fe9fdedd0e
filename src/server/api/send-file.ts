// Answers with a file that is made for the request.
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../wiring/context.ts';
import { awaitAnswer } from '../bodies.ts';
import { originOf } from './deeds.ts';

export interface FileToSend {
  /** Absent where it is not of one run. */
  runId?: string;
  action: string;
  name: string;
  type: string;
  write(path: string): Promise<unknown>;
}

export async function sendFile(
  { ledger, directory }: Pick<Context, 'ledger' | 'directory'>,
  request: FastifyRequest,
  reply: FastifyReply,
  file: FileToSend,
): Promise<FastifyReply> {
  awaitAnswer(request);
  const folder = await mkdtemp(join(directory?.path ?? '', 'download-'));
  const path = join(folder, file.name);
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await file.write(path);
    const { size } = await stat(path);
    const of = file.runId === undefined ? {} : { runId: file.runId };
    await ledger.noteDeed({ by: request.by, action: file.action, ...of, origin: originOf(request) });
    const stream = createReadStream(path);
    stream.once('close', () => void remove());
    return await reply
      .type(file.type)
      .header('content-length', size)
      .header('content-disposition', `attachment; filename="${basename(path)}"`)
      .send(stream);
  } catch (error) {
    await remove();
    throw error;
  }
}
