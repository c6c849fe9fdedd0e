import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { runSource } from '../../jobs/run/run-source.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { csvOf } from '../support/cli.ts';
import { postgresSkipReason, testPostgres } from '../support/postgres.ts';
import { redisSkipReason, freshRedis } from '../support/redis.ts';
import {
  beginAt,
  ended,
  environmentOf,
  passTime,
  runWatched,
  schedulePlace,
  type SchedulePlace,
  seenTo,
  type Server,
} from './schedule-place.ts';

const config = `
sources:
  staff:
    file: ./staff.csv
    schedule: { cron: "15 2 * * *", timezone: Europe/Copenhagen, blackout: ['2026-04-03/2026-04-04'] }
`;

let sandbox: Sandbox;
let people = 20;
/** One more person in the roster. */
const grow = (place: SchedulePlace): void => place.write('staff.csv', csvOf((people += 1)));

before(async () => {
  sandbox = await startSandbox();
});
after(() => sandbox.close());

const production = postgresSkipReason || redisSkipReason;

suite('two servers at once, with Redis and PostgreSQL', { skip: production }, () => {
  let place: SchedulePlace;
  let servers: Server[];
  before(async () => {
    const [postgres, redis] = await Promise.all([testPostgres(), freshRedis()]);
    const urls = { DATABASE_URL: await postgres.freshLedger(), REDIS_URL: redis.url };
    place = schedulePlace(config, environmentOf(sandbox, urls));
    grow(place);
    servers = [await place.open(), await place.open()];
    await runWatched(servers[0]!, 'staff');
  });
  after(async () => {
    for (const server of servers) await server.close();
  });

  for (const { change, from, to, due } of [
    {
      change: 'forward',
      from: '2026-03-27T12:00Z',
      to: '2026-03-31T12:00Z',
      due: ['28T01', '29T01', '30T00', '31T00'],
    },
    { change: 'back', from: '2026-10-23T12:00Z', to: '2026-10-27T12:00Z', due: ['24T00', '25T00', '26T01', '27T01'] },
  ]) {
    test(`when the clocks are set ${change}, each time is one run, and none is missed`, async () => {
      const [one] = servers as [Server, Server];
      const earlier = (await seenTo(one)).length;
      const calls = sandbox.calls.length;
      await beginAt(one, new Date(from));
      await one.context.ledger.keepSchedules(one.context.service.address, {
        schedules: [{ source: 'staff', cron: '15 2 * * *', timezone: 'UTC' }],
        now: new Date(from),
        isAlone: true,
      });
      await beginAt(one, new Date(from));
      let hours = 0;
      await passTime(servers, { from, to, stepMinutes: 15, before: () => void (hours++ % 12 === 0 && grow(place)) });
      const month = from.slice(0, 8);
      assert.deepEqual(
        (await seenTo(one)).slice(earlier),
        due.map((time) => `staff ${month}${time}:15 delivering`),
      );
      const runs = (await one.context.ledger.listRuns(10)).slice(0, due.length);
      assert.deepEqual(
        runs.map(({ trigger, status }) => `${trigger} ${status}`),
        due.map(() => 'schedule finished'),
      );
      const sent = new Set(sandbox.calls.slice(calls).map(({ body }) => JSON.stringify(body)));
      assert.equal(sandbox.calls.length - calls, sent.size, 'nobody is sent twice');
    });
  }
});

