import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scaleTempo, tempo } from '../../src/core/pace/waiting-times.ts';
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
