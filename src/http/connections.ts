// Opens HTTP connection pools, through the environment's proxy where it names one.
import { EnvHttpProxyAgent, Pool, type Dispatcher, fetch } from 'undici';
import { InputError } from '../core/errors.ts';
import { isLoopback } from '../core/host/this-machine.ts';
import { Secret } from '../core/secrets/secret.ts';
import { decoded, encodeHint, readSecretUrl } from '../core/secrets/secret-parts.ts';

/** How connections are made. Times are in ms. */
export interface ConnectionOptions {
  /** The most connections at a time; one call at a time on each. */
  connections: number;
  /** The longest that a connection, through a proxy or not, may take to be made. */
  connectTimeoutMs: number;
  /** Where proxies are named: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`; lower case wins, as with curl. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** Connections to one server, and the secrets that a proxy's URL brought along. */
export interface Connections {
  dispatcher: Dispatcher;
  secrets: Secret[];
}

/**
 * Idle connections are closed after this many ms, before the server does: Node and Apache keep them for 5 s.
 * A server that names a time (`Keep-Alive: timeout=60`) is taken at its word, less 2 s, up to the second number.
 */
const keepAlive = { keepAliveTimeout: 3_000, keepAliveTimeoutThreshold: 2_000, keepAliveMaxTimeout: 30_000 };

/**
 * Opens a pool of connections to a server (`url` says which), through the environment's proxy where it names one and
 * `NO_PROXY` does not except the host; never for loopback. Throws InputError when a proxy's URL cannot be used.
 */
export function openConnections(
  url: URL,
  { connections, connectTimeoutMs, environment }: ConnectionOptions,
): Connections {
  const options: Pool.Options = {
    ...keepAlive,
    connections,
    pipelining: 1,
    allowH2: false,
    connectTimeout: connectTimeoutMs,
    // Every call has a deadline of its own; these would be idle times only.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const httpProxy = proxyUrl(environment, 'http_proxy');
  const httpsProxy = proxyUrl(environment, 'https_proxy');
  if (isLoopback(url.hostname) || (httpProxy === undefined && httpsProxy === undefined)) {
    return { dispatcher: new Pool(url.origin, options), secrets: [] };
  }
  const dispatcher = new EnvHttpProxyAgent({
    ...options,
    // An empty text, unlike undefined, keeps undici from looking into process.env.
    httpProxy: httpProxy?.href ?? '',
    httpsProxy: httpsProxy?.href ?? '',
    noProxy: read(environment, 'no_proxy'),
    requestTls: { allowH2: false },
    // The connections to the proxy itself, which else would wait 300 s for its answer to CONNECT.
    clientFactory: (origin, given) => new Pool(origin, { ...given, headersTimeout: connectTimeoutMs }),
  });
  return {
    dispatcher,
    secrets: [httpProxy, httpsProxy].flatMap((proxy) => (proxy?.password ? [basicToken(proxy)] : [])),
  };
}

function read(environment: ConnectionOptions['environment'], name: string): string {
  return environment[name]?.trim() || environment[name.toUpperCase()]?.trim() || '';
}

function proxyUrl(environment: ConnectionOptions['environment'], name: string): URL | undefined {
  const text = read(environment, name);
  if (text === '') return undefined;
  const url = readSecretUrl(text.includes('://') ? text : `http://${text}`);
  if (url && /^https?:$/.test(url.protocol) && url.pathname + url.search + url.hash === '/') return url;
  throw new InputError(
    `${name.toUpperCase()} in the environment is not a usable proxy: write http://host:port, and ${encodeHint}.`,
  );
}

function basicToken(url: URL): Secret {
  const pair = `${decoded(url.username)}:${decoded(url.password)}`;
  return new Secret(Buffer.from(pair).toString('base64'));
}

/** Fetches as the web does, over connections to each server that is asked. */
export function openFetch(options: ConnectionOptions): (url: string, asked: object) => Promise<Response> {
  const servers = new Map<string, Dispatcher>();
  return async (url, asked) => {
    const { origin } = new URL(url);
    // A pool takes every request for one of its own server.
    const dispatcher = servers.get(origin) ?? openConnections(new URL(origin), options).dispatcher;
    servers.set(origin, dispatcher);
    // undici's own answer is the web's in all but its class.
    return await fetch(url, { ...asked, dispatcher });
  };
}
