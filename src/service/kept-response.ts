// Chooses what is kept of a response, without secrets.
import type { RawResponse } from '../core/call/answer.ts';
import type { Redact } from '../core/secrets/secret.ts';
import type { ReceivedResponse } from './exchange.ts';

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
  let end = keptBodyBytes;
  // Not in the middle of a character: continuation bytes begin with the bits 10.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return { body: bytes.toString('utf8', 0, end), cut: true };
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
