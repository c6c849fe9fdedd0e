// Turns every error into an HTTP problem (RFC 9457), in one place.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeText } from '../core/text/format.ts';
import {
  BusyError,
  codeOf,
  ForbiddenError,
  InputError,
  LedgerAwayError,
  LedgerBusyError,
  NotFoundError,
  NotNowError,
  RequestError,
  RosterSyncError,
  StorageError,
  SecondPersonError,
  ServiceError,
  type NextStep,
  withNext,
} from '../core/errors.ts';
import type { Logger } from '../process/logger.ts';
import { routeOf } from './access-log.ts';
import { acts } from '../acts/acts.ts';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { closeGently, isAnswering, leave } from './bodies.ts';

/** What is answered when something is not done: RFC 9457, with a stable code, and what to do next as values too. */
export interface Problem {
  status: number;
  /** `NOT_FOUND`, `UNAUTHORIZED`, `INPUT`, `BUSY`. */
  code: string;
  title: string;
  detail: string;
  next?: readonly NextStep[];
}

const titles: Record<number, string> = {
  400: 'The request is not understood',
  401: 'Credentials are needed',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Not possible here',
  408: 'The request took too long',
  409: 'Not possible now',
  413: 'Too large',
  414: 'The address is too long',
  415: 'The form of the body is not supported',
  417: 'Not possible here',
  422: 'Not usable',
  429: 'Too many requests',
  431: 'The headers are too large',
  503: 'Not available now',
  507: 'No room',
};

/** The status of an error thrown on purpose; undefined for anything unexpected. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof RequestError) return error.status;
  if (error instanceof SecondPersonError || error instanceof ForbiddenError) return 403;
  if (error instanceof NotFoundError) return 404;
  if (error instanceof NotNowError) return 409;
  if (error instanceof InputError) return 422;
  if (error instanceof BusyError) return 409;
  if (error instanceof StorageError) return 503;
  if (error instanceof ServiceError) return 504;
  return undefined;
}

function problemOf(problem: Omit<Problem, 'title'>, id: string): object {
  const title = titles[problem.status] ?? 'Something unexpected happened';
  return { type: 'about:blank', title, ...problem, instance: id };
}

export async function sendProblem(reply: FastifyReply, problem: Omit<Problem, 'title'>): Promise<void> {
  // What it waits for, an upload or a plan, ends soon.
  if (problem.status === 503 && /(?:BUSY|AWAY)$/.test(problem.code) && !reply.hasHeader('retry-after'))
    reply.header('retry-after', '10');
  await reply
    .code(problem.status)
    .type('application/problem+json')
    .header('x-request-id', reply.request.id)
    .serializer((value: unknown) => JSON.stringify(value))
    .send(problemOf(problem, reply.request.id));
}

/** What is wrong with a request, with the field that is not known, where its name is a short one. */
function mistakeOf({ message, validation }: FastifyError): string {
  const unknown = validation?.[0]?.params['additionalProperty'];
  if (typeof unknown !== 'string' || unknown.length > 40) return message;
  return `${message}: ${escapeText(unknown)} is not known here`;
}

/** An error as status, code and the sentence that says what to do next; one that nobody expected has the id of its request. */
export function describeProblem(error: unknown, id: string): Omit<Problem, 'title'> & { isExpected: boolean } {
  const known = statusOf(error);
  if (error instanceof LedgerBusyError) {
    const detail = 'The ledger is busy with something large, such as a roster. Try again in a moment.';
    return { status: 503, code: error.code, detail, isExpected: true };
  }
  if (error instanceof LedgerAwayError) {
    const detail =
      'The ledger does not answer. What you asked for may still have been done: look before you ask again.';
    return { status: 503, code: 'LEDGER_AWAY', detail, isExpected: true };
  }
  if (known !== undefined && error instanceof RosterSyncError) {
    const { code, message: detail, next } = error;
    return { status: known, code, detail, ...(next.length > 0 && { next }), isExpected: true };
  }
  if (/^(?:ENOSPC|EDQUOT)$/.test(codeOf(error))) {
    const detail = 'The disk of roster-sync is full, or its quota is used up. Free some space, then ask again.';
    return { status: 507, code: 'STORAGE', detail, isExpected: true };
  }
  const { statusCode = 500, code = 'REQUEST' } = error as Partial<FastifyError>;
  if (statusCode < 500) {
    return { status: statusCode, code, detail: mistakeOf(error as FastifyError), isExpected: true };
  }
  const detail = `It was not your request. The log has the cause under request ${id}.`;
  return { status: 500, code: 'UNEXPECTED', detail, isExpected: false };
}

/** As `describeProblem`; what somebody must see to is logged. An outage of the ledger has been logged where it was met. */
export function tellProblem(error: unknown, request: FastifyRequest, log: Logger): ReturnType<typeof describeProblem> {
  const problem = describeProblem(error, request.id);
  const hasHungUp = codeOf(error) === 'ECONNRESET' && request.raw.socket?.destroyed;
  if ((!problem.isExpected && !hasHungUp) || problem.code === 'STORAGE') {
    const what = problem.isExpected ? 'what a request needs cannot be kept' : 'a request failed unexpectedly';
    log.error({ err: error, request: request.id, route: routeOf(request) }, what);
  }
  return problem;
}

/** The request that takes a next step, by the route of its act: `POST /api/v1/runs/4f2a/resume`; undefined where none does. */
export function nameRequest(step: NextStep): string | undefined {
  if ('setting' in step) return undefined;
  const http = acts.find(({ id }) => id === step.act)?.http;
  if (!http || !('route' in http)) return undefined;
  return `\`${http.route.replace(' ', ' /api/v1').replace(':run', step.run ?? ':run')}\``;
}

/** Answers an address that leads nowhere; undefined where the problem says enough. */
export type AnswerUnknown = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;

/** The one place of the server where an error becomes an answer: without stacks, and unexpected ones without words. */
export function answerProblems(app: FastifyInstance, log: Logger, answerUnknown?: AnswerUnknown): void {
  app.setErrorHandler(async (error, request, reply) => {
    const { isExpected: _, ...problem } = tellProblem(error, request, log);
    if (request.url.startsWith('/api/')) {
      problem.detail = withNext(problem.detail, problem.next, nameRequest);
    }
    return sendProblem(reply, problem);
  });
  app.setNotFoundHandler(
    async (request, reply) =>
      answerUnknown?.(request, reply) ??
      sendProblem(reply, { status: 404, code: 'NOT_FOUND', detail: 'There is nothing here.' }),
  );
}

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