suite('what is due, with an embedded ledger', () => {
  let place: SchedulePlace;
  let server: Server;
  const see = async (now: string): Promise<string[]> => {
    const seen = await server.runs.see({ now: new Date(now), noticedBy: 'scheduler' });
    await server.runs.settled();
    await seenTo(server);
    return seen;
  };
  const last = async () => (await server.context.ledger.listSchedules(server.context.service.address))[0]?.last;
  /** What happened to the last time that was due, once its run has ended. */
  const outcome = async (): Promise<string> => {
    const tick = await last();
    // A run that is quick has ended before its time has.
    if (tick?.result === 'finished') return tick.result;
    if (tick?.result !== 'delivering') return `${tick?.result}: ${tick?.reason}`;
    return (await ended(server, tick.runId ?? '')).status;
  };

  before(async () => {
    place = schedulePlace(config, environmentOf(sandbox));
    // Few enough to be sent at once, without a canary release.
    people = 20;
    grow(place);
    server = await place.open();
    await beginAt(server, new Date('2026-03-31T12:00Z'));
  });
  after(() => server.close());

  test('the first run of a source that nobody has seen waits for an approval', async () => {
    assert.deepEqual(await see('2026-04-01T00:15Z'), ['staff']);
    assert.match(await outcome(), /^held/);
    assert.equal((await runWatched(server, 'staff')).status, 'finished');
  });

  test('a roster that is as the last run sent it ends the run at once, and leaves none behind', async () => {
    const before = await server.context.ledger.listRuns(10);
    const calls = sandbox.calls.length;
    await see('2026-04-02T00:15Z');
    assert.match(await outcome(), new RegExp(`^unchanged: unchanged since run ${before[0]?.id}`));
    assert.deepEqual(await server.context.ledger.listRuns(10), before);
    assert.equal(sandbox.calls.length, calls);
  });

  test('on a blackout day nothing is read, and the schedule says so', async () => {
    await see('2026-04-03T00:15Z');
    assert.match(await outcome(), /^blackout: nothing is read on this day/);
    await see('2026-04-04T00:15Z');
    assert.deepEqual((await seenTo(server)).slice(-2), [
      'staff 2026-04-03T00:15 blackout',
      'staff 2026-04-04T00:15 blackout',
    ]);
  });

  test('a time that was missed is made up for once, however many were', async () => {
    grow(place);
    const before = (await seenTo(server)).length;
    assert.deepEqual(await see('2026-04-10T09:00Z'), ['staff']);
    assert.equal(await outcome(), 'finished');
    assert.deepEqual(await see('2026-04-10T10:00Z'), []);
    assert.deepEqual((await seenTo(server)).slice(before), ['staff 2026-04-10T00:15 delivering']);
  });

  test('one that was missed for longer than catchUp is not, and the schedule says so', async () => {
    grow(place);
    const runs = (await server.context.ledger.listRuns(100)).length;
    await see('2026-04-11T12:16Z');
    assert.match(await outcome(), /^missed: nothing ran until 2026-04-11 14:16, later than schedule.catchUp allows/);
    assert.equal((await server.context.ledger.listRuns(100)).length, runs);
  });

  test('a roster that cannot be had is a run that failed, with its reason, and the next time tries again', async () => {
    place.write('staff.csv', '');
    await see('2026-04-12T00:15Z');
    assert.match(await outcome(), /^failed: .*staff\.csv/);
    const [failed] = await server.context.ledger.listRuns(1);
    assert.deepEqual([failed?.status, failed?.trigger, failed?.id], ['failed', 'schedule', (await last())?.runId]);
    assert.match(failed?.statusReason ?? '', /staff\.csv/);
    grow(place);
    await see('2026-04-13T00:15Z');
    assert.equal(await outcome(), 'finished');
  });

  test('a run that is still going is left to finish', async () => {
    grow(place);
    sandbox.faults.add('latency=400');
    await server.runs.see({ now: new Date('2026-04-14T00:15Z'), noticedBy: 'scheduler' });
    await server.runs.settled();
    const going = (await last())?.runId ?? '';
    const asked = await runSource(server.context, { source: 'staff', trigger: 'api' });
    assert.deepEqual([asked.status, asked.runId], ['busy', going]);
    await assert.rejects(runSource(server.context, { source: 'stuff', trigger: 'api' }), /There is staff\./);
    await see('2026-04-15T00:15Z');
    sandbox.faults.clear();
    assert.match(await outcome(), new RegExp(`^busy: run ${going} of staff is still delivering; it is left to finish`));
    assert.equal((await ended(server, going)).status, 'finished');
  });

  test('while a person has paused a run, scheduled runs of its source are held', async () => {
    grow(place);
    sandbox.faults.add('latency=1000');
    await see('2026-04-16T00:15Z');
    const paused = (await last())?.runId ?? '';
    const stop = { by: 'person', reason: 'paused by a person' } as const;
    assert.ok(await server.context.ledger.moveRun(paused, 'pause', stop));
    sandbox.faults.clear();
    grow(place);
    await see('2026-04-17T00:15Z');
    assert.match(await outcome(), /^held/);
    const held = (await last())?.runId ?? '';
    const [run] = await server.context.ledger.findRuns(held);
    assert.deepEqual(
      run?.trips.map(({ guard }) => guard),
      ['paused'],
    );
    assert.deepEqual(run?.trips[0]?.next?.[0], { act: 'runs.resume', run: paused });
    await server.context.ledger.moveRun(paused, 'cancel');
    grow(place);
    await see('2026-04-18T00:15Z');
    assert.equal(await outcome(), 'finished');
  });

  test('what is being read when the process ends is taken over by the one that starts', async () => {
    grow(place);
    const begun = server.runs.see({ now: new Date('2026-04-19T00:15Z'), noticedBy: 'scheduler' });
    await begun;
    await server.close();
    assert.equal((await seenTo((server = await place.open()))).at(-1), 'staff 2026-04-19T00:15 null');
    await server.runs.takeOver(new Date('2026-04-19T00:20Z'), { andOfOthers: true });
    await server.runs.settled();
    assert.equal(await outcome(), 'finished');
    assert.equal((await seenTo(server)).filter((time) => time.startsWith('staff 2026-04-19')).length, 1);
  });

  test('what nobody took over in time is missed, and names no run: the one that it began is gone', async () => {
    grow(place);
    await server.runs.see({ now: new Date('2026-04-20T00:15Z'), noticedBy: 'scheduler' });
    await server.close();
    server = await place.open();
    await server.runs.takeOver(new Date('2026-04-30T00:20Z'), { andOfOthers: true });
    assert.equal((await seenTo(server)).at(-1), 'staff 2026-04-20T00:15 missed');
    const { last } =
      (await server.context.ledger.listSchedules(server.context.service.address)).find(
        ({ source }) => source === 'staff',
      ) ?? {};
    assert.deepEqual([last?.result, last?.runId], ['missed', null]);
  });
});
