// Opens the embedded database (PGlite) behind pg's own pool.
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { endsWithin } from '../../../process/coalesce.ts';
import { codeOf } from '../../../core/errors.ts';
import { say } from '../../../core/words/say.ts';
import { unpack, writeFolder } from './template.ts';
import { DamagedDatabaseError, engineLimits, startEngine } from './embedded-engine.ts';
import { openEnginePool } from './engine-pool.ts';
import { longestWaitMs } from '../reconnect.ts';

/** The longest wait of closing for those who came before, ms. */
const closeGraceMs = 2000;

export type EmbeddedDatabase = Awaited<ReturnType<typeof openEmbedded>>;

/** What `openEmbedded` may be told; the defaults are right outside of tests. */
export interface EmbeddedOptions {
  /** The longest wait of a statement for the session, ms. */
  waitMs?: () => number;
  limits?: typeof engineLimits;
  /** What a new database is made of, see `emptyLedger`; else it is empty and has no tables. */
  template?: (() => Promise<Uint8Array | undefined>) | undefined;
}

/**
 * Opens (and where it is new, makes) the embedded database in a directory, or one in memory for `memory://`.
 * Only one process at a time may have it open: own the data directory first. Its one session
 * has UTC as its time zone, and no fsync: it survives a process that is killed, not a power cut. `COPY … FROM STDIN` and cursors are not for it.
 * @throws DamagedDatabaseError when its files cannot be read; StorageError when the disk is full, or it cannot be
 * opened for another reason
 */
export async function openEmbedded(dataDir: string, options: EmbeddedOptions = {}) {
  const limits = options.limits ?? engineLimits;
  const template = options.template ?? (() => Promise.resolve(undefined));
  const inMemory = dataDir === 'memory://';
  if (!inMemory) await ensureDatabase(dataDir, limits, template);
  const engine = await startEngine(dataDir, limits, inMemory ? await template() : undefined);
  const pool = openEnginePool(engine, options.waitMs ?? longestWaitMs);

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    const takeTurn = (): Promise<void> => pool.connect().then((client) => client.release());
    // It comes when everybody who came before is done.
    await endsWithin(closeGraceMs, takeTurn());
    await engine.close();
    // Whoever still waits behind a client that is out, or comes later, hears from the engine that it was closed.
    pool.options.max = Infinity;
    await takeTurn().catch(() => {});
  }
  return {
    pool,
    /** Ends the database; whoever asks later gets a StorageError. A client still out after two seconds is cut off. */
    close: (): Promise<void> => (closing ??= close()),
  };
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
async function ensureDatabase(
  dataDir: string,
  limits: typeof engineLimits,
  template: () => Promise<Uint8Array | undefined>,
): Promise<void> {
  const entries: string[] = await readdir(dataDir).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  if (entries.includes('PG_VERSION')) return;
  if (entries.length > 0) throw new DamagedDatabaseError(say('noPgVersion', 1, { dataDir }));
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
