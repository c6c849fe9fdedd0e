// Answers requests that are refused before they reach a route.
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { closeGently, isAnswering, leave } from './bodies.ts';
import { problemOf, type Problem, sendProblem } from './problems.ts';

/** Writes a problem to a connection on which no request was understood, and closes it. */
function writeProblem(socket: Socket, problem: Omit<Problem, 'title'>): void {
  if (!socket.writable) return void socket.destroy();
  const id = randomUUID();
  const body = JSON.stringify(problemOf(problem, id));
  const head = `content-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${id}`;
  const status = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`;
  socket.write(`${status}\r\n${head}\r\nconnection: close\r\n\r\n${body}`);
  closeGently(socket);
  socket.destroySoon();
}

/** What Node says about a request that cannot be read, or not in time. */
const unread: Record<string, Omit<Problem, 'title'>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'TOO_SLOW', detail: 'The request did not arrive in time.' },
  HPE_HEADER_OVERFLOW: { status: 431, code: 'HEADERS', detail: 'Address and headers have more than 16 kB together.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, code: 'TOO_LARGE', detail: 'The extensions of a chunk are too long.' },
};
const noHttp = { status: 400, code: 'NO_HTTP', detail: 'This is no request of HTTP/1.1.' };

/** For Fastify's `clientErrorHandler`. */
export function refuseUnread(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (isAnswering(socket)) return void socket.destroy();
  writeProblem(socket, unread[error.code ?? ''] ?? noHttp);
}

/** For Fastify's `frameworkErrors`. */
export function refuseUnrouted(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  leave(request, reply);
  const isLong = error.statusCode === 414;
  const detail = isLong
    ? 'A part of the path is too long.'
    : 'The address is not well-formed: check what follows each %.';
  void sendProblem(reply, { status: isLong ? 414 : 400, code: error.code, detail });
}
