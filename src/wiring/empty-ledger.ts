// Where an empty embedded ledger comes from: its template, or a place where nobody keeps it.
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import type { Pool } from 'pg';
import { inTemporaryFolder } from '../ledger/directory/disk.ts';
import { openEmbedded } from '../ledger/database/embedded/embedded.ts';
import { type Effort, packFolder, asKept, keep, readKept } from '../ledger/database/embedded/template.ts';
import { temporaryFailure } from '../core/host/this-machine.ts';
import { engineVersion } from '../ledger/database/embedded/embedded-engine.ts';
import { migrationTexts } from '../ledger/database/migrations.ts';
import { openLedger } from '../ledger/ledger.ts';
import type { Logger } from '../process/logger.ts';
import { packageRoot } from '../process/version.ts';
import type { Releases } from '../process/shutdown.ts';

/** The other databases that `initdb` makes are two thirds of its files, and serve only to make more. */
const dropOthers = [
  "update pg_database set datistemplate = false where datname <> 'postgres'",
  'drop database template0',
  'drop database template1',
];
/** A rewritten table takes the least room. */
const rewriteAll = ['vacuum full', 'vacuum freeze analyze'];
/** After two checkpoints nothing that was written before is needed: one file of the log is left. */
const dropLog = ['set wal_recycle = off', 'select pg_switch_wal()', 'checkpoint', 'checkpoint'];

/** Makes an empty embedded ledger and packs it: takes about 5 s of processor time. */
async function makeTemplate(effort: Effort): Promise<Buffer> {
  return inTemporaryFolder('roster-sync-template-', 'An empty ledger', async (folder) => {
    const dataDir = join(folder, 'ledger');
    const making = await openEmbedded(dataDir);
    try {
      await prepare(making.pool);
      const statements = [...dropOthers, ...(effort === 'smallest' ? rewriteAll : []), ...dropLog];
      for (const statement of statements) await making.pool.query(statement);
    } finally {
      await making.close();
    }
    // The first start after a change of tables records what each later one needs to know of the catalogs.
    await (await openEmbedded(dataDir)).close();
    return packFolder(dataDir, effort);
  });
}

const name = 'empty-ledger.template';

/** Where the package has its template, next to the compiled program; a checkout has none. */
const packed: string = join(import.meta.dirname, '../..', name);

/** Where a template may be kept, the best place first; the second one serves where the package is read-only. */
const caches: string[] = [
  join(packageRoot(), 'node_modules', '.cache', 'roster-sync', name),
  join(homedir(), '.cache', 'roster-sync', name),
];

/** Of everything that decides what a template holds: its form, and the versions and tables that it is made of. */
export function keyOfTemplate(texts: readonly string[] = migrationTexts()): string {
  const parts = [1, engineVersion(), ...texts];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Makes the tables of the ledger, and takes out what is one ledger's own: its id and its secret key. */
async function prepare(pool: Pool): Promise<void> {
  await openLedger(pool, { worker: 'template', lossPolicy: { forMs: 0, onLoss: () => {} } });
  await pool.query('delete from ledger');
}

/**
 * An empty embedded ledger, packed, of which a new one is made in a tenth of a second: the package's, one that was kept, or
 * one made now and kept for the next time, which takes seconds. Undefined where none could be made; then PostgreSQL's own
 * `initdb` and the migrations do it, as slowly.
 * @param keptIn the files in which one may be kept, the best first
 */
export async function emptyLedger(log: Logger, keptIn: readonly string[] = caches): Promise<Buffer | undefined> {
  const key = keyOfTemplate();
  for (const file of [packed, ...keptIn]) {
    const kept = await readKept(file, key, file !== packed);
    if ('archive' in kept) return kept.archive;
    // Only damage is news to whoever runs it.
    log[kept.unfit === 'damaged' ? 'info' : 'debug'](
      { file, reason: kept.unfit },
      'a new template of an empty ledger is needed',
    );
  }
  log.debug('preparing a template of an empty ledger: this takes a few seconds, once');
  try {
    const archive = await makeTemplate('quick');
    await keepSomewhere(asKept(archive, key), keptIn, log);
    return archive;
  } catch (error) {
    log.warn({ cause: String(error) }, 'no template of an empty ledger can be made; starting without one');
    return undefined;
  }
}

async function keepSomewhere(kept: Buffer, places: readonly string[], log: Logger): Promise<void> {
  for (const file of places) {
    try {
      return await keep(file, kept);
    } catch (error) {
      log.debug({ file, cause: String(error) }, 'the template cannot be kept there');
    }
  }
}

async function makePacked(): Promise<void> {
  writeFileSync(packed, asKept(await makeTemplate('smallest'), keyOfTemplate()));
}

// Run by the build, so that the package brings one. Without a top-level await, which would keep tests from requiring this module.
if (import.meta.main) void makePacked();

/** Rows take five times as much in memory as in their file, or more. */
const mostInMemory = 8 * 1024 ** 2;

/** A place for a database that nobody keeps: in memory or, for a large roster, in a folder that is removed when it is closed. */
export async function temporaryLedger(rosterBytes: number, releases: Releases): Promise<string> {
  if (rosterBytes <= mostInMemory) return 'memory://';
  const folder = await mkdtemp(join(tmpdir(), 'roster-sync-dry-run-')).catch((error: unknown) => {
    throw temporaryFailure('What a dry run reads', tmpdir(), error);
  });
  releases.add(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'ledger');
}
