// Fetches the bearer token of a source, and renews it when it ends.
import { randomUUID } from 'node:crypto';
import type { HttpAuth } from '../source-location.ts';
import type { SignInAuth } from '../../../config/fetch-schema.ts';
import type { Secret } from '../../core/secrets/secret.ts';
import type { SourceDeps } from '../source-deps.ts';
import { readToken, tokenRequest } from './http-auth.ts';
import { parseJson, readSome, type SourceRequest, type SourceResponse, type TokenRequest } from './http-message.ts';
import { parseSourceUrl } from './http-url.ts';
import { signedTokenRequest } from './signed-token.ts';

/** The most that is read of an answer with a token. */
const tokenBytes = 64 * 1024;

/** What fetching a token needs. */
export interface TokenParts {
  deps: SourceDeps;
  /** Hears each secret that comes, to hide it wherever a server echoes it. */
  onSecret(secret: Secret): void;
  /** Sends a request once; what the server refuses is an error. */
  ask<Result>(request: SourceRequest, use: (response: SourceResponse) => Promise<Result>): Promise<Result>;
}

/** A token, and when it ends, ms since 1970. */
interface Token {
  token: Secret;
  until: number;
}

/** The token of one source. */
export class BearerTokens {
  readonly #parts: TokenParts;
  #token: Token | undefined;
  #renewing: Promise<Token> | undefined;

  constructor(parts: TokenParts) {
    this.#parts = parts;
  }

  /** Whether there is one. It may have ended. */
  get hasOne(): boolean {
    return this.#token !== undefined;
  }

  /** The server refused it: the next request gets a new one. */
  drop(): void {
    this.#token = undefined;
  }

  /** The header that carries it. Asks for a token if there is none, or it has ended. */
  async headers(auth: HttpAuth): Promise<Record<string, string>> {
    const now = this.#parts.deps.now().getTime();
    if (!this.#token || this.#token.until <= now) {
      this.#token = auth.signIn ? await this.#renewed(auth.signIn, now) : await this.#fetched(auth, now);
      this.#parts.onSecret(this.#token.token);
    }
    return { authorization: `Bearer ${this.#token.token.reveal()}` };
  }

  #fetched(auth: HttpAuth, now: number): Promise<Token> {
    const { url, headers, body } = this.#tokenRequest(auth, now);
    const target = parseSourceUrl(url, `The tokenUrl of ${this.#parts.deps.name}`);
    return this.#parts.ask({ url: target, method: 'POST', headers, body }, async (response) =>
      readToken(parseJson(await readSome(response.body, tokenBytes)), now),
    );
  }

  #tokenRequest({ oauth2, signed }: HttpAuth, now: number): TokenRequest {
    if (!signed) return tokenRequest(oauth2!);
    const { request, statement } = signedTokenRequest(signed, this.#parts.deps.name, now, randomUUID());
    this.#parts.onSecret(statement);
    return request;
  }

  /** One token at a time: a refresh token is good for one use. */
  #renewed(auth: SignInAuth, now: number): Promise<Token> {
    this.#renewing ??= this.#renew(auth, now).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(auth: SignInAuth, now: number): Promise<Token> {
    const { deps, onSecret, ask } = this.#parts;
    const { name, dataDir } = deps;
    if (dataDir === undefined) throw new Error('a sign-in without a data directory');
    const [{ refreshed }, { signInFile }] = await Promise.all([
      import('../sign-in/refresh.ts'),
      import('../sign-in/sign-in-file.ts'),
    ]);
    const file = signInFile(dataDir, name, auth);
    const send = ({ url, headers, body }: TokenRequest): Promise<{ status: number; answer: unknown }> => {
      const target = parseSourceUrl(url, `The tokenUrl of ${name}`);
      const request: SourceRequest = { url: target, method: 'POST', headers, body, accept: [400, 401] };
      return ask(request, async (response) => ({
        status: response.status,
        answer: parseJson(await readSome(response.body, tokenBytes)),
      }));
    };
    return refreshed(auth, { name, now, file, send, onSecret });
  }
}
