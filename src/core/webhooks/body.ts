// Parses the body of a webhook, JSON or a form, and recognises test calls and verification tokens.
import { isDeeper } from '../rows/flatten.ts';
import { isRecord } from '../rows/path.ts';

export type BodyForm = 'json' | 'form';

/** Nobody needs more fields or deeper ones; a body that has them is not read. */
const mostFields = 20_000;
const deepest = 10;

/** Undefined if not what they are said to be, or too deep. Each part of `data[x][0]` is a key of an object. */
export function readBody(bytes: Uint8Array, form: BodyForm): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (form === 'json') return isDeeper(text) ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
  return readForm(text);
}

type Fields = Map<string, string | Fields>;

function readForm(text: string): unknown {
  const fields: Fields = new Map();
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1;
    const path = pathOf(name);
    if (count > mostFields || path.length > deepest) return undefined;
    put(fields, path, value);
  }
  return count === 0 ? undefined : asObject(fields);
}

/** `data[changedFields][0]` is `data`, `changedFields`, `0`. */
function pathOf(name: string): string[] {
  const [, first, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  return first === undefined ? [name] : [first, ...Array.from(rest.matchAll(/\[([^[\]]*)\]/g), ([, key]) => key ?? '')];
}

function put(fields: Fields, [key = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) {
    fields.set(key, value);
    return;
  }
  const inner = fields.get(key);
  const below: Fields = inner instanceof Map ? inner : new Map();
  fields.set(key, below);
  put(below, rest, value);
}

/** Objects made of entries have only keys of their own, whatever those are called. */
function asObject(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Array.from(fields, ([key, value]) => [key, typeof value === 'string' ? value : asObject(value)]),
  );
}

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
