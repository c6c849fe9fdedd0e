// The type of an answer before it is sent, and the form of refusals.
import type { Assumptions } from './assumptions.ts';

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

/** Puts a refusal into the sandbox's error form, which is an assumption: interface.md shows none. */
export function refusalReply(refusal: Refusal, form: Assumptions['errorBody']): Reply {
  const { status, code, message, headers = {} } = refusal;
  if (form === 'json') return { status, headers, body: { status: 'error', error: { code, message } } };
  return { status, headers, body: form === 'text' ? message : '' };
}
