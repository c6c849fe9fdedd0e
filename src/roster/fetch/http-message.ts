// The requests and answers of an HTTP source, and what their bodies are.
import { refusal } from '../../core/words/say.ts';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { RequestTemplate } from '../../../config/preset-schema.ts';
import { InputError } from '../../core/errors.ts';
import { isLoopback } from '../../core/host/this-machine.ts';
import { shownText } from '../../core/text/quote.ts';

export interface SourceRequest {
  url: URL;
  method: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Statuses, in addition to 200 and 204, that are answers and not failures. */
  accept?: readonly number[];
  /** Answers that mean: the pages are no longer those that were begun. */
  shiftedWhen?: RequestTemplate['shiftedWhen'];
}

/** What a signature covers. Header names are in lower case. */
export interface Signable {
  url: URL;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  /** Ms since 1970. */
  now: number;
  /** Never used before. */
  id: string;
}

/** A request for a token, and what its answer is read as. */
export interface TokenRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** An answer whose body is still to be read. Header names are in lower case. */
export interface SourceResponse {
  status: number;
  headers: Record<string, string | undefined>;
  /** The body, decompressed. Throws `PassingTrouble` when it breaks off, an `InputError` beyond the limit. */
  body: AsyncIterable<Uint8Array>;
}

/** A body without its content encoding; one that is not known is left as it is. */
export function decompressed(body: Readable, encoding: string): Readable {
  const step = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }[
    encoding.toLowerCase()
  ];
  if (!step) return body;
  const unpacked = step();
  body.on('error', (error) => unpacked.destroy(error));
  unpacked.on('close', () => body.destroy());
  return body.pipe(unpacked);
}

/** Headers with one text each. */
export function flat(headers: Dispatcher.ResponseData['headers']): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

/** The beginning of a body as text, of at most this many bytes. */
export async function readSome(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= most) break;
  }
  return Buffer.concat(chunks).subarray(0, most).toString('utf8');
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Reads an address that credentials or people will pass through. Throws an `InputError` that names the setting and
 * shows neither query nor credentials: for what is no address, for `http` beyond this machine, and for a user name or
 * password in it.
 */
export function parseSourceUrl(text: string, setting: string): URL {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new InputError(`${setting} is not an address like https://host/path.`);
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new InputError(`${setting} holds a user name or password before an @: give them with auth instead.`);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw refusal('unprotectedUrl', { setting, host: url.host });
  url.hash = '';
  return url;
}

/** As much of an address as is shown; a server may name one of any length. */
const longestShown = 200;

/** An address as it may be shown: without its query, which may hold secrets. */
export function showUrl(url: URL): string {
  return shownText(`${url.host}${url.pathname}`, longestShown);
}
