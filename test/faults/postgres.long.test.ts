import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type OwnPostgres, startPostgres } from '../support/postgres.ts';
import { beginRun } from './begin-run.ts';
import { check } from './check.ts';
import { production, productionSkipReason, tempo, timeoutMs, until, untilCalls } from './place.ts';

suite('a PostgreSQL whose connections break', { skip: productionSkipReason }, () => {
  let postgres: OwnPostgres;
  const place = production({ postgres: async () => (postgres = await startPostgres()) });

  test('restarted in the middle of a run: it only costs time', async () => {
    const run = await beginRun(place);
    await postgres.stop();
    await postgres.start();
    await place.settled(run);
    await check(place, [run]);
  });

  test('breaks all connections again and again: a repeated statement takes effect once', async () => {
    const run = await beginRun(place);
    for (const calls of [60, 90, 120, 150]) {
      await untilCalls(place.sandbox, calls);
      await place.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
    }
    await place.settled(run);
    await check(place, [run]);
  });

  test('ends statements of workers, as an admin or a time limit does: they are asked again', async () => {
    const run = await beginRun(place);
    const admin = await place.pool.connect();
    const waiting = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await admin.query('begin; lock table in_hand');
    await until('both wait for it', async () => (await place.pool.query(`select 1 ${waiting}`)).rows.length >= 2);
    await place.pool.query(`select pg_cancel_backend(pid) ${waiting}`);
    await admin.query('rollback');
    admin.release();
    await place.settled(run);
    await check(place, [run]);
    const { rows } = await place.pool.query("select 1 from workers where id <> 'test'");
    assert.equal(rows.length, 2, 'a worker has ended');
  });

  test('cut off from a worker silently: the others take over what it had, and repeat only what was in flight', async () => {
    const proxy = await place.openProxy(postgres.port);
    const databaseUrl = place.databaseUrl.replace(`:${postgres.port}/`, `:${proxy.port}/`);
    const worker = await place.startWorker({ databaseUrl });
    const run = await beginRun(place);
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
