import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDelivering } from '../../jobs/deliver/deliver.ts';
import { scaleTempo, tempo } from '../../src/core/pace/waiting-times.ts';
import { deliverAll, person, releasePeople } from '../contract/plans.ts';
import { postgresSkipReason, testPostgres } from '../support/postgres.ts';
import { openSandbox } from '../support/sandbox.ts';
import { releaseRun } from './released-run.ts';

test(
  'with PostgreSQL alone, what was taken for the queue and never came there is sent',
  { timeout: 120_000, skip: postgresSkipReason },
  async (t) => {
    const sandbox = await openSandbox(t);
    const databaseUrl = await (await testPostgres()).freshLedger();
    const options = { people: 5, sandbox, databaseUrl, tempo: scaleTempo(tempo, 0.1) };
    const { runId, context, delivery, deliver } = await releaseRun(t, options);
    // The connection broke when it was answered: nobody knows of these.
    assert.equal((await context.ledger.findDue(runId, { limit: 3 })).length, 3);
    await deliver(delivery);
    assert.equal((await context.ledger.findRuns(runId))[0]?.status, 'finished');
    assert.equal(sandbox.calls.length, 5);
  },
);

test('R5: a run whose first calls find nobody there is not halted when another run had a success meanwhile', async (t) => {
  const sandbox = await openSandbox(t);
  const environment = { ROSTER_SYNC_BASE_URL: 'http://127.0.0.1:9' };
  const { runId, context, delivery } = await releaseRun(t, { people: 5, sandbox, environment });
  const { ledger } = context;
  const { pacer } = delivery;
  const tell = pacer.tell;
  const opened = Promise.withResolvers<void>();
  pacer.tell = async (...told) => {
    const breaker = await tell(...told);
    if (breaker !== 'opened') return breaker;
    const people = [person('other', 'Sales')];
    await deliverAll(ledger, await releasePeople(ledger, { people, service: delivery.service.address }));
    opened.resolve();
    return breaker;
  };
  const deliverer = startDelivering(delivery, { only: new Set([runId]), concurrency: 5 });
  await Promise.race([opened.promise, deliverer.failure]);
  await deliverer.stop();
  assert.equal((await ledger.findRuns(runId))[0]?.status, 'delivering');
});
