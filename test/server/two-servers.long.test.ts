import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { startSandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf, eventually, openPlace } from '../support/cli.ts';
import { postgresSkipReason, testPostgres } from '../support/postgres.ts';
import { redisSkipReason, freshRedis } from '../support/redis.ts';

const config = `
sources:
  staff: { file: ./staff.csv, schedule: { cron: "15 2 * * *", timezone: Europe/Copenhagen } }
`;

suite('two processes that serve', { skip: postgresSkipReason || redisSkipReason }, () => {
  test('one of them begins the run, on time, and both deliver it', async (t) => {
    const [postgres, redis, sandbox] = await Promise.all([testPostgres(), freshRedis(), startSandbox()]);
    t.after(() => sandbox.close());
    const servers = { DATABASE_URL: await postgres.freshLedger(), REDIS_URL: redis.url };
    const place = await openPlace({ ...envOf(sandbox), ...servers }, { bare: true });
    place.write('roster-sync.yaml', config);
    place.write('staff.csv', csvOf(10));
    const first = await place.run('import', 'staff.csv', '--source', 'staff', '--yes');
    assert.equal(first.code, 0, first.stderr);
    place.write('staff.csv', csvOf(30));

    place.env['NODE_OPTIONS'] = `--import ${join(import.meta.dirname, '../faults/shift-clock.ts')}`;
    const setClock = (at: string): void => {
      place.env['CLOCK_OFF'] = String(Date.parse(at) - Date.now());
    };
    // From here on its times count, however long the two take to start.
    setClock('2027-10-30T12:00:00Z');
    const before = await place.start(['serve', '--port', '0']);
    await before.until(/Serving on/);
    before.child.kill('SIGTERM');
    await before.ended;
    setClock('2027-10-31T00:14:53Z');
    const both = await Promise.all([1, 2].map(() => place.start(['serve', '--port', '0'])));
    await Promise.all(both.map((server) => server.until(/Serving on/)));
    await eventually('everybody is sent', () => sandbox.calls.length === 30);
    await Promise.race(both.map((server) => server.until(/what was due is done/)));
    const said = both.map((server) => server.said());
    for (const server of both) server.child.kill('SIGTERM');
    await Promise.all(both.map((server) => server.ended));

    assert.equal(said.filter((text) => text.includes('a source is due and is read')).length, 1);
    const people = new Set(sandbox.calls.map(({ body }) => (body as { user: { email: string } }).user.email));
    assert.equal(people.size, 30);
    const runs = await place.listRuns();
    assert.deepEqual([runs.length, runs[0]?.source], [2, 'staff']);
    const { value } = await place.json<{ schedules: { last: { due: string } }[] }>('schedules');
    assert.equal(value.schedules[0]?.last.due, '2027-10-31T00:15:00.000Z');
  });
});
