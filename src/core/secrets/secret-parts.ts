// Tells which parts of a header or URL are secret, and reads user and password as people write them.
import { attempt } from '../attempt.ts';
import { Secret } from './secret.ts';

/** Headers that hold no secret: what they say are words of messages too. */
const openHeaders = new Set([
  ...['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'cache-control', 'connection', 'content-type'],
  ...['from', 'host', 'origin', 'prefer', 'referer', 'user-agent', 'x-requested-with'],
]);
/** A part that is shorter is rather a word (`json`, the name of a company) than a secret. */
const shortestPart = 8;

/** All of it, and what may turn up alone: `Bearer X`: X; `Token token="X", id=Y`: X and Y. */
export function secretsOfHeader(name: string, value: Secret): Secret[] {
  if (openHeaders.has(name.toLowerCase())) return [];
  const whole = value.reveal().trim();
  const blank = whole.search(/\s/);
  const scheme = blank === -1 ? '' : whole.slice(blank + 1).trim();
  const parameters = scheme.split(/[,;\s]/).map((part) => part.slice(part.indexOf('=') + 1).replaceAll('"', ''));
  return secretTexts([whole, scheme, ...parameters]);
}

/** What of an address can be secret: the password, alone and with the user name, and each value of the query. */
export function secretsOfUrl(text: string): Secret[] {
  if (!URL.canParse(text)) return [];
  const { username, password, searchParams } = new URL(text);
  const pair = password === '' ? [] : [decoded(password), `${decoded(username)}:${decoded(password)}`];
  // A short text may still be a password, and here it is one.
  return [...pair.map((part) => new Secret(part)), ...secretTexts([...searchParams.values()])];
}

/** The same, and the path: of an address that is itself a secret, such as an incoming webhook. */
export function secretsOfSecretUrl(text: string): Secret[] {
  if (!URL.canParse(text)) return [];
  const { pathname, search } = new URL(text);
  const longest = pathname.split('/').toSorted((a, b) => b.length - a.length)[0] ?? '';
  return [...secretsOfUrl(text), ...secretTexts([text, pathname + search, pathname, longest])];
}

/** Whether a text among others, such as names of fields, may be a key: hardly any has no digit. */
export const mayBeKey = (text: string): boolean => text.length >= shortestPart && /\d/.test(text);

export function secretTexts(texts: readonly string[]): Secret[] {
  return texts.filter(({ length }) => length >= shortestPart).map((text) => new Secret(text));
}

/** A part of an address as it was meant: what is not well-formed, such as a `%` alone, is taken as it is written. */
export const decoded = (part: string): string => attempt(() => decodeURIComponent(part)) ?? part;

/**
 * An address that can be read in one way only, with a `%` alone in user or password encoded. Undefined if it cannot be
 * read, or an `@` stands anywhere but between password and host: `redis://:Head@Tail/x@host` would be asked of `Tail`.
 * Without a user, an `@` may be part of the path of a web address.
 */
export function readSecretUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null) return undefined;
  const isWeb = /^https?:$/.test(url.protocol);
  const hasUser = url.username !== '' || url.password !== '';
  const signs = text.split('@').length - 1;
  if (hasUser ? signs > 1 : signs > 0 && !isWeb) return undefined;
  url.username = encoded(url.username);
  url.password = encoded(url.password);
  return url;
}

/** A part that every driver can decode: what is not well-formed stands for itself. */
function encoded(part: string): string {
  const tidy = part.replaceAll(/%(?![\da-f]{2})/gi, '%25');
  return decoded(tidy) === tidy ? tidy.replaceAll('%', '%25') : tidy;
}

/** What to do about an address that cannot be read so. */
export const encodeHint = 'write an @ in user or password as %40, a / as %2F, a ? as %3F, a # as %23';
