// Tells which parts of a header or URL are secret.
import { Secret } from './secret.ts';
import { decoded } from './url-parts.ts';

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

export function secretTexts(texts: readonly string[]): Secret[] {
  return texts.filter(({ length }) => length >= shortestPart).map((text) => new Secret(text));
}
