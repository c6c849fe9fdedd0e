// Recognises the test calls and verification tokens that systems send before events.
import { isRecord } from '../rows/path.ts';

/** HiBob tests a connection with one of these bodies, and wants a 2xx (apidocs.hibob.com). */
export function isPingText(body: unknown): boolean {
  const text = isRecord(body) && Object.keys(body).length === 1 ? body['text'] : body;
  return text === 'Ping test';
}

/** Gusto sends `{"verification_token": "…"}` first (docs.gusto.com, "Webhooks"): the key of its signatures. */
export function verificationToken(body: unknown): string | undefined {
  if (!isRecord(body) || Object.keys(body).length !== 1) return undefined;
  const token = body['verification_token'];
  return typeof token === 'string' && /^[\w-]{16,200}$/.test(token) ? token : undefined;
}
