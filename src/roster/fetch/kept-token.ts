// Keeps the newest refresh token of a source in a file of its own, encrypted with the one that is set.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { HttpAuth } from '../source-location.ts';
import { fileNameOf } from '../../core/rows/source-name.ts';
import { Secret } from '../../core/secrets/secret.ts';

const ivBytes = 12;
const tagBytes = 16;

/** A refresh token, which its server may replace at each use. */
export interface KeptToken {
  /** The newest one; the one that is set where the server never replaced that. */
  read(): Promise<Secret>;
  /** Has been written to the disk, whole, when this returns. */
  write(token: Secret): Promise<void>;
}

/**
 * For its owner only, AES-256-GCM. The key comes from the refresh token that is set, with source, server and client.
 */
export function keptToken(
  dataDir: string,
  source: string,
  { tokenUrl, clientId }: NonNullable<HttpAuth['oauth2']>,
  set: Secret,
): KeptToken {
  const path = join(dataDir, 'sign-ins', `${fileNameOf(source)}.sealed`);
  const use = JSON.stringify(['roster-sync refresh token', 1, source, tokenUrl, clientId]);
  const key = Buffer.from(hkdfSync('sha256', set.reveal(), '', use, 32));
  return {
    async read() {
      const sealed = await readFile(path).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
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
    async write(token) {
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
