// Fetches the bearer token of a source, and renews it when it ends.
import { parseJson } from '../../core/attempt.ts';
import { refusal, codeOf, InputError } from '../../core/errors.ts';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileNameOf } from '../../core/rows/source.ts';
import { Secret } from '../../core/secrets/secret.ts';
import type { SourceDeps, HttpAuth } from '../roster-file.ts';
import { type OAuth2, errorIn, readToken, refreshTokenIn, tokenRequest, signedTokenRequest } from './credentials.ts';
import {
  type SourceRequest,
  type SourceResponse,
  type TokenRequest,
  readSome,
  parseSourceUrl,
} from './http-message.ts';

/** The most that is read of an answer with a token. */
const tokenBytes = 64 * 1024;

export interface TokenParts {
  deps: SourceDeps;
  /** Hears each secret that comes, to hide it wherever a server echoes it. */
  onSecret(secret: Secret): void;
  /** Sends a request once; what the server refuses is an error. */
  ask<Result>(request: SourceRequest, use: (response: SourceResponse) => Promise<Result>): Promise<Result>;
}

type Token = ReturnType<typeof readToken>;

export type BearerTokens = ReturnType<typeof bearerTokens>;

export function bearerTokens({ deps, onSecret, ask }: TokenParts) {
  const { name, dataDir } = deps;
  let token: Token | undefined;
  let renewing: Promise<Token> | undefined;

  const send = (
    { url, headers, body }: TokenRequest,
    accept: readonly number[] = [],
  ): Promise<{ status: number; answer: unknown }> => {
    const target = parseSourceUrl(url, `The tokenUrl of ${name}`);
    return ask({ url: target, method: 'POST', headers, body, accept }, async (response) => ({
      status: response.status,
      answer: parseJson(await readSome(response.body, tokenBytes)),
    }));
  };
  /** A refresh token that replaces the one before is on the disk before this returns (RFC 6749, section 6). */
  const refreshed = async (oauth2: OAuth2, set: Secret, now: number): Promise<Token> => {
    if (dataDir === undefined) throw new Error('a refresh token without a data directory');
    const file = keptToken(dataDir, name, oauth2, set);
    for (let used = ''; ;) {
      const kept = await file.read();
      // Refused, and no other process has renewed it meanwhile.
      if (kept.reveal() === used) throw refusal('endedRefreshToken', { name });
      used = kept.reveal();
      onSecret(kept);
      const { status, answer } = await send(tokenRequest(oauth2, kept), [400, 401]);
      if (status === 200) {
        const found = readToken(answer, now);
        const next = refreshTokenIn(answer);
        if (next) onSecret(next);
        if (next && next.reveal() !== used) await file.write(next);
        return found;
      }
      const error = errorIn(answer);
      if (error === 'invalid_grant') continue;
      const why = error === undefined ? '' : ` (${error})`;
      throw new InputError(`${name}: the server that gives tokens answered ${status}${why}. Check auth.oauth2.`);
    }
  };
  const renewed = async ({ oauth2, signed }: HttpAuth, now: number): Promise<Token> => {
    if (oauth2?.refreshToken) return refreshed(oauth2, oauth2.refreshToken, now);
    if (!signed) return readToken((await send(tokenRequest(oauth2!))).answer, now);
    const { request, statement } = signedTokenRequest(signed, name, now, randomUUID());
    onSecret(statement);
    return readToken((await send(request)).answer, now);
  };
  return {
    /** Whether there is one. It may have ended. */
    hasOne: () => token !== undefined,
    /** The server refused it: the next request gets a new one. */
    drop() {
      token = undefined;
    },
    /** The header that carries it. Asks for a token if there is none, or it has ended. */
    async headers(auth: HttpAuth): Promise<Record<string, string>> {
      const now = deps.now().getTime();
      if (!token || token.until <= now) {
        // One at a time: a refresh token is good for one use.
        renewing ??= renewed(auth, now).finally(() => (renewing = undefined));
        token = await renewing;
        onSecret(token.token);
      }
      return { authorization: `Bearer ${token.token.reveal()}` };
    },
  };
}

const ivBytes = 12;
const tagBytes = 16;

/**
 * A refresh token, which its server may replace at each use: for its owner only, AES-256-GCM. The key comes from the one
 * that is set, with source, server and client.
 */
function keptToken(
  dataDir: string,
  source: string,
  { tokenUrl, clientId }: NonNullable<HttpAuth['oauth2']>,
  set: Secret,
) {
  const path = join(dataDir, 'sign-ins', `${fileNameOf(source)}.sealed`);
  const use = JSON.stringify(['roster-sync refresh token', 1, source, tokenUrl, clientId]);
  const key = Buffer.from(hkdfSync('sha256', set.reveal(), '', use, 32));
  return {
    /** The newest one; the one that is set where the server never replaced that. */
    async read(): Promise<Secret> {
      const sealed = await readFile(path).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return Buffer.alloc(0);
        throw error;
      });
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes });
        decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
        const text = Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]);
        return new Secret(text.toString('utf8'));
      } catch {
        return set;
      }
    },
    /** Has been written to the disk, whole, when this returns. */
    async write(token: Secret): Promise<void> {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
      const text = Buffer.concat([cipher.update(token.reveal(), 'utf8'), cipher.final()]);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const beside = `${path}.${randomUUID()}`;
      try {
        {
          await using file = await open(beside, 'wx', 0o600);
          await file.writeFile(Buffer.concat([iv, cipher.getAuthTag(), text]));
          await file.sync();
        }
        await rename(beside, path);
      } catch (error) {
        await rm(beside, { force: true });
        throw error;
      }
    },
  };
}
