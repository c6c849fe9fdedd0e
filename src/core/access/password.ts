// Passwords of accounts: what may be one, and what is kept of it.
import { scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { InputError } from '../errors.ts';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** OWASP's second choice for scrypt: 32 MiB and about 0.2 s of one core a try. */
const cost = { N: 2 ** 15, r: 8, p: 3 };
const keyBytes = 32;
export const saltBytes = 16;
const least = 12;
const most = 200;

/** Why a text may be no password: it is too short or too long. */
export function wrongPassword(text: string): string | undefined {
  const length = [...text.normalize('NFKC')].length;
  if (length < least) return `The password has ${length} characters; it needs at least ${least}.`;
  return length > most ? `The password has ${length} characters; it may have at most ${most}.` : undefined;
}

/** The same letters in another encoding are the same password. Throws an InputError when it is too short or too long. */
export function readPassword(text: string): string {
  const why = wrongPassword(text);
  if (why !== undefined) throw new InputError(why);
  return text.normalize('NFKC');
}

/** What is kept of a password: `scrypt$N$r$p$salt$key`, the last two in base64url. */
export async function hashPassword(password: string, salt: Buffer): Promise<string> {
  const { N, r, p } = cost;
  const key = await derive(password.normalize('NFKC'), salt, keyBytes, { ...cost, maxmem: 256 * N * r });
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** What is compared with where there is no account, so that it takes as long. */
export const dummyPassword = ['scrypt', cost.N, cost.r, cost.p, 'AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(43)].join('$');

export async function matchesPassword(password: string, kept: string): Promise<boolean> {
  const [kind, N = 0, r = 0, p = 0, salt = '', key = ''] = kept.split('$');
  if (kind !== 'scrypt') return false;
  const wanted = Buffer.from(key, 'base64url');
  const parameters = { N: Number(N), r: Number(r), p: Number(p), maxmem: 256 * Number(N) * Number(r) };
  const found = await derive(
    password.slice(0, 4 * most).normalize('NFKC'),
    Buffer.from(salt, 'base64url'),
    keyBytes,
    parameters,
  );
  return wanted.length === found.length && timingSafeEqual(wanted, found);
}
