import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import { createServer as createRawServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { Answer, AnswerKind } from '../../src/core/call/answer.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { parseBaseUrl, readCredentials } from '../../src/service/settings.ts';
import { createServiceClient, type ServiceClient, type ServiceClientOptions } from '../../src/service/client.ts';

/** A request as it arrived. */
export interface Arrival {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A server on loopback, closed with its connections when the test ends. `port` is taken by the system. */
export async function listen(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  t.after(async () => {
    const closed = Promise.withResolvers<void>();
    server.close(() => closed.resolve());
    for (const socket of sockets) socket.destroy();
    await closed.promise;
  });
  return (server.address() as AddressInfo).port;
}

/** An HTTP server that reads each request whole, records it, and answers as told. */
export async function listenHttp(
  t: TestContext,
  answer: (response: ServerResponse, arrival: Arrival, count: number) => void,
  server: HttpServer = createServer(),
): Promise<{ port: number; base: string; arrivals: Arrival[] }> {
  const arrivals: Arrival[] = [];
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const arrival = { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') };
      arrivals.push(arrival);
      answer(response, arrival, arrivals.length);
    });
  });
  const port = await listen(t, server);
  return { port, base: `http://127.0.0.1:${port}`, arrivals };
}

/** A server of bare sockets, for everything that no HTTP server would do. */
export async function listenRaw(t: TestContext, serve: (socket: Socket, count: number) => void): Promise<string> {
  let count = 0;
  const server = createRawServer({ noDelay: true }, (socket) => serve(socket, (count += 1)));
  return `http://127.0.0.1:${await listen(t, server)}`;
}

/** Made up: the user `sync`, with a password that holds what Base64, URLs, JSON and HTML each write differently. */
export const password = 'pä/ss+w"o<r>d?';
export const token = Buffer.from(`sync:${password}`).toString('base64');

/** A client of the server at `base`, closed when the test ends. */
export async function connect(
  t: TestContext,
  base: string,
  options: Partial<ServiceClientOptions> = {},
): Promise<ServiceClient> {
  const client = createServiceClient({
    baseUrl: parseBaseUrl(base),
    credentials: options.credentials ?? (await readCredentials({ token: new Secret(token) })),
    concurrency: 4,
    timeoutMs: 10_000,
    userAgent: 'roster-sync/0.0.0-test',
    environment: {},
    ...options,
  });
  t.after(() => client.close());
  return client;
}

/** A request for one made-up person. */
export const request = {
  groups: ['New starters', 'Finance'],
  user: { firstname: 'Åse', lastname: 'Lindqvist', email: 'ase.lindqvist@example.com' },
  invite: true,
  forceSync: false,
};

/** The documented answer to `request`. */
export const success = {
  status: 'success',
  data: request.groups.map((group) => ({ group, status: 'success', inserts: 1, warnings: 0 })),
  hash: '9f86d081884c7d659a2feaa0c55ad015',
  response_time: 0.0421,
};

/** The answer as the kind it must be; throws, naming what it is, when it is another. */
export function expectKind<K extends AnswerKind>(answer: Answer, kind: K): Answer & { kind: K } {
  if (answer.kind !== kind) throw new Error(`expected ${kind}, got ${JSON.stringify(answer)}`);
  return answer as Answer & { kind: K };
}

/** Sends JSON with a status and headers. */
export function sendJson(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
