import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { csvOf } from '../support/cli.ts';
import { type OwnPostgres, startPostgres } from '../support/postgres.ts';
import { check } from './check.ts';
import { startCli } from './cli.ts';
import { production, productionSkipReason, until, untilCalls, type WorkerProcess } from './place.ts';

const people = 300;
const config = `
sources:
  staff:
    file: ./staff.csv
    schedule: { cron: "15 2 * * *", timezone: UTC }
    guards: { new: off, invites: off, group: off, newGroups: off, fill: off, domains: off, shrink: off }
`;

suite('two servers beside each other, with Redis and PostgreSQL', { skip: productionSkipReason }, () => {
  let postgres: OwnPostgres;
  const place = production({ appendonly: true, postgres: async () => (postgres = await startPostgres()) });

  /** Starts a server whose clock says that it is so many seconds before the time of the schedule on this day. */
  function serve(day: string, secondsBefore: number, dieAt?: string): Promise<WorkerProcess> {
    const clockOff = Date.parse(`${day}T02:15:00Z`) - secondsBefore * 1000 - Date.now();
    return place.startWorker({
      command: ['serve', '--port', '0'],
      clockOff,
      ...(dieAt === undefined ? {} : { dieAt }),
    });
  }

  /** The roster, with so many people more than before. */
  function writeRoster(count: number): void {
    writeFileSync(join(place.dataDir, '../staff.csv'), csvOf(count, { domain: 'servers.example' }));
  }

  /** Whoever has looked at a run of a source has approved it: its scheduled runs are sent. */
  async function importFirst(): Promise<void> {
    writeFileSync(join(place.dataDir, '../roster-sync.yaml'), config);
    writeRoster(3);
    const { dataDir, sandbox, environment } = place;
    const { code, stderr } = await startCli(['import', 'staff.csv', '--source', 'staff', '--yes'], {
      ...{ dataDir, service: sandbox, environment },
    }).ended;
    assert.equal(code, 0, stderr);
    // A server must have seen the schedule before: times count from then.
    const first = await serve('2027-03-01', -60);
    await until(
      'it has noted the schedule',
      async () => (await place.pool.query('select 1 from schedules')).rows.length > 0,
    );
    first.signal('SIGTERM');
    await first.ended;
  }

  /** The run of the time on this day; undefined while there is none. */
  async function runOf(day: string): Promise<string | undefined> {
    const { rows } = await place.pool.query<{ run: string }>(
      'select run_id as run from ticks where due_at = $1 and run_id is not null',
      [`${day}T02:15:00Z`],
    );
    return rows[0]?.run;
  }

  /** What ended while a time was due: each was begun once, and made one run. */
  async function assertOneRunEach(...days: readonly string[]): Promise<void> {
    const { rows: ticks } = await place.pool.query<{ day: string; result: string }>(
      `select to_char(due_at at time zone 'UTC', 'YYYY-MM-DD') as day, result from ticks order by due_at`,
    );
    assert.deepEqual(
      ticks,
      days.map((day) => ({ day, result: 'delivering' })),
    );
    const { rows } = await place.pool.query<{ count: string }>(
      `select count(*) as count from runs where trigger = 'schedule' and status <> 'failed'`,
    );
    assert.equal(Number(rows[0]?.count), days.length);
  }

  test('kills, restarts of Redis and PostgreSQL, and throttling in one run: nothing is lost, repeated or too soon', async () => {
    const { sandbox, redis } = place;
    await importFirst();
    sandbox.clearCalls();
    place.watchStalls();
    writeRoster(people);
    const servers = [await serve('2027-03-02', 8), await serve('2027-03-02', 6)];
    await untilCalls(sandbox, 40);
    const run = (await runOf('2027-03-02')) ?? '';

    const [killed] = servers;
    killed?.kill();
    await killed?.ended;
    const repeated = (await killed?.inFlight()) ?? new Set();
    servers.push(await serve('2027-03-02', -30));

    await untilCalls(sandbox, 90);
    await redis.stop();
    await redis.start();

    await untilCalls(sandbox, 140);
    await postgres.stop();
    await postgres.start();

    await untilCalls(sandbox, 190);
    sandbox.faults.add('status=429,retry-after=2,first=6');

    await place.settled(run);
    sandbox.faults.clear();
    sandbox.faults.add('latency=60-120');
    await check(place, [run], { repeated });
    assert.ok(sandbox.calls.some(({ status }) => status === 429));
    assert.equal(new Set(sandbox.calls.map(({ email }) => email)).size, people - 3);
    await assertOneRunEach('2027-03-02');
    for (const server of servers.slice(1)) server.signal('SIGTERM');
    for (const { code, stderr } of await Promise.all(servers.slice(1).map(({ ended }) => ended)))
      assert.equal(code, 0, stderr);
  });

  test('the process that starts a run is killed: another one starts it again, and everybody is called once', async () => {
    const { sandbox } = place;
    sandbox.clearCalls();
    place.watchStalls();
    writeRoster(people + 60);
    const dying = 'before ledger.releaseRun';
    const first = await serve('2027-03-03', -1, dying);
    await until('it has begun', async () => (await place.pool.query('select 1 from ticks')).rows.length === 2);
    const second = await serve('2027-03-03', -1);
    await first.ended;
    await until('the other one has begun it', async () => (await runOf('2027-03-03')) !== undefined);
    await untilCalls(sandbox, 60);
    const run = (await runOf('2027-03-03')) ?? '';
    await place.settled(run);
    await check(place, [run]);
    await assertOneRunEach('2027-03-02', '2027-03-03');
    second.signal('SIGTERM');
    assert.equal((await second.ended).code, 0);
  });
});
