// Sends the requests of an HTTP source: authentication, retries, redirects, limits.
import { refusal, codeOf, InputError } from '../../core/errors.ts';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { defined } from '../../core/defined.ts';
import type { HttpSource, SourceDeps } from '../roster-file.ts';
import { shownText } from '../../core/text/format.ts';
import { type Redact, redactorOf, type Secret } from '../../core/secrets/secret.ts';
import { openConnections, type Connections } from '../../http/connections.ts';
import { sayBytes } from '../files/limits.ts';
import { type BearerTokens, bearerTokens } from './bearer-tokens.ts';
import { fixedHeaders, secretsOfHttp } from './credentials.ts';
import {
  decompressed,
  flat,
  type SourceRequest,
  type SourceResponse,
  parseSourceUrl,
  showUrl,
  refuseUnlessGood,
  rateWait,
} from './http-message.ts';
import { couldNot, IdleTimer, PassingTrouble, type Tries, triesOf, tryAgain } from './tries.ts';
import { signatureOf } from './request-signature.ts';

/** The same time as in undici; a connection that is not made by then fails. */
const longestConnectMs = 10_000;
/** Pages side by side, and one more for a token. */
const connections = 6;
const mostRedirects = 3;
/** An answer that is read whole, such as a page of some 50,000 people, has no more bytes. */
const answerBytes = 64 * 1024 ** 2;

/**
 * Speaks HTTP with the server of one source: authentication, retries with back-off, redirects on the same server,
 * limits of time and size. Credentials go to the source's own server only, and to the one that gives tokens.
 * No secret is in what it throws, not even where a server echoes one.
 */
export class HttpClient {
  readonly url: URL;
  readonly #source: HttpSource;
  readonly #deps: SourceDeps;
  readonly #pools = new Map<string, Connections>();
  readonly #secrets: Secret[];
  readonly #tries: Tries;
  readonly #fixed: Record<string, string>;
  readonly #tokens: BearerTokens;
  #bytes = 0;
  /** Until when the server wants no more requests, ms since 1970. */
  #restUntil = 0;

