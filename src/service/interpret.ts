// Turns an HTTP exchange into an answer, and chooses what is kept of its response.
import { parseJson } from '../core/attempt.ts';
import type { Answer, RawResponse } from '../core/call/answer.ts';
import { retryAfter } from '../core/call/retry-after.ts';
import { longestThrottle } from '../core/call/throttle.ts';
import type { Redact } from '../core/secrets/secret.ts';
import { successStatus, type Operation, type Success } from './contract.ts';
import { type Exchange, LateError, type ReceivedResponse } from './exchange.ts';

/** What is needed, in addition to the exchange, to say what it means. */
export interface Interpretation {
  operation: Operation;
  /** Names of groups that were sent: where they come back they are not the echo of a secret. */
  groups: readonly string[];
  redact: Redact;
  /** Ms since the epoch; judges a `Retry-After` date where the service sends no `Date` of its own. */
  now: () => number;
  /** For messages: the service's host, the setting that the token comes from, and where that is set, if it is known. */
  host: string;
  setting: string;
  setAt: string;
}

/** Says what an HTTP exchange means, as one of the kinds of `Answer`. `renewed` is left false. */
export function interpret({ written, response, failure }: Exchange, context: Interpretation): Answer {
  const { redact, host } = context;
  const why = failure === undefined ? '' : redact(describeFailure(failure));
  if (!written) {
    const late = failure instanceof LateError && { late: true as const };
    const nobodyThere = failure !== undefined && isNobodyThere(failure) && { nobodyThere: true as const };
    return { kind: 'not-sent', reason: `nothing was sent to ${host}: ${why}`, ...late, ...nobodyThere };
  }
  if (response === undefined) return { kind: 'may-have-happened', reason: `sent, but no answer from ${host}: ${why}` };

  const text = response.body.toString('utf8');
  const shown = redact(text, response.extent !== 'complete');
  const kept = keepResponse(response, shown, redact);
  // Any status but success says by itself what happened, even where its body broke off.
  if (response.status < 200 || response.status >= 300) return interpretStatus(kept, response.headers, context);
  if (response.extent === 'over-cap') return unrecognised(kept, why, host);
  if (response.extent === 'complete') return interpretSuccess(kept, text, shown !== text, context);
  return { kind: 'may-have-happened', response: kept, reason: `the answer of ${host} broke off: ${why}` };
}

/** What a gateway says when the service behind it took a request and did not answer: RFC 9110, and two of Cloudflare's. */
const ofGateways = new Set([502, 504, 520, 524]);

function interpretStatus(
  response: RawResponse,
  headers: ReceivedResponse['headers'],
  { host, setting, setAt, now }: Interpretation,
): Answer {
  const { httpStatus: status } = response;
  const reason = `HTTP ${status} from ${host}`;
  if (status === 401 || status === 403) {
    return {
      kind: 'refused',
      response,
      reason: `${host} refused the token of ${setting} (HTTP ${status}); check it${setAt === '' ? '' : ` in ${setAt}`}`,
      renewed: false,
    };
  }
  if (status === 429 || status === 503) {
    const waitMs = longestWait(headers, now());
    if (waitMs === undefined) return { kind: 'throttled', response, reason };
    const asked = waitMs < longestThrottle ? `${waitMs / 1000} s` : 'a day or longer; roster-sync waits a day at most';
    return { kind: 'throttled', response, reason: `${reason}, asking to wait ${asked}`, waitMs };
  }
  if (status < 400) {
    const { location } = response.headers as { location?: string };
    return {
      kind: 'rejected',
      response,
      reason: location === undefined ? reason : `${reason}, redirecting to ${location}`,
    };
  }
  if (status < 500) return { kind: 'rejected', response, reason };
  if (status < 600) return { kind: ofGateways.has(status) ? 'may-have-happened' : 'broken', response, reason };
  return { kind: 'unrecognised', response, reason: `${reason}, which is no known status` };
}

/** Of several `Retry-After` headers the longest wait is taken. */
function longestWait(headers: ReceivedResponse['headers'], now: number): number | undefined {
  const date = [headers['date']].flat()[0];
  const waits = [headers['retry-after']].flat().map((value) => retryAfter(value, date, now));
  return waits.reduce((longest, wait) => (longest === undefined || (wait ?? 0) > longest ? wait : longest), undefined);
}

