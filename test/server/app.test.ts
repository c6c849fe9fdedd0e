import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createApp } from '../../src/server/app.ts';

suite('the HTTP face', () => {
  test('is alive whatever else does not work', async () => {
    const app = createApp({ notReady: () => Promise.resolve(['the ledger does not answer']) });
    assert.equal((await app.inject('/healthz')).statusCode, 200);
    await app.close();
  });

  test('is ready once ledger and queue answer, and says what does not', async () => {
    let problems = ['the queue does not answer'];
    const app = createApp({ notReady: () => Promise.resolve(problems) });
    const before = await app.inject('/readyz');
    assert.equal(before.statusCode, 503);
    assert.deepEqual(before.json(), { status: 'not ready', problems });
    problems = [];
    const after = await app.inject('/readyz');
    assert.equal(after.statusCode, 200);
    assert.deepEqual(after.json(), { status: 'ready', problems });
    await app.close();
  });
});
