import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../config/load.ts';
import { tidyAfterRun } from '../../jobs/upkeep/prune-ledger.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { createLogger } from '../../src/process/logger.ts';
import { openEmptyEmbedded } from '../support/empty-data-directory.ts';

test('tidying that fails is a warning, and harms no run', async () => {
  const { pool, close } = await openEmptyEmbedded();
  const ledger = await openLedger(pool, { worker: 'one', lossPolicy: { forMs: 0, onLoss: () => {} } });
  const config = loadConfig({ environment: {}, cwd: import.meta.dirname });
  const warned: unknown[] = [];
  const log = createLogger({ quiet: true });
  log.warn = (...said: unknown[]): void => void warned.push(said);
  await tidyAfterRun({ ledger, config, log });
  assert.deepEqual(warned, []);
  await pool.query('drop table receipts cascade');
  await pool.query(
    `insert into runs (id, source, service, trigger, status, settings, worker, finished_at)
     values ('old', 's', 's', 'import', 'finished', '{}', 'one', now() - interval '9 years')`,
  );
  await tidyAfterRun({ ledger, config, log });
  assert.match(JSON.stringify(warned), /old records could not be removed; the next run tries again/);
  await close();
});
