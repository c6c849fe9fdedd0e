// The types of the ways in which a sender proves that an event is its own.

/** How a sender signs: which header, over which bytes, with what. */
export interface SignatureScheme {
  by: 'signature';
  /** The header of the signature, in lower case. */
  header: string;
  /** The text before it: `sha256 `, `sha256=`, `v1,`; empty for none. Without it there is no signature. */
  prefix: string;
  /** What parts several signatures in the header; absent if there is only one. */
  separator?: string;
  algorithm: SignatureAlgorithm;
  encoding: SignatureEncoding;
  /** How the secret gives the key: as it is, or in Base64. */
  key: KeyForm;
  /** The bytes that are signed: a text in which `{body}`, `{timestamp}` and `{id}` stand for what was received. */
  signed: string;
  /** The header of the time of sending, in seconds since 1970, in lower case. */
  timestamp?: string;
  /** The most that this time may differ from now, ms; absent if it does not matter. */
  toleranceMs?: number;
  /** The header of the sender's id for the event, in lower case. */
  id?: string;
}

/**
 * How a sender proves that an event is its own.
 *
 * - `signature`: by an HMAC
 * - `standard`: as Standard Webhooks say, with headers that begin with `webhook-` or `svix-`
 * - `bearer`: by a fixed token in `Authorization`
 * - `path`: by nothing but knowing the address, whose last part is secret
 */
export type Scheme =
  | SignatureScheme
  | { by: 'standard'; headers: 'webhook' | 'svix' }
  | { by: 'bearer' }
  | { by: 'path' };

/** The hashes of an HMAC that senders use; SHA-1 and MD5 are not taken. */
export const signatureAlgorithms = ['sha256', 'sha512'] as const;
export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

/** How a signature is written in its header. */
export const signatureEncodings = ['hex', 'base64', 'base64url'] as const;
export type SignatureEncoding = (typeof signatureEncodings)[number];

/** How a secret becomes the key: its text as it is, or the bytes that it says in Base64. */
export const keyForms = ['text', 'base64'] as const;
export type KeyForm = (typeof keyForms)[number];

/** A request as it arrived. */
export interface Received {
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes of the body, as they came. */
  body: Uint8Array;
  /** The last part of the path, where there is one. */
  pathSecret?: string;
}

/** Why a request is not believed: nothing to check, not what the secret makes of it, or not of this time. */
export type Refusal = 'missing' | 'wrong' | 'late';

/** The one value of a header; undefined if there is none, or several. */
export function headerOf({ headers }: Pick<Received, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
