// Checks the settings of the service: its base URL, and its token, which comes from one of three places.
import { readFile } from 'node:fs/promises';
import { refusal } from '../core/errors.ts';
import { isLoopback } from '../core/host/this-machine.ts';
import { trimSign } from '../core/text/trim-end.ts';
import { Secret } from '../core/secrets/secret.ts';

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
  if (given === '') throw refusal('emptyBaseUrl', {});
  // Anywhere: a password with an unescaped slash ends up in what reads as the path.
  if (given.includes('@')) throw refusal('credentialsInBaseUrl', {});
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) throw refusal('unreadableBaseUrl', {});
  const url = new URL(given);
  url.hostname = url.hostname.replace(/\.$/, '');
  if (/[?#]/.test(given)) throw refusal('longBaseUrl', { host: url.host });
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw refusal('unencryptedBaseUrl', { host: url.host });
  url.pathname = trimSign(url.pathname, '/');
  if (/\/v1\/(?:groups\/insert|logs\/story-question-analysis)$/i.test(url.pathname))
    throw refusal('operationInBaseUrl', { host: url.host });
  return { url, address: url.href.replace(/\/$/, '') };
}

/** The three ways to name the token, of which exactly one is used. */
export interface CredentialSettings {
  /** The ready-made Base64 token; a pasted `Basic ` before it is taken off. */
  token?: Secret;
  username?: string;
  password?: Secret;
  /** A file with the token, read at start and again after a 401. */
  tokenFile?: string;
}

export interface Credentials {
  /** The setting that it comes from, for messages: `service.token`, ... */
  readonly setting: string;
  readonly token: Secret;
  /**
   * To be called after a 401 to `refused`. True when another token is in use now: the file, read again,
   * held another one, or somebody else has renewed it since. Never throws: a file that cannot be read, or
   * holds no token, renews nothing.
   */
  renew(refused: Secret): Promise<boolean>;
}

/** Reads the token. Throws InputError, never showing a secret, when it is missing, given twice, or cannot be a token. */
export async function readCredentials(settings: CredentialSettings): Promise<Credentials> {
  const { token, username, password, tokenFile } = settings;
  const ways = [token, username ?? password, tokenFile].filter((way) => way !== undefined);
  if (ways.length === 0) throw refusal('noToken', {});
  if (ways.length > 1) throw refusal('tokenTwice', {});
  if (tokenFile !== undefined) return fromFile(tokenFile, await readToken(tokenFile));
  if (token !== undefined) return fixed('service.token', checkToken(token.reveal(), 'service.token'));
  return fixed('service.username and service.password', encode(username, password));
}

function fixed(setting: string, token: Secret): Credentials {
  return { setting, token, renew: (refused) => Promise.resolve(refused.reveal() !== token.reveal()) };
}

function fromFile(file: string, first: Secret): Credentials {
  let current = first;
  let reading: Promise<void> | undefined;
  const readAgain = async (): Promise<void> => {
    try {
      current = await readToken(file);
    } catch {
      // The refusal is what the person is told; it names the setting, and so the file.
    } finally {
      reading = undefined;
    }
  };
  return {
    setting: `service.tokenFile ${file}`,
    get token() {
      return current;
    },
    async renew(refused) {
      if (current.reveal() === refused.reveal()) await (reading ??= readAgain());
      return current.reveal() !== refused.reveal();
    },
  };
}

async function readToken(file: string): Promise<Secret> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw refusal('unreadableTokenFile', { file, code }, { cause: error });
  }
  return checkToken(text, `service.tokenFile ${file}`);
}

/** RFC 7235's token68, which is wider than Base64 and holds nothing that could break out of a header. */
const token68 = /^[A-Za-z0-9\-._~+/]+=*$/;

function checkToken(text: string, setting: string): Secret {
  const token = text
    .replace(/^\uFEFF/, '')
    .trim()
    .replace(/^Basic(?:\s+|$)/i, '');
  if (token === '') throw refusal('emptyToken', { setting });
  if (token.includes(':')) throw refusal('passwordAsToken', { setting });
  if (!token68.test(token)) throw refusal('noBase64Token', { setting });
  return new Secret(token);
}

function encode(username: string | undefined, password: Secret | undefined): Secret {
  if (username === undefined || username === '') throw refusal('passwordAlone', {});
  if (password === undefined) throw refusal('usernameAlone', {});
  if (username.includes(':')) throw refusal('colonInUsername', {});
  const pair = `${username}:${password.reveal()}`;
  // RFC 7617, section 2: neither part may hold control characters; mostly a line end that was pasted along.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(pair)) throw refusal('controlInPassword', {});
  return new Secret(Buffer.from(pair, 'utf8').toString('base64'));
}
