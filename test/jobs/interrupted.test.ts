import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookAtRun, startDelivering, waitForRun } from '../../jobs/deliver/deliver.ts';
import { findRun, readReport } from '../../src/report/run/read-report.ts';
import { stateWord } from '../../src/report/run/run-report.ts';
import { eventually } from '../support/cli.ts';
import { openSandbox } from '../support/sandbox.ts';
import { releaseRun } from './released-run.ts';

test(
  'a run that was interrupted is no longer shown as that once a process delivers it, and its time is counted again',
  { timeout: 120_000 },
  async (t) => {
    const sandbox = await openSandbox(t);
    const { runId, context, delivery, deliver } = await releaseRun(t, { people: 3, sandbox });
    const { ledger } = context;
    // As whoever opens the ledger after a kill finds it.
    await ledger.stopClocks();
    const state = async () => stateWord(await readReport(context, await findRun(context, runId)));
    assert.equal(await state(), 'interrupted');
    const seen: string[] = [];
    const findDue: typeof ledger.findDue = async (...asked) => {
      seen.push(await state());
      return ledger.findDue(...asked);
    };
    await deliver({ ...delivery, ledger: { ...ledger, findDue } });
    assert.equal(seen[0], 'delivering');
    const [run] = await ledger.findRuns(runId);
    assert.equal(run?.status, 'finished');
    assert.ok((run?.deliveredMs ?? 0) > 0);
  },
);

test(
  'R4: what a run has called counts at a rate of its own, also where nobody remembers its pace',
  { timeout: 120_000 },
  async (t) => {
    const sandbox = await openSandbox(t);
    const { runId, context, delivery, deliver } = await releaseRun(t, { people: 3, sandbox });
    await deliver(delivery);
    const { pacer } = await context.openDelivery({ limit: 80, perMs: 1000, and: [] });
    const { signal } = new AbortController();
    const slot = (id: string) =>
      pacer.slot({ id, rate: { limit: 3, perMs: 3_600_000, and: [] } }, () => Promise.resolve(true), signal);
    assert.deepEqual([(await slot(runId)).go, (await slot('another run')).go], [false, true]);
  },
);

test(
  'a run that is interrupted during its last calls finishes: paused, it would hold the next one of its source',
  { timeout: 120_000 },
  async (t) => {
    const sandbox = await openSandbox(t, { faults: ['latency=1000'] });
    const { runId, context, delivery } = await releaseRun(t, { people: 2, sandbox });
    const deliverer = startDelivering(delivery, { concurrency: 2 });
    const asked = new AbortController();
    const ended = waitForRun((isInterrupted) => lookAtRun(delivery, runId, isInterrupted), asked.signal);
    await eventually('both are called', () => sandbox.calls.length === 2);
    asked.abort();
    // As the commands do: at once, so that nobody tends the run when its last calls end.
    const stopped = deliverer.stop();
    await Promise.race([ended, deliverer.failure]);
    await stopped;
    const [run] = await context.ledger.findRuns(runId);
    assert.equal(run?.status, 'finished');
  },
);

test('a run that stops while a server goes on is backed up too', { timeout: 120_000 }, async (t) => {
  const sandbox = await openSandbox(t, { faults: ['status=401'] });
  const { runId, context, delivery } = await releaseRun(t, { people: 3, sandbox });
  let backups = 0;
  const deliverer = startDelivering({ ...delivery, backup: async () => void (backups += 1) }, { concurrency: 2 });
  await eventually('it is halted', async () => (await context.ledger.findRuns(runId))[0]?.status === 'halted');
  await deliverer.stop();
  assert.equal(backups, 1);
});
