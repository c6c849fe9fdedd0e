// Checks the URL of an HTTP source, and shows it without its query.
import { InputError } from '../../core/errors.ts';
import { isLoopback } from '../../core/host/loopback.ts';
import { shownText } from '../../core/text/quote.ts';

/**
 * Reads an address that credentials or people will pass through. Throws an `InputError` that names the setting and
 * shows neither query nor credentials: for what is no address, for `http` beyond this machine, and for a user name or
 * password in it.
 */
export function parseSourceUrl(text: string, setting: string): URL {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new InputError(`${setting} is not an address like https://host/path.`);
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new InputError(`${setting} holds a user name or password before an @: give them with auth instead.`);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new InputError(
      `${setting} begins with http://, which would send people and secrets unprotected: use https:// for ${url.host}.`,
    );
  }
  url.hash = '';
  return url;
}

/** As much of an address as is shown; a server may name one of any length. */
const longestShown = 200;

/** An address as it may be shown: without its query, which may hold secrets. */
export function showUrl(url: URL): string {
  return shownText(`${url.host}${url.pathname}`, longestShown);
}
