// Parses times, rates, sizes and numbers as people write them.
import { z } from 'zod';
import { Secret } from '../secrets/secret.ts';
import { encodeHint, readSecretUrl } from '../secrets/secret-parts.ts';
import type { RateWindow } from '../pace/pacing.ts';

declare module 'zod' {
  interface GlobalMeta {
    /** How the value is written, for the reference. */
    form?: string;
    /** Never shown: not at all (of a `part` of its texts, others may know them), or (`address`) without user name and password. */
    secret?: 'all' | 'part' | 'address';
    /** A short environment variable in addition to the long one. */
    variable?: string;
    /** A file or folder: relative to the config file, or where the command was started. */
    isPath?: true;
  }
}

/** The longest time a timer can wait: 2^31 - 1 ms, some 24 days. */
const longest = 2_147_483_647;
const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `250ms`, `30s`, `5m`, `12h`, `1d`, or a plain number of milliseconds; undefined when it is none of these. */
function parseDuration(value: string | number): number | undefined {
  const [, number, unit = 'ms'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(String(value).trim()) ?? [];
  const duration = Math.round(Number(number) * (units[unit] ?? Number.NaN));
  return duration >= 1 && duration <= longest ? duration : undefined;
}

/** `200` is 200 calls a second, `300/1m` (or `300/m`) is 300 a minute; undefined when it is none. */
export function parseRate(value: string | number): RateWindow | undefined {
  const [, number, per = '1s'] = /^(\d+)(?:\/(\w+(?:\.\w+)?))?$/.exec(String(value).trim()) ?? [];
  const limit = parseCount(number ?? '', 1, mostCalls);
  const perMs = parseDuration(/^\d/.test(per) ? per : `1${per}`);
  return limit === undefined || perMs === undefined ? undefined : { limit, perMs };
}

/** More than any service allows: a larger number is a typing error. */
const mostCalls = 100_000;

function parseCount(value: string | number, least: number, most: number): number | undefined {
  const number = typeof value === 'number' ? value : /^\d+$/.test(value.trim()) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) && number >= least && number <= most ? number : undefined;
}

/** A schema for a value that is written as text or as a number, and read by `parse`; `form` says what it must be. */
function written<T>(form: string, parse: (value: string | number) => T | undefined) {
  return z.union([z.string(), z.number()], { error: `must be ${form}` }).transform((value, context) => {
    const parsed = parse(value);
    if (parsed !== undefined) return parsed;
    context.addIssue({ code: 'custom', message: `must be ${form}` });
    return z.NEVER;
  });
}

const sizes: Record<string, number> = { b: 1, kb: 1000, mb: 1000 ** 2, gb: 1000 ** 3, tb: 1000 ** 4 };

/** Reads `500MB`, `2GB` (powers of 1000), or a plain number of bytes; undefined when it is none of these. */
function parseSize(value: string | number): number | undefined {
  const [, number, unit = 'b'] = /^(\d+(?:\.\d+)?)\s*([kmgt]?b)?$/i.exec(String(value).trim()) ?? [];
  const bytes = Math.round(Number(number) * (sizes[unit.toLowerCase()] ?? Number.NaN));
  return Number.isSafeInteger(bytes) && bytes >= 1 ? bytes : undefined;
}

/** A number of bytes. Like each schema of a value, it says for the reference how it is written. */
export const size = () => written('a size like 500MB or 2GB', parseSize).meta({ form: 'size' });

/** A length of time, in ms once read. */
export const duration = () => written('a time like 250ms, 30s, 5m or 12h', parseDuration).meta({ form: 'time' });

/** Reads `30d`, `2y` (of 365 days), or `forever` as `Infinity`, in ms; undefined when it is none of these. */
function parseKeeping(value: string | number): number | undefined {
  if (value === 'forever') return Infinity;
  const [, number, unit = ''] = /^(\d{1,4})([dy])$/.exec(String(value).trim()) ?? [];
  const days = Number(number) * (unit === 'y' ? 365 : 1);
  return days >= 1 && days <= 36_500 ? days * 86_400_000 : undefined;
}

