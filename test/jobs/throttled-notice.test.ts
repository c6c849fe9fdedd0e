import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDelivering } from '../../jobs/deliver/deliver.ts';
import { openHearing, toldBy } from '../notify/hearing.ts';
import { openSandbox } from '../support/sandbox.ts';
import { releaseRun } from './released-run.ts';

for (const [when, isBefore] of [
  ['in its answer', false],
  ['before the run began', true],
] as const)
  test(`a service that asks for a wait of over a minute ${when} is told, once`, { timeout: 120_000 }, async (t) => {
    const sandbox = await openSandbox(t);
    const { url, heard, next } = await openHearing(t);
    const environment = { ROSTER_SYNC__NOTIFY__WEBHOOK: url };
    const { runId, context, delivery } = await releaseRun(t, { people: 3, sandbox, environment });
    sandbox.faults.add('status=429,retry-after=90');
    if (isBefore) await delivery.pacer.tell('throttled', 0, 90_000, 'HTTP 429');
    const told = next();
    const deliverer = startDelivering(delivery, { concurrency: 3 });
    assert.match(toldBy(await told).text, /waits for the service/);
    await deliverer.stop();
    assert.equal(heard.length, 1);
    assert.equal((await context.ledger.findRuns(runId))[0]?.status, 'delivering');
    assert.equal(sandbox.calls.length > 0, !isBefore);
  });
