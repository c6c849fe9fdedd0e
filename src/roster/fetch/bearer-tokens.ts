// Fetches the bearer token of a source, and renews it when it ends.
import { randomUUID } from 'node:crypto';
import type { HttpAuth } from '../source-location.ts';
import { InputError } from '../../core/errors.ts';
import type { Secret } from '../../core/secrets/secret.ts';
import type { SourceDeps } from '../source-deps.ts';
import { errorIn, readToken, refreshTokenIn, tokenRequest, type OAuth2 } from './http-auth.ts';
import { parseJson, readSome, type SourceRequest, type SourceResponse, type TokenRequest } from './http-message.ts';
import { parseSourceUrl } from './http-url.ts';
import { signedTokenRequest } from './signed-token.ts';

/** The most that is read of an answer with a token. */
const tokenBytes = 64 * 1024;

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
      // One at a time: a refresh token is good for one use.
      this.#renewing ??= this.#renew(auth, now).finally(() => (this.#renewing = undefined));
      this.#token = await this.#renewing;
      this.#parts.onSecret(this.#token.token);
    }
    return { authorization: `Bearer ${this.#token.token.reveal()}` };
  }

  async #renew({ oauth2, signed }: HttpAuth, now: number): Promise<Token> {
    if (signed) {
      const { request, statement } = signedTokenRequest(signed, this.#parts.deps.name, now, randomUUID());
      this.#parts.onSecret(statement);
      return readToken((await this.#send(request)).answer, now);
    }
    if (oauth2?.refreshToken) return this.#refreshed(oauth2, oauth2.refreshToken, now);
    return readToken((await this.#send(tokenRequest(oauth2!))).answer, now);
  }

  /** A refresh token that replaces the one before is on the disk before this returns (RFC 6749, section 6). */
  async #refreshed(oauth2: OAuth2, set: Secret, now: number): Promise<Token> {
    const { deps, onSecret } = this.#parts;
    const { name, dataDir } = deps;
    if (dataDir === undefined) throw new Error('a refresh token without a data directory');
    const { keptToken } = await import('./kept-token.ts');
    const file = keptToken(dataDir, name, oauth2, set);
    for (let used = ''; ;) {
      const kept = await file.read();
      // Refused, and no other process has renewed it meanwhile.
      if (kept.reveal() === used) {
        throw new InputError(
          `${name}: its refresh token has ended or was revoked. Set a new one: auth.oauth2.refreshToken.`,
        );
      }
      used = kept.reveal();
      onSecret(kept);
      const { status, answer } = await this.#send(tokenRequest(oauth2, kept), [400, 401]);
      if (status === 200) {
        const token = readToken(answer, now);
        const next = refreshTokenIn(answer);
        if (next) onSecret(next);
        if (next && next.reveal() !== used) await file.write(next);
        return token;
      }
      const error = errorIn(answer);
      if (error === 'invalid_grant') continue;
      const why = error === undefined ? '' : ` (${error})`;
      throw new InputError(`${name}: the server that gives tokens answered ${status}${why}. Check auth.oauth2.`);
    }
  }

  #send(
    { url, headers, body }: TokenRequest,
    accept: readonly number[] = [],
  ): Promise<{ status: number; answer: unknown }> {
    const target = parseSourceUrl(url, `The tokenUrl of ${this.#parts.deps.name}`);
    return this.#parts.ask({ url: target, method: 'POST', headers, body, accept }, async (response) => ({
      status: response.status,
      answer: parseJson(await readSome(response.body, tokenBytes)),
    }));
  }
}
