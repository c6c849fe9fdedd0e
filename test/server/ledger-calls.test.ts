import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pool } from 'pg';
import { OwnerGoneError } from '../../src/ledger/directory/owner.ts';
import { packResult, unpackResult } from '../../src/server/ledger-calls.ts';

test('what is asked while the owner closes its ledger says that the owner is gone, so that it is asked again elsewhere', async () => {
  const pool = new Pool();
  await pool.end();
  const packed = await packResult(() => pool.query('select 1'));
  assert.throws(() => unpackResult(packed), OwnerGoneError);
});
