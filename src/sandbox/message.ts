// Requests as they are read, and answers before they are sent.
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';

/** The names and numbers of a user, without groups. */
export const UserFields = z.strictObject({
  firstname: z.string(),
  lastname: z.string(),
  email: z.string(),
  telephone: z.string().exactOptional(),
  country: z.string().exactOptional(),
  city: z.string().exactOptional(),
});
export type UserFields = z.output<typeof UserFields>;

/** The first key of an object that its shape does not have. */
export function strayField(value: unknown, { shape }: z.ZodObject): string | undefined {
  return Object.keys(value as object).find((key) => !Object.hasOwn(shape, key));
}

/**
 * Reads a request's body and hands it over as text, or `undefined` when it is longer than `limit` bytes, which are
 * then read and thrown away. Nothing is handed over when the client leaves first.
 */
export function readText(request: IncomingMessage, limit: number, then: (text: string | undefined) => void): void {
  let chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else chunks = [];
  });
  request.on('end', () => {
    const [only] = chunks;
    if (size > limit) then(undefined);
    else then(chunks.length === 1 && only ? only.toString('utf8') : Buffer.concat(chunks).toString('utf8'));
  });
}

/** An answer before it is put on the wire. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** What is sent as JSON, or a text sent as it is. */
  body: unknown;
  /** The body as JSON text in pieces, where it is too large to be held; `body` is then made of them only for a fault. */
  pieces?: () => Generator<string>;
}

/** The envelope of interface.md, "Common response envelope". */
export interface Envelope {
  status: string;
  data: object[];
  hash: string;
  response_time: number;
}

/** Why a request is refused: an HTTP status, a word for programs, and a sentence for people. */
export interface Refusal {
  status: number;
  code: string;
  message: string;
  headers?: Record<string, string>;
}

export function invalid(message: string): Refusal {
  return { status: 400, code: 'invalid-request', message };
}
