// A folder for a moment.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFailure } from '../../core/host/this-machine.ts';

/**
 * Uses a folder that only this user may open, and removes it. Node 22 has no `mkdtempDisposable`.
 * @param what begins the sentence of the error where there can be none
 */
export async function inTemporaryFolder<T>(
  prefix: string,
  what: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), prefix)).catch((error: unknown) => {
    throw temporaryFailure(what, tmpdir(), error);
  });
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
