// Posts a short HTTP request for a notification, and says what came back.
import { type ConnectionOptions, openConnections } from '../http/connections.ts';
import { decoded } from '../core/secrets/secret-parts.ts';
import { escapeText } from '../core/text/format.ts';

/** The result of an attempt to notify, in words without a secret. */
export interface Reply {
  ok: boolean;
  /** `HTTP 200: ok`, or what went wrong. */
  said: string;
}

/** A request that must not take long. */
export interface Post {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Gives up on it. */
  signal: AbortSignal;
  environment: ConnectionOptions['environment'];
}

const connectTimeoutMs = 5000;
/** What is read of an answer. */
const mostCharacters = 200;

/**
 * Posts, and says what came back. Never throws. Any 2xx is a success; a redirect is not followed, since what is posted may be
 * signed for one address only.
 */
export async function post({ url, headers, body, signal, environment }: Post): Promise<Reply> {
  const hide = hiding(url);
  try {
    const { dispatcher } = openConnections(url, { connections: 1, connectTimeoutMs, environment });
    try {
      const response = await dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { ...headers, ...authorization(url) },
        body,
        signal,
      });
      const text = hide(await beginningOf(response.body));
      const ok = response.statusCode >= 200 && response.statusCode < 300;
      return { ok, said: `HTTP ${response.statusCode} from ${url.host}${text === '' ? '' : `: ${text}`}` };
    } finally {
      await dispatcher.destroy();
    }
  } catch (error) {
    const why = signal.aborted ? 'no answer in time' : reasonOf(error);
    return { ok: false, said: hide(`${url.host}: ${why}`) };
  }
}

async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= mostCharacters) break;
    }
  } catch {
    // Its status is there already, and that decides.
  }
  return escapeText(text.slice(0, mostCharacters).trim());
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? escapeText(error.message || error.name) : 'failed';
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** The path of an incoming webhook is its secret. */
function hiding({ pathname, search, password, username }: URL): (text: string) => string {
  const secrets = [pathname + search, pathname, search, password, username].filter(({ length }) => length > 3);
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text);
}