function interpretSuccess(response: RawResponse, text: string, isEchoing: boolean, context: Interpretation): Answer {
  const { redact, host, operation } = context;
  const json = parseJson(text.replace(/^\uFEFF/, ''));
  if (json === undefined) {
    return unrecognised(response, text === '' ? 'without a body' : 'the body is not JSON, or is cut short', host);
  }
  const status = typeof json === 'object' && json !== null && 'status' in json ? json.status : undefined;
  if (typeof status === 'string' && status !== successStatus) {
    const shown = JSON.stringify(redact(status).slice(0, 100));
    return unrecognised(response, `the status is ${shown}, not "${successStatus}"`, host);
  }
  const success = operation.read(json);
  if (typeof success === 'string') {
    return unrecognised(response, `the body is not of the documented shape: ${redact(success)}`, host);
  }
  return { kind: 'accepted', response, ...(isEchoing ? withoutEcho(success, context) : success) };
}

function unrecognised(response: RawResponse, why: string, host: string): Answer {
  return { kind: 'unrecognised', response, reason: `HTTP ${response.httpStatus} from ${host}, but ${why}` };
}

/** Takes secrets out of what was parsed; needed only where the body held one. */
function withoutEcho(success: Success, { redact, groups }: Interpretation): Success {
  const clean = <T>(value: T): T => {
    if (typeof value === 'string') return redact(value) as T;
    if (Array.isArray(value)) return value.map(clean) as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [redact(key), clean(inner)])) as T;
  };
  const results = success.results.map((result) => ({
    ...clean(result),
    ...(groups.includes(result.group) ? { group: result.group } : {}),
  }));
  return { ...success, results, hash: redact(success.hash) };
}

/** The longest description that is kept, in characters. */
const longest = 500;

/** Why an exchange failed, in one line: code and message of the error and its causes. Secrets are not taken out. */
function describeFailure(error: Error): string {
  const parts = [...new Set(causes(error, 3).map(describeOne))].filter((part) => part !== '');
  return parts.join('; ').replaceAll(/\s+/g, ' ').slice(0, longest);
}

/** OpenSSL's and Node's codes of a failed TLS handshake, and the system's of an unknown name and a refused connection. */
const codesOfNobody =
  /^(ENOTFOUND|ECONNREFUSED|EPROTO|ERR_SSL_|ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_)/;

/** Whether a connection could not be made because the service is not at this address: no such name, refused, or no TLS. */
function isNobodyThere(error: Error): boolean {
  return causes(error, 3).some((each) => 'code' in each && codesOfNobody.test(String(each.code)));
}

/** The error, those it was made of (one per address that was tried), and its causes, up to a depth. */
function causes(error: Error, depth: number): Error[] {
  const below = [...(error instanceof AggregateError ? (error.errors as unknown[]) : []), error.cause];
  const deeper = depth === 0 ? [] : below.flatMap((cause) => (cause instanceof Error ? causes(cause, depth - 1) : []));
  return [error, ...deeper];
}

function describeOne(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (error.message === '') return error instanceof AggregateError ? '' : code;
  return code === '' || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}

/** The most bytes of a body that are kept: 64 KiB. */
const keptBodyBytes = 65_536;
/** The most characters of one header that are kept. */
const keptHeaderLength = 1_024;

/** Headers that help to understand an answer or to find it in the service's logs; ids and rate limits are matched below. */
const keptHeaders = new Set([
  'age',
  'allow',
  'cf-ray',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'location',
  'retry-after',
  'server',
  'traceparent',
  'via',
  'warning',
  'www-authenticate',
]);
const keptPattern = /^(?:x-)?(?:rate-?limit|(?:[a-z]+-)*(?:request|correlation|trace)-?id$)/;

/** What is kept of a response; `shown` is its whole body as text, secrets already taken out. */
export function keepResponse(
  { status, headers, extent }: ReceivedResponse,
  shown: string,
  redact: Redact,
): RawResponse {
  const { body, cut } = keepBody(shown);
  return { httpStatus: status, headers: keepHeaders(headers, redact), body, bodyCut: cut || extent !== 'complete' };
}

function keepBody(text: string): { body: string; cut: boolean } {
  // Three bytes are the most that one UTF-16 unit takes, so most bodies need no counting.
  if (text.length * 3 <= keptBodyBytes) return { body: text, cut: false };
  const bytes = Buffer.from(text);
  if (bytes.length <= keptBodyBytes) return { body: text, cut: false };
  // As the beginning of a stream: a character that is cut in the middle is left out.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return { body: decoder.decode(bytes.subarray(0, keptBodyBytes), { stream: true }), cut: true };
}

function keepHeaders(headers: ReceivedResponse['headers'], redact: Redact): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || !(keptHeaders.has(name) || keptPattern.test(name))) continue;
    kept[name] = redact(typeof value === 'string' ? value : value.join(', ')).slice(0, keptHeaderLength);
  }
  return kept;
}
