import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { LedgerBusyError } from '../../src/core/errors.ts';
import { openEmbedded } from '../../src/ledger/database/embedded/embedded.ts';
import { asRequest, longestWaitMs, waitAsWork } from '../../src/ledger/database/reconnect.ts';
import { type ApiServer, startApiServer } from './api-server.ts';

const longMs = 600_000;
const shortMs = 30;
const people = 60;

suite('while something else uses the embedded ledger for longer than a statement waits', () => {
  let server: ApiServer;
  let pool: Pool;
  let token: string;
  let waitMs = longMs;
  before(async () => {
    server = await startApiServer('', {
      async openEmbedded(folder, options) {
        const database = await openEmbedded(folder, { ...options, waitMs: () => waitMs });
        pool = database.pool;
        return database;
      },
    });
    token = await server.token('all', ['read', 'run', 'approve']);
  });
  after(() => server.close());

  const listInRequest = (): Promise<unknown> => asRequest(() => server.context.ledger.listRuns(1));

  /** Uses the ledger alone while `act` runs; others wait only briefly then. */
  async function alone(act: () => Promise<void>): Promise<void> {
    const holder = await pool.connect();
    await holder.query('begin');
    waitMs = shortMs;
    try {
      await act();
    } finally {
      waitMs = longMs;
      await holder.query('rollback');
      holder.release();
    }
  }

  test('a request waits as long as a person does, and all else as long as the longest work takes', async () => {
    const [ofWork, ofRequest] = [longestWaitMs(), asRequest(longestWaitMs)];
    assert.ok(ofRequest <= 10_000 && ofWork >= longMs);
    assert.equal(await asRequest(async () => (waitAsWork(), longestWaitMs())), ofWork);
  });

  test('a request is answered 503 with Retry-After, and work is done when the ledger is free', async () => {
    let isDone = false;
    let listed: Promise<unknown> = Promise.resolve();
    await alone(async () => {
      listed = server.context.ledger.listRuns(1).finally(() => (isDone = true));
      const { status, json, headers } = await server.ask('/api/v1/runs', { token });
      assert.deepEqual([status, json.code, headers['retry-after']], [503, 'LEDGER_BUSY', '10']);
      assert.equal(json.detail, 'The ledger is busy with something large, such as a roster. Try again in a moment.');
      await assert.rejects(listInRequest(), LedgerBusyError);
      assert.equal(isDone, false);
    });
    assert.deepEqual(await listed, []);
    assert.match(server.logged(), /the ledger is busy; waiting for it/);
    assert.equal((await server.ask('/api/v1/runs', { token })).status, 200);
  });

  test('what is being delivered is delivered to its end, each person once', async () => {
    const rows = Array.from({ length: people }, (_, at) => `First${at},Last${at},p${at}@x.example,Staff`);
    server.roster(`firstname,lastname,email,groups\n${rows.join('\n')}\n`);
    const started = await server.ask('/api/v1/runs', { method: 'POST', token, body: { source: 'staff' } });
    const { run } = started.json as { run: string };
    const { hash } = (await server.ask(`/api/v1/runs/${run}/plan`, { token })).json;
    await server.ask(`/api/v1/runs/${run}/approve`, { method: 'POST', token, body: { hash } });
    const { calls } = server.sandbox;
    for (const enough of [1, people / 3, (2 * people) / 3]) {
      while (calls.length < enough) await Promise.race([pause(10), server.failure]);
      await alone(async () => {
        for (let times = 0; times < 5; times += 1) await assert.rejects(listInRequest(), LedgerBusyError);
      });
    }
    for (;;) {
      const { json } = await server.ask(`/api/v1/runs/${run}`, { token });
      if (json.status === 'finished') break;
      assert.equal(json.status, 'delivering');
      await Promise.race([pause(10), server.failure]);
    }
    assert.equal(calls.length, people);
    assert.equal(new Set(calls.map(({ email }) => email)).size, people);
  });
});
