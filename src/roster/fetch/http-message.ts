// The requests and answers of an HTTP source: what their bodies are, and which answers are refusals that may pass.
import { parseJson } from '../../core/attempt.ts';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { refusal, InputError } from '../../core/errors.ts';
import type { RequestTemplate } from '../presets/preset-schema.ts';
import { isLoopback } from '../../core/host/this-machine.ts';
import { shownText, quote } from '../../core/text/format.ts';
import type { HttpSource } from '../roster-file.ts';
import { retryAfter } from '../../core/call/retry-after.ts';
import { maskAddresses } from '../../core/person/mask.ts';
import { isRecord, parsePath, valuesAt } from '../../core/rows/path.ts';
import { sentences } from '../../core/words/say.ts';
import type { Redact } from '../../core/secrets/secret.ts';
import { PagesShifted, PassingTrouble } from './tries.ts';

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

/**
 * Reads an address that credentials or people will pass through. Throws an `InputError` that names the setting and
 * shows neither query nor credentials: for what is no address, for `http` beyond this machine, and for a user name or
 * password in it.
 */
export function parseSourceUrl(text: string, setting: string): URL {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) throw refusal('noAddress', { setting });
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') throw refusal('passwordInAddress', { setting });
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

/** What is read of the body of a refusal, to find its reason in it. */
const refusalBytes = 64 * 1024;
const reasonLength = 200;
const busy = new Set([408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);

/**
 * Returns for a successful answer; throws for the others.
 * @param now the time, ms
 * @throws PassingTrouble for what may pass, PagesShifted where all pages must be read again; else an InputError
 */
export async function refuseUnlessGood(
  request: SourceRequest,
  { status, headers, body }: SourceResponse,
  { name, now, redact, busyWhen }: { name: string; now: number; redact: Redact } & Pick<HttpSource, 'busyWhen'>,
): Promise<void> {
  if (status === 200 || status === 204 || request.accept?.includes(status)) return;
  const text = await readSome(body, refusalBytes).catch(() => '');
  if (isShifted(request, status, text)) throw new PagesShifted(`${showUrl(request.url)} lost its place`);
  const answer = parseJson(text);
  const said = reasonIn(answer ?? reasonOfXml(text), redact);
  const answered = `${showUrl(request.url)} answered ${status}${said}`;
  if (busy.has(status) || isBusy(status, answer, busyWhen)) {
    const waitMs = retryAfter(headers['retry-after'], headers['date'], now) ?? rateWait(headers, now);
    throw new PassingTrouble(answered, { waitMs });
  }
  throw new InputError(
    `${name}: ${answered}. ${sentences()[`answered-${status}`] ?? 'Check its address and settings.'}`,
  );
}

/** What a refusal says for itself, in the fields that servers use for it (RFC 9457, RFC 6749, and by habit). */
function reasonIn(answer: unknown, redact: Redact): string {
  if (!isRecord(answer)) return '';
  const inner = answer['error'];
  const fields = { ...(isRecord(inner) && inner), ...answer };
  const names = ['error_description', 'detail', 'message', 'title', 'error', 'errorMessage', 'errorSummary'];
  const said = names.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '');
  if (typeof said !== 'string') return '';
  // What a refusal quotes may be a person. Nothing is cut before it is masked, or the beginning of a secret would be left.
  return `, saying ${quote(maskAddresses(redact(said)), reasonLength)}`;
}

/** What storage says in XML (S3 and Azure: `<Error><Code>…</Code><Message>…</Message>`). */
function reasonOfXml(text: string): unknown {
  const message = /<Message>([^<]+)<\/Message>/.exec(text)?.[1];
  return message === undefined ? undefined : { message };
}

function isShifted({ shiftedWhen = [] }: SourceRequest, status: number, text: string): boolean {
  const folded = text.toLowerCase();
  return shiftedWhen.some((one) => one.status === status && folded.includes(one.says.toLowerCase()));
}

/** Whether a refusal says for itself that it may pass. */
function isBusy(status: number, answer: unknown, busyWhen: HttpSource['busyWhen']): boolean {
  if (busyWhen?.status !== status) return false;
  return valuesAt(answer, parsePath(busyWhen.path)).some((said) => busyWhen.is.includes(String(said)));
}

/** The longest wait that such a header can ask for, ms. */
const longest = 3_600_000;

/**
 * The wait, ms, until requests are allowed again: none are left, and `x-rate-limit-reset` (seconds since 1970) says when
 * there will be, by the server's own `date`. Undefined where the headers do not say so, and where the limit itself is 0: then too many
 * requests run at once, and the time is a guess.
 * @param now the time, ms, for a server that does not say it
 */
export function rateWait(headers: Record<string, string | undefined>, now: number): number | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    wholeIn(headers[`x-rate-limit-${name}`]),
  );
  if (remaining !== 0 || reset === undefined || limit === 0) return undefined;
  const said = Date.parse(headers['date'] ?? '');
  const wait = reset * 1000 - (Number.isNaN(said) ? now : said);
  return Math.min(Math.max(wait, 0), longest);
}

/** A header that came through several hands may hold several numbers: then none counts. */
function wholeIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text.trim()) ? Number(text) : undefined;
}
