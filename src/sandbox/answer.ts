// Turns an answer into bytes and writes them to the socket: whole, or as a fault spoils and cuts it.
import { once } from 'node:events';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import type { Reply } from './message.ts';
import { isRecord } from '../core/rows/path.ts';

/** An answer as it goes on the wire, and in which manner. */
interface Rendered {
  status: number;
  headers: Record<string, string | number>;
  bytes: Buffer;
  manner: 'whole' | 'truncated' | 'stalled' | 'trickle';
}

/** 16 MiB: more than any answer of the interface could need. */
const hugeBytes = 16 * 1024 * 1024;

export function render(reply: Reply): Rendered {
  const { status, headers, body } = reply;
  const isText = typeof body === 'string';
  const bytes = Buffer.from(isText ? body : JSON.stringify(body));
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  return {
    status,
    headers: { 'content-type': type, ...headers, 'content-length': bytes.length },
    bytes,
    manner: 'whole',
  };
}

/**
 * Turns an answer into bytes as a fault wants them. `reply` is missing when the request was not carried out;
 * `authorization` is the request's header, for the fault that repeats it; `now` is in epoch milliseconds.
 */
export function spoil(reply: Reply | undefined, fault: Fault, authorization: string, now: number): Rendered {
  const status = fault.status ?? reply?.status ?? 200;
  const headers = { ...(fault.status === undefined ? reply?.headers : headersOf(fault, status, now)) };
  const said = (body: unknown, type?: string): Reply => {
    return { status, headers: type === undefined ? headers : { ...headers, 'content-type': type }, body };
  };
  const honest = isSuccess(status) && reply && isSuccess(reply.status) ? reply.body : undefined;
  const otherwise = honest ?? (fault.status === undefined ? reply?.body : undefined) ?? errorBody(status);
  switch (fault.body) {
    case 'html':
      return render(said(`<!doctype html><title>${STATUS_CODES[status]}</title><h1>${status}</h1>`, 'text/html'));
    case 'text':
      return render(said('something went wrong'));
    case 'empty':
      return render(said('', 'application/json'));
    case 'huge':
      return render(said(`{"status":"success","data":["${'x'.repeat(hugeBytes)}"]}`, 'application/json'));
    case 'echo':
      return render({
        status,
        headers: { ...headers, 'x-debug-authorization': authorization },
        body: {
          status: 'error',
          error: { code: 'debug', message: `your request said Authorization: ${authorization}` },
        },
      });
    case 'half-json': {
      const text = JSON.stringify(otherwise);
      return render(said(text.slice(0, Math.floor(text.length / 2)), 'application/json'));
    }
    case 'truncated':
    case 'stalled':
    case 'trickle':
      return { ...render(said(otherwise)), manner: fault.body };
    default:
      return render(said(honest === undefined ? otherwise : reshape(honest, fault.body)));
  }
}

function reshape(body: unknown, shape: Fault['body']): unknown {
  if (!isRecord(body)) return body;
  const { data, hash, ...rest } = body;
  const items: unknown[] = Array.isArray(data) ? data : [];
  switch (shape) {
    case 'not-success':
      return { ...body, status: 'error' };
    case 'missing':
      return { ...body, data: items.slice(0, -1) };
    case 'reordered':
      return { ...body, data: items.toReversed() };
    case 'no-data':
      return { ...rest, hash };
    case 'no-hash':
      return { ...rest, data };
    case 'bare-array':
      return items;
    case 'null':
      return null;
    case 'string-counts':
      return { ...body, data: items.map((item) => (isRecord(item) ? withTextCounts(item) : item)) };
    default:
      return body;
  }
}

function withTextCounts(item: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => [key, typeof value === 'number' ? `${value}` : value]),
  );
}

function headersOf(fault: Fault, status: number, now: number): Record<string, string> {
  const headers: Record<string, string> = {};
  const wait = fault['retry-after'];
  if (typeof wait === 'number') headers['retry-after'] = `${wait}`;
  if (typeof wait === 'string') {
    // An HTTP-date has whole seconds: rounded up, so that the wait is never shorter than asked for.
    const until = Math.ceil(now / 1000 + Number(wait.slice('date+'.length))) * 1000;
    headers['retry-after'] = new Date(until).toUTCString();
  }
  if (status === 401) headers['www-authenticate'] = 'Basic realm="sandbox"';
  if (status >= 300 && status < 400) headers['location'] = '/elsewhere';
  return headers;
}

function errorBody(status: number): object {
  return { status: 'error', error: { code: `status-${status}`, message: STATUS_CODES[status] ?? 'a fault on demand' } };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Writes an answer in its manner. `done` is called once, just before the last byte that will be written is handed to
 * the socket: after it the client may already act on the answer. It is not called when the client leaves first.
 */
export function transmit(response: ServerResponse, rendered: Rendered, intervalMs: number, done: () => void): void {
  const { status, headers, bytes, manner } = rendered;
  response.writeHead(status, headers);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  switch (manner) {
    case 'whole':
      done();
      response.end(bytes);
      return;
    case 'truncated':
      done();
      // Destroyed only when the half is out, so that the client surely sees it.
      response.write(half, () => response.socket?.destroySoon());
      return;
    case 'stalled':
      response.write(half);
      return;
    case 'trickle':
      trickle(response, bytes, intervalMs, done);
  }
}

/** Faults that an answer in pieces can have without being held. */
export const pouredFaults = ['truncated', 'stalled', 'half-json'] as const;

/**
 * Writes an answer in pieces, no faster than the client takes it. With a fault it ends in the middle of the first pieces:
 * with the connection (`truncated`), properly (`half-json`), or not at all (`stalled`). `done` as for `transmit`.
 */
export async function pour(
  response: ServerResponse,
  reply: Pick<Reply, 'status' | 'headers'> & { pieces: () => Generator<string> },
  fault: (typeof pouredFaults)[number] | undefined,
  done: () => void,
): Promise<void> {
  response.writeHead(reply.status, { 'content-type': 'application/json; charset=utf-8', ...reply.headers });
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  let written = 0;
  for (const piece of reply.pieces()) {
    if (gone.signal.aborted) return;
    const isFree = response.write(piece);
    written += 1;
    if (fault !== undefined && written === brokenAfter) break;
    // Also where the socket takes all at once others want their turn.
    if (!isFree) await once(response, 'drain', { signal: gone.signal }).catch(() => {});
    else if (written % 32 === 0) await nextTurn();
  }
  if (gone.signal.aborted || fault === 'stalled') return;
  done();
  if (fault === 'truncated') response.write(' ', () => response.socket?.destroySoon());
  else response.end();
}

/** The number of pieces after which a fault strikes. */
const brokenAfter = 5;

function trickle(response: ServerResponse, bytes: Buffer, intervalMs: number, done: () => void): void {
  let at = 0;
  const timer = setInterval(() => {
    at += 1;
    if (at < bytes.length) {
      response.write(bytes.subarray(at - 1, at));
      return;
    }
    clearInterval(timer);
    done();
    response.end(bytes.subarray(at - 1));
  }, intervalMs);
  response.on('close', () => clearInterval(timer));
}