/** The time something is kept, in ms once read; `Infinity` for ever. */
export const keeping = () =>
  written('a number of days like 30d, of years like 2y, or forever', parseKeeping).meta({ form: 'days or years' });

export const rate = () => written('a rate like 200 (a second) or 300/1m', parseRate).meta({ form: 'rate' });

/** A whole number within bounds, both included. */
export const count = (least: number, most = mostCalls) =>
  written(`a whole number from ${least} to ${most}`, (value) => parseCount(value, least, most)).meta({
    form: 'whole number',
  });

/** `true` or `false`, also as text, since environment variables have nothing else. */
export const choice = () =>
  z
    .union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })
    .transform((value) => value === true || value === 'true')
    .meta({ form: 'true or false' });

/** Any text, as it is given: blanks at its ends may be meant. */
export const anyText = () => z.string({ error: 'must be text; put it in quotes' }).meta({ form: 'text' });

export const separator = () => anyText().min(1, { error: 'must not be empty' });

/** A text that is not blank, up to a number of characters. */
export const textUpTo = (most: number) =>
  anyText()
    .trim()
    .min(1, { error: 'must not be empty; leave it out instead' })
    .max(most, { error: `must not have more than ${most} characters` });

export const text = () => textUpTo(10_000);

export const column = () => text().meta({ form: 'column' });

export const address = () => text().meta({ form: 'address' });

export const filePath = () => text().meta({ form: 'path', isPath: true });

export const wordOf = <const Words extends readonly string[]>(words: Words) => {
  const form = words.length > 2 ? `one of ${words.join(', ')}` : words.join(' or ');
  return z.enum(words, { error: `must be ${form}` }).meta({ form });
};

/** A list that is not empty; `what` names its items. */
export const list = <Item extends z.ZodType>(item: Item, what: string) =>
  z
    .array(item, { error: `must be a list of ${what}` })
    .min(1, { error: 'must not be empty; leave it out instead' })
    .meta({ form: `list of ${what}` });

/** A text that must never be shown. Kept as given: blanks may belong to a password. */
export const secretText = () =>
  anyText()
    .min(1, { error: 'must not be empty; leave it out instead' })
    .transform((value) => new Secret(value))
    .meta({ form: 'text', secret: 'all' });

/** An address that holds a password: `schemes` are those allowed, without the colon. */
export const secretUrl = (schemes: readonly string[]) => {
  const form = `must be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  return z
    .string({ error: form })
    .trim()
    .refine((value) => schemes.some((scheme) => value.toLowerCase().startsWith(`${scheme}:`)), {
      error: form,
      abort: true,
    })
    .refine((value) => readSecretUrl(value) !== undefined, { error: `cannot be read as an address: ${encodeHint}` })
    .transform((value) => new Secret(wellFormed(value)))
    .meta({ form: 'address' });
};

/** As it was written, unless a driver could not decode its user or password. */
function wellFormed(text: string): string {
  const { href = text, username, password } = readSecretUrl(text) ?? {};
  const written = new URL(text);
  return written.username === username && written.password === password ? text : href;
}

/** The address of an HTTP service. What else it must be, `src/service` says; a password in it is refused here. */
export const webAddress = () =>
  address()
    .refine((value) => !value.includes('@'), {
      error: 'must not hold a user name or password; set service.token, or service.username and service.password',
    })
    .refine((value) => /^https?:\/\//i.test(value) && URL.canParse(value), {
      error: 'must be an address like https://service.example',
    });

/** Refuses a value that does not have exactly one of the given keys. */
export const oneOf =
  <Key extends string>(keys: readonly Key[], message: string) =>
  (value: Partial<Record<Key, unknown>>, context: z.RefinementCtx): void => {
    if (keys.filter((key) => value[key] !== undefined).length !== 1) context.addIssue({ code: 'custom', message });
  };
