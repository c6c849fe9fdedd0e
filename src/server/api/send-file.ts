// Answers with a file as it is made for the request.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Bytes } from '../../acts/act.ts';
import { defined } from '../../core/defined.ts';
import type { WithLedger } from '../../wiring/context.ts';
import { awaitAnswer } from '../bodies.ts';
import { originOf } from '../access-log.ts';

/** Notes who takes a file that is of no act, and sends it; `runId` is absent where it is not of one run. */
export async function sendFile(
  { ledger }: WithLedger,
  request: FastifyRequest,
  reply: FastifyReply,
  { action, runId, ...file }: Bytes & { runId?: string; action: string },
): Promise<FastifyReply> {
  await ledger.noteDeed({ by: request.by, action, origin: originOf(request), ...defined({ runId }) });
  return sendBytes(request, reply, file);
}

/** A response is written in pieces of about this many characters. */
const piece = 64 * 1024;

/** Sends a file as it is made. What fails before its first piece is answered as any problem; later, the connection breaks. */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, type, parts }: Bytes,
): Promise<FastifyReply> {
  // Read to its end, a request without a body is not cut off for being slow; nor is its connection for being quiet.
  request.raw.resume();
  awaitAnswer(request);
  reply.type(type);
  if (name === '' && parts instanceof Readable)
    return reply.headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' }).send(parts);
  const pieces = inPieces(parts);
  const first = await pieces.next();
  async function* all(): AsyncGenerator<string | Uint8Array> {
    if (first.done !== true) yield first.value;
    yield* pieces;
  }
  return reply
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(all(), { objectMode: false }));
}

async function* inPieces(parts: Bytes['parts']): AsyncGenerator<string | Uint8Array> {
  let text = '';
  for await (const part of parts) {
    if (typeof part === 'string') text += part;
    else yield Buffer.from(part);
    if (text.length < piece) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
