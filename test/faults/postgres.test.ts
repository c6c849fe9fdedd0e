import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type OwnPostgres, startPostgres } from '../support/postgres.ts';
import { beginRun, people } from './begin-run.ts';
import { check } from './check.ts';
import { production, productionSkipReason, scaled, until } from './place.ts';

suite('a PostgreSQL that goes away', { skip: productionSkipReason }, () => {
  let postgres: OwnPostgres;
  const place = production({ postgres: async () => (postgres = await startPostgres()) });

  test('crashed and started again: no receipt is lost, and nobody is called twice', async () => {
    const run = await beginRun(place);
    await postgres.kill();
    await postgres.start();
    await place.settled(run);
    await check(place, [run]);
  });

  test('away for 20 s: the receipts of the calls in flight are kept until it is back, and no call begins meanwhile', async () => {
    const run = await beginRun(place);
    await postgres.stop();
    await pause(scaled(20_000));
    const made = place.sandbox.calls.length;
    assert.ok(made < people);
    await postgres.start();
    const backAt = performance.now();
    await until('the calls go on', () => place.sandbox.calls.length > made);
    // A new try every 2 s at most, and what a busy machine takes.
    assert.ok(performance.now() - backAt < 15_000, `after ${performance.now() - backAt} ms`);
    await place.settled(run);
    await check(place, [run]);
  });
});
