import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSandbox } from '../support/sandbox.ts';
import { releaseRun } from './released-run.ts';

test(
  'a job that the queue gives out a second time while the first waits for its slot is called once',
  { timeout: 120_000 },
  async (t) => {
    const sandbox = await openSandbox(t, { faults: ['latency=30'] });
    const { delivery, deliver } = await releaseRun(t, { people: 20, sandbox });
    // What BullMQ does with a job whose lock has run out.
    const queue: typeof delivery.queue = {
      ...delivery.queue,
      work: (each, jobs) => delivery.queue.work(async (fed) => void (await Promise.all([each(fed), each(fed)])), jobs),
    };
    await deliver({ ...delivery, queue });
    assert.equal(sandbox.calls.length, 20);
    assert.equal(new Set(sandbox.calls.map(({ email }) => email)).size, 20);
  },
);
