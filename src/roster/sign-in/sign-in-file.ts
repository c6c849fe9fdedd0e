// Keeps the refresh token of a source in a file of its own, encrypted.
import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SignInAuth } from '../../../config/fetch-schema.ts';
import { InputError } from '../../core/errors.ts';
import { fileNameOf } from '../../core/rows/source-name.ts';
import { Secret } from '../../core/secrets/secret.ts';

const ivBytes = 12;
const tagBytes = 16;

/** Where the sign-in of one source is kept. */
export interface SignInFile {
  /** The refresh token; undefined where nobody has signed in. Throws an `InputError` where the key does not open it. */
  read(): Promise<Secret | undefined>;
  /** Has been written to the disk, whole, when this returns. */
  write(token: Secret): Promise<void>;
}

/**
 * The file of a source, for its owner only: AES-256-GCM, and only for the same source, server and client.
 * @param dataDir the data directory
 * @param source the source's name
 */
export function signInFile(dataDir: string, source: string, auth: SignInAuth): SignInFile {
  const path = join(dataDir, 'sign-ins', `${fileNameOf(source)}.sealed`);
  const key = Buffer.from(auth.key.reveal(), 'base64');
  const bound = Buffer.from(JSON.stringify(['roster-sync sign-in', 1, source, auth.tokenUrl, auth.clientId]));
  return {
    async read() {
      const sealed = await readFile(path).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      });
      if (!sealed) return undefined;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes });
        decipher.setAAD(bound).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
        const text = Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]);
        return new Secret(text.toString('utf8'));
      } catch {
        throw new InputError(
          `${source}: its sign-in was made with another key, or for another server. Set auth.signIn as it was, or run \`roster-sync connect ${source}\`.`,
        );
      }
    },
    async write(token) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes }).setAAD(bound);
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
