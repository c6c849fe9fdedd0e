// The form of an API token, its scopes, and the hash that is kept of it.
import { createHash, timingSafeEqual } from 'node:crypto';

/** What a token of the API may do: `read` shows people and runs, `run` starts and steers runs, `approve` approves holds. */
export const scopes = ['read', 'run', 'approve'] as const;
/** What whoever uses the data directory may do: also give others access, which no token can. */
export const ownScopes = [...scopes, 'access'] as const;
export type Scope = (typeof ownScopes)[number];

/** What the token of an identity provider may do: push people to one source, and read what it pushed. */
export type ScimScope = `scim:${string}`;
export type TokenScope = (typeof scopes)[number] | ScimScope;
export const scimScope = (source: string): ScimScope => `scim:${source}`;

export interface TokenParts {
  /** Not secret: by it the ledger finds the token, and lists show it. 12 hexadecimal characters. */
  id: string;
  /** 256 bits of chance, base64url. */
  secret: string;
}

const idBytes = 6;
const secretBytes = 32;
export const tokenBytes = idBytes + secretBytes;

export function makeToken(random: Buffer): TokenParts {
  return { id: random.toString('hex', 0, idBytes), secret: random.toString('base64url', idBytes, tokenBytes) };
}

/** As a client sends it. The beginning lets scanners for leaked secrets find it. */
export function writeToken({ id, secret }: TokenParts): string {
  return `rstk_${id}_${secret}`;
}

/** The two parts of what a client sent; undefined for anything else. */
export function readToken(text: string): TokenParts | undefined {
  const [, id, secret] = /^rstk_([0-9a-f]{12})_([\w-]{43})$/.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** What is kept of a token. A fast hash is right: nobody guesses 256 bits. Hexadecimal. */
export function hashToken(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Whether a secret is the one of a hash, in a time that does not depend on either; `hash` is hexadecimal. */
export function matchesHash(secret: string, hash: string): boolean {
  const [one, other] = [Buffer.from(hashToken(secret), 'hex'), Buffer.from(hash, 'hex')];
  return one.length === other.length && timingSafeEqual(one, other);
}
