import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { check } from './check.ts';
import { startCli } from './cli.ts';
import { writeRoster } from './roster.ts';
import { production, productionSkipReason, scaled, until, untilCalls } from './place.ts';

const people = 150;

suite('a PostgreSQL that may only be read', { skip: productionSkipReason }, () => {
  let postgres: TestPostgres;
  // Its settings are changed for everybody on it.
  const place = production({ postgres: async () => (postgres = await startPostgres()) });

  /** Every session, old and new, is told so, as by a server that another one replaces. */
  async function setReadOnly(isReadOnly: boolean): Promise<void> {
    const client = await place.pool.connect();
    try {
      await client.query('set default_transaction_read_only = off');
      await client.query(`alter system set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
      await client.query('select pg_reload_conf()');
      await client.query('reset default_transaction_read_only');
    } finally {
      client.release();
    }
    await until(`it is ${isReadOnly ? 'read-only' : 'writable'}`, async () => {
      const { rows } = await place.pool.query<{ on: string }>(
        "select current_setting('default_transaction_read_only') as on",
      );
      return rows[0]?.on === (isReadOnly ? 'on' : 'off');
    });
  }

  const receipts = (dataDir = place.dataDir): string[] => {
    const folder = join(dataDir, 'receipts');
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  test('in the middle of a run: the calls wait, what was answered lies in private files meanwhile, and nobody is called twice', async () => {
    const worker = await place.startWorker();
    const run = await place.release(people);
    await untilCalls(place.sandbox, 40);
    await setReadOnly(true);
    await until('the receipts in hand are in files', () => receipts().length > 0);
    for (const name of receipts().filter((each) => each.endsWith('.json')))
      assert.equal(statSync(join(place.dataDir, 'receipts', name)).mode & 0o777, 0o600);
    // What was on its way when the first of them was kept has arrived by then.
    await pause(scaled(2000));
    const made = place.sandbox.calls.length;
    await pause(scaled(5000));
    assert.equal(place.sandbox.calls.length, made);
    await setReadOnly(false);
    await place.settled(run);
    await check(place, [run]);
    assert.deepEqual(receipts(), []);
    worker.signal('SIGTERM');
    const { code, stderr } = await worker.ended;
    assert.equal(code, 0, stderr);
    assert.match(stderr, /PostgreSQL cannot be reached or written; waiting for it/);
    assert.doesNotMatch(stderr, /Something unexpected/);
  });

  test('and a process that is killed meanwhile: the next one reads its receipts back, and calls only who was not called', async () => {
    place.sandbox.clearCalls();
    const worker = await place.startWorker();
    const run = await place.release(people);
    await untilCalls(place.sandbox, 40);
    await setReadOnly(true);
    await until('the receipts in hand are in files', () => receipts().length > 0);
    // What was begun has been answered by now.
    await until('every call is answered', () => place.sandbox.calls.every(({ endedAt }) => endedAt !== undefined));
    await until('every answer is in the ledger or in a file', async () => {
      const { rows } = await place.pool.query<{ kept: number }>(
        'select count(*)::int as kept from receipts where run_id = $1',
        [run],
      );
      const inFiles = receipts().filter((name) => name.endsWith('.json')).length;
      return (rows[0]?.kept ?? 0) + inFiles === place.sandbox.calls.length;
    });
    worker.kill();
    await worker.ended;
    await setReadOnly(false);
    await place.startWorker();
    assert.deepEqual(receipts(), []);
    await place.settled(run);
    await check(place, [run]);
  });

  test('where one process delivers, with PostgreSQL alone, it waits as well', async (t) => {
    place.sandbox.clearCalls();
    const { REDIS_URL: _, ...environment } = place.environment;
    const databaseUrl = await postgres.freshDatabase();
    const roster = join(place.dataDir, '../alone.csv');
    const dataDir = join(place.dataDir, '../alone');
    writeRoster(roster, people);
    const cli = startCli(['import', roster, '--yes', '--json'], {
      dataDir,
      service: place.sandbox,
      environment: { ...environment, DATABASE_URL: databaseUrl },
    });
    t.after(() => cli.kill());
    await untilCalls(place.sandbox, 40);
    await setReadOnly(true);
    await until('the receipts in hand are in files', () => receipts(dataDir).length > 0);
    await setReadOnly(false);
    const { code, stdout, stderr } = await cli.ended;
    assert.equal(code, 0, stderr);
    assert.equal((JSON.parse(stdout) as { outcome: { succeeded: number } }).outcome.succeeded, people);
    assert.equal(place.sandbox.calls.length, people);
    assert.deepEqual(receipts(dataDir), []);
  });
});
