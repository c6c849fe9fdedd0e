// Tells which answers of an HTTP source are refusals, whether they may pass, and what to do about them.
import { retryAfter } from '../../core/call/retry-after.ts';
import { InputError } from '../../core/errors.ts';
import { maskAddresses } from '../../core/person/mask.ts';
import type { Redact } from '../../core/secrets/secret.ts';
import { quote } from '../../core/text/quote.ts';
import { parseJson, readSome, type SourceRequest, type SourceResponse } from './http-message.ts';
import { showUrl } from './http-url.ts';
import { PassingTrouble } from './trouble.ts';

/** What is read of the body of a refusal, to find its reason in it. */
const refusalBytes = 64 * 1024;
const reasonLength = 200;
const busy = new Set([408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);

/**
 * Returns for a successful answer; throws for the others.
 * @param now the time, ms
 * @throws PassingTrouble for what may pass; else an InputError
 */
export async function refuseUnlessGood(
  request: SourceRequest,
  { status, headers, body }: SourceResponse,
  { name, now, redact }: { name: string; now: number; redact: Redact },
): Promise<void> {
  if (status === 200 || status === 204 || request.accept?.includes(status)) return;
  const said = reasonIn(await readSome(body, refusalBytes).catch(() => ''), redact);
  const answered = `${showUrl(request.url)} answered ${status}${said}`;
  if (busy.has(status)) {
    throw new PassingTrouble(answered, { waitMs: retryAfter(headers['retry-after'], headers['date'], now) });
  }
  throw new InputError(`${name}: ${answered}. ${adviceFor(status)}`);
}

/** What a refusal says for itself, in the fields that servers use for it (RFC 9457, RFC 6749, and by habit). */
function reasonIn(text: string, redact: Redact): string {
  const answer = parseJson(text);
  if (typeof answer !== 'object' || answer === null) return '';
  const fields = Object.fromEntries(Object.entries(answer)) as Record<string, unknown>;
  const names = ['error_description', 'detail', 'message', 'title', 'error', 'errorMessage'];
  const said = names.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '');
  if (typeof said !== 'string') return '';
  // What a refusal quotes may be a person. Nothing is cut before it is masked, or the beginning of a secret would be left.
  return `, saying ${quote(maskAddresses(redact(said)), reasonLength)}`;
}

function adviceFor(status: number): string {
  if (status === 401) return 'Check the credentials of this source.';
  if (status === 403) return 'Its credentials may not read this: give them the right to, or use others.';
  if (status === 404 || status === 405 || status === 410) return 'Check its address.';
  if (status === 202) return 'It is not ready yet: try again later.';
  if (status === 206) return 'That is only a part of it.';
  if (status === 413) return 'Ask for less: fewer fields, or a smaller page.';
  return 'Check its address and settings.';
}
