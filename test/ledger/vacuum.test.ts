import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLedger } from '../../src/ledger/ledger.ts';
import { person, releasePeople } from '../contract/plans.ts';
import { openEmptyEmbedded } from '../support/empty-data-directory.ts';

test('an embedded ledger stops growing: the room of yesterday’s roster is used for today’s', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-vacuum-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { pool, close } = await openEmptyEmbedded(join(folder, 'ledger'));
  t.after(close);
  const ledger = await openLedger(pool, { worker: 'one', lossPolicy: { forMs: 0, onLoss: () => {} } });
  const people = Array.from({ length: 1200 }, (_, at) => person(`person${at}`, 'Sales', `Team ${at % 20}`));
  const sizes: number[] = [];
  const files = new Set<number>();
  for (let night = 0; night < 5; night += 1) {
    const runId = await releasePeople(ledger, { service: 's', people });
    await ledger.moveRun(runId, 'cancel');
    for (const table of ['members', 'deliveries']) await pool.query(`delete from ${table} where run_id = $1`, [runId]);
    await ledger.vacuumDeadRows();
    const { rows } = await pool.query<{ bytes: number; file: number }>(
      `select pg_total_relation_size('members') + pg_total_relation_size('deliveries') as bytes,
         pg_relation_filenode('members') as file`,
    );
    sizes.push(rows[0]?.bytes ?? 0);
    files.add(rows[0]?.file ?? 0);
  }
  const [, , second = 0] = sizes;
  assert.ok((sizes.at(-1) ?? 0) <= second * 1.1, `it grows: ${sizes.join(', ')}`);
  assert.equal(files.size, 1, 'nobody waits while a table is rewritten');
});
