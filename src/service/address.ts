// Checks and normalises the base URL of the service.
import { InputError } from '../core/errors.ts';
import { isLoopback } from '../core/host/this-machine.ts';
import { trimSign } from '../core/text/trim-end.ts';

/** Where a service is reached, and what it is known by. */
export interface BaseUrl {
  /** The base URL without a trailing slash in its path (a path of `/` means none). */
  url: URL;
  /** The service's identity: lower-case host, no default port, path prefix as given, no trailing slash. */
  address: string;
}

/**
 * Reads the base URL of a service. Throws InputError, naming what to change and never showing
 * credentials, when it is not `https` (plain `http` is allowed on loopback only) or holds credentials, a query,
 * a fragment, or one of the interface's own paths.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const given = text.trim();
  if (given === '') throw new InputError("The service's base URL is empty: set service.baseUrl.");
  // Anywhere: a password with an unescaped slash ends up in what reads as the path.
  if (given.includes('@')) {
    throw new InputError(
      "The service's base URL holds credentials before an @: take them out of service.baseUrl and set service.token, " +
        'or service.username and service.password.',
    );
  }
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) {
    throw new InputError(
      "The service's base URL (service.baseUrl) cannot be read: write it as https://host, with a path if it has one.",
    );
  }
  const url = new URL(given);
  url.hostname = url.hostname.replace(/\.$/, '');
  if (/[?#]/.test(given)) {
    throw new InputError(
      `The base URL of ${url.host} has a query or a fragment: end service.baseUrl before the ? or #.`,
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new InputError(
      `The base URL of ${url.host} begins with http://, which would send people and the token unprotected: use https://.`,
    );
  }
  url.pathname = trimSign(url.pathname, '/');
  if (/\/v1\/(?:groups\/insert|logs\/story-question-analysis)$/i.test(url.pathname)) {
    throw new InputError(`The base URL of ${url.host} names one operation: end service.baseUrl before /v1/.`);
  }
  return { url, address: url.href.replace(/\/$/, '') };
}
