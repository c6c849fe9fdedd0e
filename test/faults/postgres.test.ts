import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type OwnPostgres, startPostgres } from '../support/postgres.ts';
import { check } from './check.ts';
import { production, productionSkipReason, scaled, tempo, timeoutMs, until, untilCalls } from './place.ts';

const people = 200;

suite('a PostgreSQL that goes away', { skip: productionSkipReason }, () => {
  let postgres: OwnPostgres;
  const place = production({ postgres: async () => (postgres = await startPostgres()) });
  let started = 0;

  async function begin(): Promise<string> {
    for (; started < 2; started += 1) await place.startWorker();
    place.sandbox.clearCalls();
    const run = await place.release(people);
    await untilCalls(place.sandbox, 40);
    return run;
  }

  test('restarted in the middle of a run: it only costs time', async () => {
    const run = await begin();
    await postgres.stop();
    await postgres.start();
    await place.settled(run);
    await check(place, [run]);
  });

  test('crashed and started again: no receipt is lost, and nobody is called twice', async () => {
    const run = await begin();
    await postgres.kill();
    await postgres.start();
    await place.settled(run);
    await check(place, [run]);
  });

  test('away for 20 s: the receipts of the calls in flight are kept until it is back, and no call begins meanwhile', async () => {
    const run = await begin();
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

  test('breaks all connections again and again: a repeated statement takes effect once', async () => {
    const run = await begin();
    for (const calls of [60, 90, 120, 150]) {
      await untilCalls(place.sandbox, calls);
      await place.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
    }
    await place.settled(run);
    await check(place, [run]);
  });

  test('cut off from a worker silently: the others take over what it had, and repeat only what was in flight', async () => {
    const proxy = await place.openProxy(postgres.port);
    const databaseUrl = place.databaseUrl.replace(`:${postgres.port}/`, `:${proxy.port}/`);
    const worker = await place.startWorker({ databaseUrl });
    const run = await begin();
    proxy.cut();
    const inFlight = await worker.inFlight();
    await place.settled(run);
    await check(place, [run], { repeated: inFlight });
    worker.signal('SIGTERM');
    const askedAt = performance.now();
    await worker.ended;
    assert.ok(performance.now() - askedAt < timeoutMs + tempo.graceMs + 10_000, `${performance.now() - askedAt} ms`);
  });
});
