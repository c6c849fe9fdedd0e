// Verifies signatures, tokens and secret addresses, in constant time.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../secrets/secret.ts';
import { headerOf, type Received, type Refusal, type SignatureScheme } from './scheme.ts';

/** No header has more signatures than this; a sender in the middle of a rotation has two. */
const mostSignatures = 20;

/**
 * Checks a signature over the bytes as they came, with every key there is, in a time that does not depend on what is
 * right about it. Returns why it is not believed, if it is not.
 * @param now decides whether the time of sending is within the tolerance
 */
export function verifySignature(
  scheme: SignatureScheme,
  received: Received,
  secrets: readonly Secret[],
  now: Date,
): Refusal | undefined {
  const header = headerOf(received, scheme.header);
  const timestamp = scheme.timestamp === undefined ? '' : headerOf(received, scheme.timestamp);
  const id = scheme.id === undefined ? '' : headerOf(received, scheme.id);
  if (header === undefined || timestamp === undefined || id === undefined) return 'missing';
  const given = signaturesIn(header, scheme);
  if (given.length === 0) return 'missing';
  const parts = partsOf(scheme.signed, { timestamp, id, body: received.body });
  let matches = false;
  for (const secret of secrets) {
    const expected = sign(scheme, secret, parts);
    // Every one of them: stopping at the first that matches would tell which it was.
    for (const signature of given) matches = isSame(signature, expected) || matches;
  }
  if (!matches) return 'wrong';
  return scheme.timestamp === undefined || isInTime(timestamp, scheme.toleranceMs, now) ? undefined : 'late';
}

export function verifyBearer(received: Received, secrets: readonly Secret[]): Refusal | undefined {
  const [, token] = /^bearer +(\S+)$/i.exec(headerOf(received, 'authorization') ?? '') ?? [];
  return token === undefined ? 'missing' : matchesOne(token, secrets);
}

export function verifyPath({ pathSecret }: Received, secrets: readonly Secret[]): Refusal | undefined {
  return pathSecret === undefined ? 'missing' : matchesOne(pathSecret, secrets);
}

function matchesOne(given: string, secrets: readonly Secret[]): Refusal | undefined {
  let matches = false;
  for (const secret of secrets) matches = isSame(given, secret.reveal()) || matches;
  return matches ? undefined : 'wrong';
}

function signaturesIn(header: string, { prefix, separator, encoding }: SignatureScheme): string[] {
  const texts = separator === undefined ? [header] : header.split(separator, mostSignatures);
  return texts.flatMap((text) => {
    const signature = text.trim();
    return signature.startsWith(prefix) ? [normalise(signature.slice(prefix.length).trim(), encoding)] : [];
  });
}

/** Hexadecimal digits in any case, and Base64 with or without its padding, are the same signature. */
function normalise(signature: string, encoding: SignatureScheme['encoding']): string {
  return encoding === 'hex' ? signature.toLowerCase() : signature.replace(/={1,2}$/, '');
}

function sign({ algorithm, encoding, key }: SignatureScheme, secret: Secret, parts: (string | Uint8Array)[]): string {
  const text = secret.reveal();
  const hmac = createHmac(algorithm, key === 'base64' ? Buffer.from(text, 'base64') : text);
  for (const part of parts) hmac.update(part);
  return normalise(hmac.digest(encoding), encoding);
}

function partsOf(signed: string, values: { timestamp: string; id: string; body: Uint8Array }): (string | Uint8Array)[] {
  return signed.split(/\{(body|timestamp|id)\}/).map((piece, at) => {
    return at % 2 === 0 ? piece : values[piece as keyof typeof values];
  });
}

/** Compares digests, so that neither the place of the first difference nor the lengths show in the time it takes. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function isInTime(timestamp: string, toleranceMs: number | undefined, now: Date): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  return toleranceMs === undefined || Math.abs(now.getTime() - Number(timestamp) * 1000) <= toleranceMs;
}
