import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { startSchedule } from '../../src/server/schedule.ts';
import { csvOf, eventually } from '../support/cli.ts';
import { environmentOf, schedulePlace, type Server, seenTo } from './schedule-place.ts';

const config = (cron: string): string =>
  `sources:\n  staff: { file: ./staff.csv, schedule: { cron: "${cron}", timezone: Europe/Copenhagen } }\n`;

let sandbox: Sandbox;
before(async () => {
  sandbox = await startSandbox();
});
after(() => sandbox.close());

suite('the watchdog', () => {
  let server: Server;
  let now = new Date('2026-03-28T12:00Z');
  let place: ReturnType<typeof schedulePlace>;
  before(async () => {
    place = schedulePlace(config('15 2 * * *'), environmentOf(sandbox));
    place.write('staff.csv', csvOf(3));
    server = await place.open();
  });
  after(() => server.close());

  test('starts what is due when nothing woke the process, says so, and says when all is well again', async () => {
    const { context } = server;
    const openScheduler: typeof context.openScheduler = async (onTick) => {
      const scheduler = await context.openScheduler(onTick);
      let asked = 0;
      return { ...scheduler, keep: (kept) => (++asked === 1 ? new Promise(() => {}) : scheduler.keep(kept)) };
    };
    const silent = { ...context, openScheduler };
    const running = await startSchedule(silent, { poke: () => {}, now: () => now, lookEveryMs: 5 });
    assert.deepEqual(running.problems(), []);
    now = new Date('2026-03-29T01:16Z');
    assert.equal(running.noticedLate(), 0, 'one minute after it was due, the scheduler may still be on its way');
    now = new Date('2026-03-29T01:17Z');
    await eventually('the watchdog has noticed', () => running.noticedLate() === 1);
    await eventually('all is well again', () => running.problems().length === 0);
    await running.stop();
    assert.deepEqual(
      (await seenTo(server)).map((time) => time.slice(0, 22)),
      ['staff 2026-03-29T01:15'],
    );
    const [state] = await server.context.ledger.listSchedules(server.context.service.address);
    assert.equal(state?.last?.noticedBy, 'watchdog');
  });

  test('what becomes due while the scheduler is being opened begins at once', async () => {
    const { context } = server;
    const openScheduler: typeof context.openScheduler = async (onTick) => {
      now = new Date('2026-03-30T00:15:02Z');
      return await context.openScheduler(onTick);
    };
    const running = await startSchedule({ ...context, openScheduler }, { poke: () => {}, now: () => now });
    let latest = '';
    await eventually('the run has begun', () => {
      void context.ledger.listSchedules(context.service.address).then(([state]) => {
        latest = `${state?.last?.dueAt.toISOString()} ${state?.last?.noticedBy}`;
      });
      return latest === '2026-03-30T00:15:00.000Z start';
    });
    await running.stop();
  });

  test('ends at once although it has only just begun, and leaves nothing open', { timeout: 10_000 }, async () => {
    const running = await startSchedule(server.context, { poke: () => {}, now: () => now });
    await running.stop();
  });

  test('a source without a schedule is forgotten at the next start, by ledger and queue', async () => {
    await server.close();
    place.write('roster-sync.yaml', 'sources:\n  staff: { file: ./staff.csv }\n');
    server = await place.open();
    const { context } = server;
    const woken: string[] = [];
    const running = await startSchedule(context, { poke: () => {}, now: () => now });
    assert.deepEqual(await context.ledger.listSchedules(context.service.address), []);
    const scheduler = await context.openScheduler((source) => woken.push(source));
    let stopped: string[] = [];
    await eventually('the queue has forgotten it', () => {
      void scheduler.stopped(['staff'], new Date()).then((sources) => (stopped = sources));
      return stopped.length > 0;
    });
    await scheduler.close();
    await running.stop();
    assert.deepEqual(woken, []);
  });
});
