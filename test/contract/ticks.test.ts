import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { answersSchedule } from '../../src/core/run/schedule.ts';
import { dueTime } from '../../jobs/run/run-due.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { NewRun } from '../../src/ledger/moves/begin-run.ts';
import { type Home, homes } from './homes.ts';
import { settings, unique } from './plans.ts';

const daily = { cron: '15 2 * * *', timezone: 'Europe/Copenhagen' };
const dueAt = new Date('2026-03-29T01:15:00Z');
const sayBusy = (run?: { id: string }): string => `run ${run?.id} is in the way`;

for (const { name, skip, open } of homes) {
  suite(`times that are due, ${name}`, { skip }, () => {
    let home: Home;
    let one: Ledger;
    let two: Ledger;

    before(async () => {
      home = await open();
      [one, two] = await Promise.all([home.ledger('one'), home.ledger('two')]);
    });
    after(() => home.close());

    const runOf = (ledger: Ledger, service: string, source = 'staff'): NewRun => ({
      ...{ id: randomUUID(), source, service, trigger: 'schedule', settings, worker: ledger.worker },
    });
    const begin = (ledger: Ledger, service: string, at = dueAt) => {
      const run = runOf(ledger, service);
      const asked = { run, worker: run.worker, noticedBy: 'scheduler' as const, sayBusy };
      return ledger.beginTick({ service, source: 'staff', dueAt: at }, asked).then((begun) => ({ ...begun, run }));
    };
    const lastOf = async (service: string) => (await one.listSchedules(service))[0]?.last;

    test('of many processes that notice, one begins the run', async () => {
      const service = unique('service');
      await one.keepSchedules(service, { schedules: [{ source: 'staff', ...daily }], now: new Date(0), isAlone: true });
      const begun = await Promise.all([one, two, one, two, one, two].map((ledger) => begin(ledger, service)));
      const first = begun.filter(({ kind }) => kind === 'begun');
      assert.deepEqual([first.length, begun.filter(({ kind }) => kind === 'taken').length], [1, 5]);
      const runs = (await one.listRuns(100)).filter((run) => run.service === service);
      assert.deepEqual(
        runs.map(({ id, status, trigger }) => ({ id, status, trigger })),
        [{ id: first[0]?.run.id, status: 'planning', trigger: 'schedule' }],
      );
    });

    test('after a clock that was far ahead, times of the right clock are due, and handled ones are not due again', async () => {
      const service = unique('service');
      const day = (date: string): Date => new Date(`${date}T00:15:00Z`);
      const schedules = [{ source: 'staff', ...daily }];
      const due = async (now: Date) => {
        const [state] = await one.listSchedules(service);
        return state && dueTime(state, now)?.dueAt;
      };
      await one.keepSchedules(service, { schedules, now: day('2026-07-01'), isAlone: true });
      const skipped = { worker: 'one', noticedBy: 'start', result: 'missed', reason: 'x', runId: null } as const;
      const key = { service, source: 'staff' };
      await one.skipTick({ ...key, dueAt: day('2026-07-02'), ...skipped });
      await one.skipTick({ ...key, dueAt: day('2027-01-02'), ...skipped });
      const evening = new Date('2026-07-02T20:00:00Z');
      assert.equal(await one.skipTick({ ...key, dueAt: (await due(evening)) ?? evening, ...skipped }), false);
      assert.deepEqual(await due(new Date('2026-07-03T20:00:00Z')), day('2026-07-03'));

      const other = unique('service');
      await one.keepSchedules(other, { schedules, now: day('2027-01-02'), isAlone: true });
      await one.keepSchedules(other, { schedules, now: evening, isAlone: true });
      assert.deepEqual((await one.listSchedules(other))[0]?.since, evening);
    });

    test('asked again after the answer was lost, the same process still owns the run', async () => {
      const service = unique('service');
      const key = { service, source: 'staff', dueAt };
      const run = runOf(one, service);
      const asked = { run, worker: run.worker, noticedBy: 'start' as const, sayBusy };
      assert.equal((await one.beginTick(key, asked)).kind, 'begun');
      assert.equal((await one.beginTick(key, asked)).kind, 'begun');
    });

    test('a run that is still going is left to finish, and that is recorded', async () => {
      const service = unique('service');
      await one.keepSchedules(service, { schedules: [{ source: 'staff', ...daily }], now: new Date(0), isAlone: true });
      const { run } = await begin(one, service);
      const next = await begin(two, service, new Date('2026-03-30T00:15:00Z'));
      assert.equal(next.kind, 'busy');
      const last = await lastOf(service);
      assert.deepEqual([last?.result, last?.runId, last?.reason], ['busy', run.id, `run ${run.id} is in the way`]);
      assert.equal((await begin(two, service, new Date('2026-03-30T00:15:00Z'))).kind, 'taken');
    });

    test('its result is kept, and a skipped time counts as handled', async () => {
      const service = unique('service');
      await one.keepSchedules(service, { schedules: [{ source: 'staff', ...daily }], now: new Date(0), isAlone: true });
      const { run } = await begin(one, service);
      const ended = { worker: 'two', runId: run.id, result: 'unchanged' as const, reason: 'unchanged since run a' };
      await two.endTick({ service, source: 'staff', dueAt }, ended);
      assert.equal((await lastOf(service))?.result, null, 'only whoever carries it out ends it');
      await one.endTick({ service, source: 'staff', dueAt }, { ...ended, worker: 'one' });
      const last = await lastOf(service);
      assert.deepEqual([last?.dueAt, last?.result, last?.endedAt instanceof Date], [dueAt, 'unchanged', true]);
      const key = { service, source: 'staff', dueAt: new Date('2026-03-30T00:15:00Z') };
      const told = {
        worker: 'one',
        noticedBy: 'start' as const,
        result: 'blackout' as const,
        reason: 'a holiday',
        runId: null,
      };
      assert.deepEqual(
        [await one.skipTick({ ...key, ...told }), await two.skipTick({ ...key, ...told })],
        [true, false],
      );
      assert.equal((await lastOf(service))?.reason, 'a holiday');
    });

    test('a time at which nothing had changed is a good one for whoever watches the source', async () => {
      const [service, source] = [unique('service'), unique('source')];
      const run = runOf(one, service, source);
      const key = { service, source, dueAt };
      await one.beginTick(key, { run, worker: run.worker, noticedBy: 'scheduler', sayBusy });
      await one.moveRun(run.id, 'fail');
      const goodAt = async () => (await one.measure()).sources.find((each) => each.source === source)?.goodAt;
      assert.equal(await goodAt(), null);
      await one.endTick(key, { worker: 'one', runId: run.id, result: 'unchanged', reason: '' });
      assert.ok((await goodAt()) instanceof Date);
    });

    test('of a schedule the last time is kept, the last good one, those still open, and those of the last day', async () => {
      const service = unique('service');
      const source = answersSchedule;
      const told = { worker: 'one', noticedBy: 'start' as const, reason: '', runId: null };
      const day = (date: number): Date => new Date(Date.UTC(2026, 2, date));
      const results = ['failed', 'kept', 'failed', 'failed', undefined, 'missed', 'blackout'] as const;
      for (const [at, result] of results.entries()) {
        const key = { service, source, dueAt: day(at + 1) };
        if (result) await one.skipTick({ ...key, ...told, result });
        else await one.beginTick(key, { ...told, sayBusy });
        // The first failure since answers were kept was told: no other one is, until they are kept again.
        if (at === 2) await one.announceAnswers([{ channel: 'mail', events: ['failed'] }]);
        if (result !== 'blackout') {
          await home.pool.query(`update ticks set ended_at = ended_at - interval '2 days' where service = $1`, [
            service,
          ]);
        }
      }
      await one.skipTick({ service, source, dueAt: day(20), ...told, result: 'busy' });
      const { rows } = await home.pool.query<{ due_at: Date; result: string | null }>(
        'select due_at, result from ticks where service = $1 order by due_at',
        [service],
      );
      assert.deepEqual(
        rows.map(({ due_at, result }) => [due_at.getUTCDate(), result]),
        [
          [2, 'kept'],
          [3, 'failed'],
          [5, null],
          [7, 'blackout'],
          [20, 'busy'],
        ],
      );
    });

    test('answers that are due are begun by one process, and taken over by one when that has died', async () => {
      const service = unique('service');
      const key = { service, source: answersSchedule, dueAt };
      const begun = await Promise.all(
        [one, two, two].map(({ beginTick, worker }) => beginTick(key, { worker, noticedBy: 'scheduler', sayBusy })),
      );
      assert.equal(begun.filter(({ kind }) => kind === 'begun').length, 1);
      const [tick] = await one.openTicks({ service, worker: 'three', deadAfterMs: 0 });
      assert.ok(tick?.isAbandoned);
      const taken = await Promise.all(['three', 'four'].map((worker) => one.takeOverTick(tick, worker)));
      assert.equal(taken.filter(Boolean).length, 1);
      const ended = { runId: null, result: 'kept' as const, reason: '' };
      await one.endTick(key, { worker: tick.worker, ...ended });
      const stillOpen = await one.openTicks({ service, worker: 'five', deadAfterMs: 0 });
      assert.equal(stillOpen.length, 1, 'whoever was taken for dead cannot end it');
      await one.endTick(key, { worker: stillOpen[0]?.worker ?? '', ...ended });
      assert.deepEqual(await one.openTicks({ service, worker: 'five', deadAfterMs: 0 }), []);
      const { rows } = await home.pool.query<object>('select result, run_id from ticks where service = $1', [service]);
      assert.deepEqual(rows, [{ result: 'kept', run_id: null }]);
    });

    test('times count from when a schedule was configured or changed, and one that is gone is forgotten', async () => {
      const service = unique('service');
      const [monday, tuesday] = [new Date('2026-03-30T12:00Z'), new Date('2026-03-31T12:00Z')];
      const keepAs = (isAlone: boolean, now: Date, ...schedules: { source: string; cron: string }[]) =>
        one.keepSchedules(service, { schedules: schedules.map((each) => ({ ...daily, ...each })), now, isAlone });
      const keep = (now: Date, ...schedules: { source: string; cron: string }[]) => keepAs(true, now, ...schedules);
      await keep(monday, { source: 'a', cron: '1 2 * * *' }, { source: 'b', cron: '1 2 * * *' });
      await keep(tuesday, { source: 'a', cron: '1 2 * * *' }, { source: 'b', cron: '1 3 * * *' });
      const since = async () => (await one.listSchedules(service)).map(({ source, since }) => [source, since]);
      assert.deepEqual(await since(), [
        ['a', monday],
        ['b', tuesday],
      ]);
      await keepAs(false, tuesday, { source: 'b', cron: '1 3 * * *' });
      assert.equal((await since()).length, 2, 'it may be that of another process');
      await keep(tuesday, { source: 'b', cron: '1 3 * * *' });
      assert.deepEqual(await since(), [['b', tuesday]]);
    });

    test('what a process has begun and died over is taken over once; what it had released is not begun again', async () => {
      const service = unique('service');
      await one.keepSchedules(service, { schedules: [{ source: 'staff', ...daily }], now: new Date(0), isAlone: true });
      const { run } = await begin(one, service);
      const asking = { service, worker: 'two', deadAfterMs: 60_000 };
      await one.beat('one', 60_000);
      await two.beat('two', 60_000);
      await home.pool.query("update workers set alive_since = clock_timestamp() - interval '1 hour' where id = 'two'");
      assert.deepEqual(
        (await two.openTicks(asking)).map(({ isAbandoned }) => isAbandoned),
        [false],
      );
      await home.pool.query("update workers set seen_at = clock_timestamp() - interval '2 min' where id = 'one'");
      const [tick] = await two.openTicks(asking);
      assert.ok(tick?.isAbandoned);
      const again = [runOf(two, service), runOf(two, service)];
      const tookOver = await Promise.all(again.map((each) => two.takeOverTick(tick, 'two', each)));
      assert.equal(tookOver.filter(Boolean).length, 1);
      const [before] = await one.findRuns(run.id);
      assert.equal(before?.status, 'failed');
      await assert.rejects(one.releaseRun(run.id, false), /took this one for dead/);

      const [taken] = await two.openTicks({ ...asking, worker: 'two' });
      const mine = again.find(({ id }) => id === taken?.runId);
      assert.ok(taken && mine);
      await two.moveRun(mine.id, 'release');
      assert.equal(await two.takeOverTick(taken, 'two', runOf(two, service)), false);
      assert.equal((await lastOf(service))?.result, 'delivering');
    });

    test('what failed since its process was taken for dead is begun again', async () => {
      const service = unique('service');
      const { run } = await begin(one, service);
      await two.moveRun(run.id, 'fail', { by: 'service', reason: 'its process died' });
      const [tick] = await two.openTicks({ service, worker: 'two', deadAfterMs: 60_000 });
      assert.ok(tick);
      const again = runOf(two, service);
      assert.equal(await two.takeOverTick(tick, 'two', again), true);
      assert.equal((await one.findRuns(again.id))[0]?.status, 'planning');
    });
  });
}
