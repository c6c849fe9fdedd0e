// Stores the verification tokens that a person must hand back to a system.
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from '../../core/errors.ts';
import { fileNameOf } from '../../core/rows/source.ts';
import type { Logger } from '../../process/logger.ts';

/** The most tokens to keep: before there is a secret, anybody can send one. */
const most = 20;

/** The right one becomes the secret. They are kept in a file that only its owner can read, never in a log. */
export class Handshakes {
  readonly #folder: string | undefined;
  readonly #log: Logger;
  /** @param directory the data directory; without one nothing can be kept */
  constructor(directory: string | undefined, log: Logger) {
    this.#folder = directory && join(directory, 'handshakes');
    this.#log = log;
  }

  /** One on a line after its time. Throws a StorageError when there is no place for it. */
  async keep(source: string, token: string, now: Date): Promise<void> {
    if (this.#folder === undefined) throw new StorageError('There is no data directory to keep the token in.');
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = join(this.#folder, `${fileNameOf(source)}.txt`);
    const kept = await readFile(file, 'utf8').catch(() => '');
    if (kept.includes(` ${token}\n`)) return;
    if (kept.split('\n').length > most)
      throw new StorageError(`${file} is full of tokens: remove it, and ask for a new token.`);
    await appendFile(file, `${now.toISOString()} ${token}\n`, { mode: 0o600 });
    this.#log.warn(
      { source, file },
      'a verification token arrived: return it as docs/webhook-systems.md says, then set it as the secret',
    );
  }
}
