import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { StorageError } from '../../src/core/errors.ts';
import { asRequest, isConnectionLoss, retryWhileAway } from '../../src/ledger/database/reconnect.ts';

const failing = (code: string): Error => Object.assign(new Error(`code ${code}`), { code });

suite('an error of PostgreSQL', () => {
  test('is an outage where it is away, read-only, full, has too many connections, or ends what takes too long', () => {
    const outages = ['08006', '57P01', '57P02', '57P03', '57P05', '25006', '53100', '53200', '53300', '40001', '40P01'];
    // What an admin or a time limit of theirs ends.
    outages.push('57014', '55P03', '25P03', '25P04');
    for (const code of [...outages, 'ECONNREFUSED']) assert.equal(isConnectionLoss(failing(code)), true, code);
    for (const code of ['23505', '42P01', '22P02', '25P02', 'XX001'])
      assert.equal(isConnectionLoss(failing(code)), false, code);
  });

  test('that lasts longer than the wait says so, and what to do', async () => {
    let losses = 0;
    const lossPolicy = { forMs: 100, onLoss: () => (losses += 1) };
    await assert.rejects(
      retryWhileAway(() => Promise.reject(failing('25006')), lossPolicy),
      (error) => {
        assert.ok(error instanceof StorageError);
        assert.match(error.message, /could not be reached or written for 1 min: code 25006\. Start again once it can/);
        return true;
      },
    );
    assert.equal(losses, 1);
  });

  test('that lasts longer than a request waits is what the request gets', async () => {
    const lost = failing('ECONNREFUSED');
    const lossPolicy = { forMs: 100, onLoss: () => {} };
    await assert.rejects(
      asRequest(() => retryWhileAway(() => Promise.reject(lost), lossPolicy)),
      (error) => error === lost,
    );
  });
});
