import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { beginRun, people } from './begin-run.ts';
import { check } from './check.ts';
import { production, productionSkipReason, scaled, until } from './place.ts';

suite('a Redis that goes away', { skip: productionSkipReason }, () => {
  const place = production({ appendonly: true });

  test('crashed and started again, with its data on disk: the run goes on, and nobody is called twice', async () => {
    const run = await beginRun(place);
    await place.redis.kill();
    await place.redis.start();
    await place.settled(run);
    await check(place, [run]);
  });

  test('emptied in the middle of a run: the queue is filled again from the ledger, and the pace is kept', async () => {
    const run = await beginRun(place);
    await place.redis.flush();
    await place.settled(run);
    await check(place, [run]);
  });

  test('away for 5 s: the calls wait, and go on as soon as it is back', async () => {
    const run = await beginRun(place);
    await place.redis.stop();
    await pause(scaled(5_000));
    const made = place.sandbox.calls.length;
    assert.ok(made < people);
    await place.redis.start();
    const backAt = performance.now();
    await until('the calls go on', () => place.sandbox.calls.length > made);
    // A new try every 2 s at most, the window that a new pace waits for, and what a busy machine takes.
    assert.ok(performance.now() - backAt < 18_000, `after ${performance.now() - backAt} ms`);
    await place.settled(run);
    await check(place, [run]);
  });
});
