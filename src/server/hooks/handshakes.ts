// Stores the verification tokens that a person must hand back to a system.
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from '../../core/errors.ts';
import { fileNameOf } from '../../core/rows/source.ts';
import type { Logger } from '../../process/logger.ts';

/** The most tokens to keep: before there is a secret, anybody can send one. */
const most = 20;

/**
 * Keeps a token: the right one becomes the secret. They are kept in a file that only its owner can read, never in a log, one
 * on a line after its time. It throws a StorageError when there is no place for it.
 * @param directory the data directory; without one nothing can be kept
 */
export function handshakesIn(directory: string | undefined, log: Logger) {
  return async (source: string, token: string, now: Date): Promise<void> => {
    if (directory === undefined) throw new StorageError('There is no data directory to keep the token in.');
    const folder = join(directory, 'handshakes');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${fileNameOf(source)}.txt`);
    const kept = await readFile(file, 'utf8').catch(() => '');
    if (kept.includes(` ${token}\n`)) return;
    if (kept.split('\n').length > most)
      throw new StorageError(`${file} is full of tokens: remove it, and ask for a new token.`);
    await appendFile(file, `${now.toISOString()} ${token}\n`, { mode: 0o600 });
    log.warn(
      { source, file },
      'a verification token arrived: return it as docs/webhook-systems.md says, then set it as the secret',
    );
  };
}
