// Makes the files of a new embedded database, readable only by their owner.
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DamagedDatabaseError, howToRebuild, startEngine } from './embedded-engine.ts';
import type { EngineLimits } from './embedded-engine.ts';
import { unpack, writeFolder } from '../template/archive.ts';

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** PGlite makes its files readable by everybody whatever the umask: take that back once. */
async function makePrivate(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
}

/**
 * Makes sure that a directory holds an embedded database. A new one is made next to it, from the template if there is
 * one, and renamed, so that a process killed meanwhile leaves no half of one; and PGlite, which would write a new
 * database over one whose PG_VERSION is missing, never gets to.
 * @throws DamagedDatabaseError when there are files, but not those of a database
 */
export async function ensureDatabase(
  dataDir: string,
  limits: EngineLimits,
  template: () => Promise<Uint8Array | undefined>,
): Promise<void> {
  const entries = await entriesOf(dataDir);
  if (entries.includes('PG_VERSION')) return;
  if (entries.length > 0) {
    throw new DamagedDatabaseError(
      `the embedded database in ${dataDir} cannot be opened: its PG_VERSION is missing, other files are there. ` +
        howToRebuild,
    );
  }
  const making = `${dataDir}.new`;
  await rm(making, { recursive: true, force: true });
  await mkdir(dirname(dataDir), { recursive: true });
  const archive = await template();
  if (archive) writeFolder(unpack(archive), making);
  else {
    await (await startEngine(making, limits)).close();
    await makePrivate(making);
  }
  await rm(dataDir, { recursive: true, force: true });
  await rename(making, dataDir);
}
