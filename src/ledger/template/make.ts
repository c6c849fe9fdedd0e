import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { openEmbedded } from '../embedded/embedded.ts';
import { packFolder } from './archive.ts';

/**
 * The other databases that `initdb` makes are two thirds of its files and serve only to make more; what is rewritten takes
 * the least room; and after two checkpoints nothing that was written before is needed, so that one file of the log is left.
 */
const shrink = [
  "update pg_database set datistemplate = false where datname <> 'postgres'",
  'drop database template0',
  'drop database template1',
  'vacuum full',
  'vacuum freeze analyze',
  'set wal_recycle = off',
  'select pg_switch_wal()',
  'checkpoint',
  'checkpoint',
];

/**
 * Makes an empty embedded ledger and packs it: takes about 5 s of processor time.
 * @param prepare makes the tables; nothing that must be unique to a ledger may be left in them
 */
export async function makeTemplate(prepare: (pool: Pool) => Promise<void>): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'roster-sync-template-'));
  const dataDir = join(folder, 'ledger');
  try {
    const making = await openEmbedded(dataDir);
    try {
      await prepare(making.pool);
      for (const statement of shrink) await making.pool.query(statement);
    } finally {
      await making.close();
    }
    // The first start after a change of tables writes down what each later one needs to know of the catalogs.
    await (await openEmbedded(dataDir)).close();
    return await packFolder(dataDir);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
