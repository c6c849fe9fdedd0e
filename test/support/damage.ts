import { openSync, closeSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbedded } from '../../src/ledger/database/embedded/embedded.ts';
import { keepEmbeddedCode } from './embedded-code.ts';
import { letGoOfLedgers } from './open-ledgers.ts';

const pageBytes = 8192;

/** Runs statements on the ledger of a data directory that nobody owns, and gives the rows of the last one. */
export async function askLedger<Row>(dataDir: string, ...statements: string[]): Promise<Row[]> {
  await letGoOfLedgers();
  await keepEmbeddedCode();
  const { pool, close } = await openEmbedded(join(dataDir, 'ledger'));
  try {
    let rows: Row[] = [];
    for (const statement of statements) ({ rows } = (await pool.query(statement)) as unknown as { rows: Row[] });
    return rows;
  } finally {
    await close();
  }
}

/** Writes over the middle of a page of a table, or of an index, as a failing disk would. */
export async function damagePage(dataDir: string, relation: string, page = 0): Promise<void> {
  const [file] = await askLedger<{ path: string }>(
    dataDir,
    'checkpoint',
    `select pg_relation_filepath('${relation}') as path`,
  );
  const fd = openSync(join(dataDir, 'ledger', file?.path ?? ''), 'r+');
  writeSync(fd, Buffer.alloc(64, 0xa5), 0, 64, page * pageBytes + pageBytes / 2);
  closeSync(fd);
}
