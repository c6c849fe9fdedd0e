// Makes the template of an empty embedded ledger.
import { join } from 'node:path';
import type { Pool } from 'pg';
import { inTemporaryFolder } from '../../directory/temporary-folder.ts';
import { openEmbedded } from '../embedded/embedded.ts';
import { type Effort, packFolder } from './archive.ts';

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

/**
 * Makes an empty embedded ledger and packs it: takes about 5 s of processor time.
 * @param prepare makes the tables; nothing that must be unique to a ledger may be left in them
 */
export async function makeTemplate(prepare: (pool: Pool) => Promise<void>, effort: Effort): Promise<Buffer> {
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