  /** Throws an `InputError` for an address or a header that cannot be used. Connects when first asked. */
  constructor(source: HttpSource, deps: SourceDeps) {
    const { query = {} } = source;
    this.#source = source;
    this.#deps = deps;
    this.url = parseSourceUrl(source.url, `The url of ${deps.name}`);
    for (const [name, value] of Object.entries(query)) this.url.searchParams.append(name, value.reveal());
    this.#tokens = bearerTokens({
      deps,
      onSecret: (secret) => void this.#secrets.push(secret),
      ask: (request, use) =>
        this.#exchange(request, async (response) => {
          await this.#refuseUnlessGood(request, response);
          return use(response);
        }),
    });
    this.#secrets = [...secretsOfHttp(source), ...(deps.secrets ?? [])];
    this.#tries = triesOf(source, deps);
    this.#fixed = fixedHeaders(source, deps.name);
  }

  /** Tries again while trouble may pass. Throws an `InputError` else. */
  request<Result>(request: SourceRequest, use: (response: SourceResponse) => Promise<Result>): Promise<Result> {
    return tryAgain(this.#tries, this.#deps, this.#redact()(showUrl(request.url)), async () => {
      try {
        return await this.#authorized(request, use);
      } catch (error) {
        throw this.#clean(error, request.url);
      }
    });
  }

  /** Does a request and reads its whole body, of at most `most` bytes. */
  read(request: SourceRequest, most = answerBytes): Promise<Omit<SourceResponse, 'body'> & { body: Buffer }> {
    return this.request(request, async (response) => ({
      ...response,
      body: await this.wholeOf(response, request.url, most),
    }));
  }

  /** The whole body of an answer, of at most `most` bytes. */
  async wholeOf({ body }: SourceResponse, url: URL, most = answerBytes): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body) {
      size += chunk.length;
      if (size > most) throw refusal('largeAnswer', { name: this.#deps.name, url: showUrl(url), most: sayBytes(most) });
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  /** A URL that an answer names. Throws an `InputError` when it leads to another server: nothing is sent there. */
  follow(link: string, from: URL): URL {
    const url = URL.canParse(link, from) ? new URL(link, from) : undefined;
    if (!url) throw new InputError(`${this.#deps.name}: ${showUrl(from)} names a next page that is not an address.`);
    if (url.origin !== this.url.origin)
      throw refusal('otherServer', { name: this.#deps.name, from: showUrl(from), host: shownText(url.host) });
    return url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    // Requests still in flight are not needed.
    await Promise.all(pools.map(({ dispatcher }) => dispatcher.destroy()));
  }

  async #authorized<Result>(
    request: SourceRequest,
    use: (response: SourceResponse) => Promise<Result>,
  ): Promise<Result> {
    const { auth } = this.#source;
    const isRenewed = auth?.oauth2 !== undefined || auth?.signed !== undefined;
    const renewable = isRenewed && this.#tokens.hasOne();
    const headers = { ...this.#fixed, ...request.headers, ...(isRenewed ? await this.#tokens.headers(auth) : {}) };
    await this.#rest();
    const { url, method } = request;
    const signed = { url, method, headers, now: this.#deps.now().getTime(), id: randomUUID() };
    const signature = auth ? await signatureOf(auth, signed) : {};
    const refused = Symbol('refused');
    const result = await this.#exchange({ ...request, headers: { ...headers, ...signature } }, async (response) => {
      // A token may end before it said it would: a new one decides.
      if (response.status === 401 && renewable) return refused;
      if (this.#source.isRateKept) this.#noteRate(response);
      await this.#refuseUnlessGood(request, response);
      return use(response);
    });
    if (result !== refused) return result;
    this.#tokens.drop();
    return this.#authorized(request, use);
  }

  /** Waits while the server wants no more requests. */
  async #rest(): Promise<void> {
    const wait = this.#restUntil - this.#deps.now().getTime();
    if (wait <= 0) return;
    if (this.#restUntil > this.#tries.until)
      throw refusal('limitAfterDeadline', { name: this.#deps.name, host: this.url.host });
    this.#deps.onWait?.(`${this.url.host} has a limit that is used up`, wait);
    await this.#deps.wait(wait, this.#tries.signal);
  }

  #noteRate({ headers }: SourceResponse): void {
    const now = this.#deps.now().getTime();
    const wait = rateWait(headers, now);
    if (wait !== undefined) this.#restUntil = Math.max(this.#restUntil, now + wait);
  }

  async #exchange<Result>(request: SourceRequest, use: (response: SourceResponse) => Promise<Result>): Promise<Result> {
    let { url } = request;
    for (let redirects = 0; ; redirects++) {
      using idle = new IdleTimer(this.#source.timeout, this.#tries.signal);
      const { statusCode, headers, body } = await this.#dispatch(request, url, idle);
      // A body that is given up may say so again.
      body.on('error', () => {});
      const response = { status: statusCode, headers: flat(headers), body: this.#bodyOf(body, headers, url, idle) };
      if (statusCode < 300 || statusCode >= 400 || statusCode === 304) {
        return await use(response).finally(() => body.destroy());
      }
      body.destroy();
      url = this.#redirected(request, url, response, redirects);
    }
  }

  #dispatch(request: SourceRequest, url: URL, idle: IdleTimer): Promise<Dispatcher.ResponseData> {
    return this.#poolFor(url)
      .request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: request.method,
        headers: { 'user-agent': this.#deps.userAgent, 'accept-encoding': 'gzip', ...request.headers },
        body: request.body ?? null,
        signal: idle.signal,
      })
      .catch((error: unknown) => {
        throw this.#troubleOf(error, url, idle);
      });
  }

  #poolFor(url: URL): Dispatcher {
    const open = this.#pools.get(url.origin);
    if (open) return open.dispatcher;
    const { environment } = this.#deps;
    const pool = openConnections(url, { connections, connectTimeoutMs: longestConnectMs, environment });
    this.#pools.set(url.origin, pool);
    this.#secrets.push(...pool.secrets);
    return pool.dispatcher;
  }

  async *#bodyOf(
    body: Readable,
    headers: Dispatcher.ResponseData['headers'],
    url: URL,
    idle: IdleTimer,
  ): AsyncGenerator<Uint8Array> {
    const { maxBytes } = this.#source;
    const stream = decompressed(body, String(headers['content-encoding'] ?? 'identity'));
    try {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        idle.restart();
        this.#bytes += chunk.length;
        if (this.#bytes > maxBytes)
          throw refusal('largeSource', { name: this.#deps.name, url: showUrl(url), maxBytes: sayBytes(maxBytes) });
        yield chunk;
      }
    } catch (error) {
      throw error instanceof InputError ? error : this.#troubleOf(error, url, idle);
    }
  }

  #redirected(request: SourceRequest, from: URL, { status, headers }: SourceResponse, redirects: number): URL {
    const { name } = this.#deps;
    const location = headers['location'];
    const isKept = status === 307 || status === 308;
    if (location === undefined || !(isKept || ([301, 302, 303].includes(status) && request.method === 'GET')))
      throw refusal('redirectNowhere', { name, url: showUrl(from), status });
    if (redirects >= mostRedirects) throw refusal('manyRedirects', { name, url: showUrl(from), mostRedirects });
    const to = URL.canParse(location, from) ? new URL(location, from) : undefined;
    if (to?.origin === from.origin) return to;
    throw refusal('redirectElsewhere', { name, url: showUrl(from), host: to ? `, ${shownText(to.host)}` : '' });
  }

  #refuseUnlessGood(request: SourceRequest, response: SourceResponse): Promise<void> {
    const { name, now } = this.#deps;
    const { busyWhen } = this.#source;
    const redact: Redact = (text) => this.#redact()(text);
    return refuseUnlessGood(request, response, { name, now: now().getTime(), redact, ...defined({ busyWhen }) });
  }

  #troubleOf(error: unknown, url: URL, idle: IdleTimer): Error {
    if (!idle.signal.aborted) return couldNot(showUrl(url), error);
    return new PassingTrouble(`${showUrl(url)} was silent for ${this.#source.timeout / 1000} s`, { cause: error });
  }

  /** A token may have come since, or a proxy's password. */
  #redact(): Redact {
    return redactorOf(this.#secrets, [this.#deps.name]);
  }

  /** The error without any secret in it, or in what it was caused by. */
  #clean(error: unknown, url: URL): unknown {
    const redact = this.#redact();
    const cause = error instanceof Error ? error.cause : undefined;
    const options = { cause: cause instanceof Error ? new Error(redact(cause.message)) : undefined };
    if (error instanceof InputError)
      return new InputError(redact(error.message), { ...options, withoutWords: redact(error.withoutWords) });
    if (error instanceof PassingTrouble) {
      return new PassingTrouble(redact(error.message), { ...options, waitMs: error.waitMs });
    }
    if (error === this.#deps.signal?.reason || !(error instanceof Error) || 'exitCode' in error) return error;
    if (codeOf(error) === '') return error;
    return new PassingTrouble(redact(couldNot(showUrl(url), error).message), options);
  }
}
