// Makes a route of each act, as Fastify and OpenAPI take it; answers with a file as it is made for the request.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Act, type Ask, type Asker, type Bytes, isBytes } from '../../acts/act.ts';
import { askAs } from '../../acts/perform.ts';
import { Problem } from '../../acts/shapes/requests.ts';
import { defined } from '../../core/defined.ts';
import { tooLarge } from '../../intake/brought-file.ts';
import { waitAsWork } from '../../ledger/database/reconnect.ts';
import { originOf } from '../access-log.ts';
import { awaitAnswer, fileOf, hungUp } from '../bodies.ts';
import { type ApiParts, canStart } from '../parts.ts';
import { Readable } from 'node:stream';
import type { WithLedger } from '../../wiring/context.ts';

/** Who sent a request. */
export function askerOf({ context, poke }: ApiParts, request: FastifyRequest): Asker {
  const { by, scopes } = request;
  return { by, origin: originOf(request), scopes, context, poke, closing: request.server.closing };
}

/** Asks on behalf of whoever sent a request. */
export const askOf = (parts: ApiParts, request: FastifyRequest): Ask => askAs(askerOf(parts, request));

type Http = Extract<Act['http'], { route: string }>;

export function mountActs(app: FastifyInstance, parts: ApiParts, acts: readonly Act[]): void {
  for (const act of acts) {
    const { http } = act;
    if (!('route' in http) || (act.isOfServer && !canStart(parts))) continue;
    if (!act.takesFile) mount(app, parts, act, http);
    else
      app.register(async (files) => {
        files.removeAllContentTypeParsers();
        files.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
        mount(files, parts, act, http);
      });
  }
}

function mount(app: FastifyInstance, parts: ApiParts, act: Act, http: Http): void {
  const { scope, input, output, takesFile, isLong } = act;
  const { uploadLimit } = parts.context.config.server;
  const [method = '', url = ''] = http.route.split(' ');
  const isInPath = (name: string): boolean => url.split('/').includes(`:${name}`);
  const params = partOf(input, isInPath);
  const others = partOf(input, (name) => !isInPath(name));
  const isQuery = method === 'GET' || takesFile === true;
  const query = isQuery && others ? jsonSchema(others) : undefined;
  const body = (others?.safeParse({}).success ? others.nullable() : others)?.meta(input.meta() ?? {});
  app.route({
    ...{ method, url, config: { scope, ...defined({ takesFile }) } },
    ...(takesFile && { bodyLimit: uploadLimit }),
    // Bytes would be made, or awaited, for nobody.
    exposeHeadRoute: output instanceof z.ZodType,
    ...(query && { preValidation: async (request) => void (request.query = readQuery(query, request.query)) }),
    schema: {
      summary: http.summary,
      description: [...(http.description ? [http.description] : []), `Scope: ${scope}.`].join(' '),
      operationId: http.operation,
      security: [{ token: [] }],
      ...(takesFile && { consumes: ['application/octet-stream'] }),
      ...(params && { params: jsonSchema(params) }),
      ...defined({ querystring: query }),
      ...(!isQuery && body && { body: jsonSchema(body) }),
      response: responsesOf(act, http),
    },
    handler: async (request, reply) => {
      if (takesFile && Number(request.headers['content-length']) > uploadLimit) throw tooLarge(parts.context);
      // A file that stops arriving is cut off.
      if (takesFile) waitAsWork();
      else if (isLong) awaitAnswer(request);
      // What no schema describes is not looked at.
      const more = (others && (isQuery ? request.query : request.body)) as object | null | undefined;
      const asked = { ...more, ...(request.params as object) };
      const asker = { ...askerOf(parts, request), hungUp: hungUp(reply) };
      const answer = await askAs(asker)(act, asked, ...(takesFile ? [fileOf(request)] : []));
      if (isBytes(answer)) return sendBytes(request, reply, answer);
      const { isNew, path, failure } = act.makes ?? {};
      const failed = failure?.(answer);
      if (failed) throw failed;
      if (act.makes && (isNew?.(answer) ?? true)) reply.code(201);
      if (path) reply.header('location', app.prefix + path(answer));
      return output instanceof z.ZodType ? output.parse(answer) : answer;
    },
  });
}

const binary = { schema: { type: 'string', format: 'binary' } };

function responsesOf({ output, makes }: Act, { fileIs = 'The file.' }: Http): Record<string, object> {
  const good =
    output instanceof z.ZodType
      ? { ...jsonSchema(output), description: output.description ?? 'Done.' }
      : {
          description: fileIs,
          content: Object.fromEntries(output.map((type) => [type.replace(/;.*/, ''), binary])),
        };
  return {
    [makes ? 201 : 200]: good,
    ...(makes?.isNew && { 200: { ...good, description: 'Nothing has changed since that run.' } }),
    default: {
      description: 'The request was refused or failed.',
      content: { 'application/problem+json': { schema: jsonSchema(Problem) } },
    },
  };
}

/** The fields of an input that go one way; undefined if there are none. */
function partOf({ shape }: z.ZodObject, isOf: (name: string) => boolean): z.ZodObject | undefined {
  const fields = Object.entries(shape).filter(([name]) => isOf(name));
  return fields.length === 0 ? undefined : z.strictObject(Object.fromEntries(fields));
}

interface QuerySchema {
  properties?: Record<string, { type?: string }>;
}

const forms: Record<string, RegExp> = { integer: /^(?:0|[1-9]\d{0,14})$/, boolean: /^(?:true|false)$/ };

/** In a URL all is text. What is none of its type, or stands there twice, stays for the schema to refuse. */
function readQuery(schema: QuerySchema, query: unknown): unknown {
  const read = Object.entries(query as Record<string, unknown>).map(([name, value]) => {
    const form = forms[schema.properties?.[name]?.type ?? ''];
    return [name, typeof value === 'string' && form?.test(value) ? (JSON.parse(value) as unknown) : value] as const;
  });
  return Object.fromEntries(read);
}

/** As Fastify and OpenAPI 3.1 take it. `$schema` is left out: the document says it once. */
function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
  return rest;
}

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
  const { socket } = request.raw;
  // A terminal, which asks at the owner's socket, may show its output a page at a time.
  const stallMs = socket.remoteAddress === undefined ? 0 : request.server.server.timeout;
  async function* all(): AsyncGenerator<string | Uint8Array> {
    try {
      for (let piece = first; piece.done !== true; piece = await pieces.next()) {
        // Only the client may stall the connection; the next piece takes as long as it takes.
        socket.setTimeout(stallMs);
        yield piece.value;
        socket.setTimeout(0);
      }
      socket.setTimeout(stallMs);
    } finally {
      await pieces.return(undefined);
    }
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
