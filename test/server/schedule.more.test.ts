import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { DueRuns, type RunningSchedule, startSchedule } from '../../src/server/schedule.ts';
import { loadConfig } from '../../config/load.ts';
import { runSource } from '../../jobs/run/run-source.ts';
import { createLogger } from '../../src/process/logger.ts';
import { openContext } from '../../src/wiring/context.ts';
import { openHearing } from '../notify/hearing.ts';
import { csvOf, eventually } from '../support/cli.ts';
import { environmentOf, schedulePlace, type Server, seenTo } from './schedule-place.ts';

const config = (cron: string): string =>
  `sources:\n  staff: { file: ./staff.csv, schedule: { cron: "${cron}", timezone: Europe/Copenhagen } }\n`;

let sandbox: Sandbox;
before(async () => {
  sandbox = await startSandbox();
});
after(() => sandbox.close());

suite('the schedules of a process that serves', () => {
  let server: Server;
  let now = new Date('2026-03-28T12:00Z');
  let place: ReturnType<typeof schedulePlace>;
  before(async () => {
    place = schedulePlace(config('15 2 * * *'), environmentOf(sandbox));
    place.write('staff.csv', csvOf(3));
    server = await place.open();
  });
  after(() => server.close());

  const keep = (context = server.context, lookEveryMs?: number): Promise<RunningSchedule> =>
    startSchedule(context, { poke: () => {}, now: () => now, ...(lookEveryMs && { lookEveryMs }) });

  /** The last time that was handled, and who noticed it. */
  const last = async (): Promise<string> => {
    const [state] = await server.context.ledger.listSchedules(server.context.service.address);
    return `${state?.last?.dueAt.toISOString().slice(0, 16)} ${state?.last?.noticedBy}`;
  };
  async function until(expected: string): Promise<void> {
    let latest = '';
    await eventually(`the last time is ${expected}`, () => {
      void last().then((found) => (latest = found));
      return latest === expected;
    });
  }

  test('what is due by a clock that was set begins at the next check', async () => {
    const running = await keep(server.context, 5);
    assert.deepEqual(running.problems(), []);
    now = new Date('2026-03-29T01:17Z');
    await until('2026-03-29T01:15 scheduler');
    await running.stop();
  });

  test('of two that wait for the same time, one begins it, and it begins on time', async () => {
    let goesSince = Infinity;
    const clock = (): Date =>
      new Date(Date.parse('2026-03-30T00:14:59.700Z') + Math.max(0, performance.now() - goesSince));
    const both = await Promise.all([1, 2].map(() => startSchedule(server.context, { poke: () => {}, now: clock })));
    goesSince = performance.now();
    await until('2026-03-30T00:15 scheduler');
    // The next check that does not wait for a time is in half a minute.
    assert.ok(performance.now() - goesSince < 25_000);
    await Promise.all(both.map((running) => running.stop()));
    assert.deepEqual(
      (await seenTo(server)).map((time) => time.slice(0, 22)),
      ['staff 2026-03-30T00:15'],
    );
  });

  test('what became due while no process ran begins at once', async () => {
    now = new Date('2026-03-31T00:15:02Z');
    const running = await keep();
    assert.equal(await last(), '2026-03-31T00:15 start');
    await running.stop();
  });

  test('a ledger that cannot be asked is a problem until it can', async () => {
    const { context } = server;
    let isAway = false;
    const openTicks: typeof context.ledger.openTicks = (asked) =>
      isAway ? Promise.reject(new Error('away')) : context.ledger.openTicks(asked);
    const running = await keep({ ...context, ledger: { ...context.ledger, openTicks } }, 5);
    isAway = true;
    await eventually('it says so', () => running.problems().length === 1);
    isAway = false;
    await eventually('all is well again', () => running.problems().length === 0);
    await running.stop();
  });

  test('ends at once although it has only just begun, and leaves nothing open', { timeout: 10_000 }, async () => {
    const running = await keep();
    await running.stop();
  });

  test('a run that another process halted is told, though the one that delivers has nobody to tell', async (t) => {
    const { url, next } = await openHearing(t);
    const telling = schedulePlace(`notify: { webhook: "${url}" }\n${config('15 2 * * *')}`, environmentOf(sandbox));
    telling.write('staff.csv', csvOf(3).replaceAll('@', '@halted.'));
    const settings = loadConfig({ environment: environmentOf(sandbox), cwd: telling.folder });
    const opened = await openContext({
      config: settings,
      log: createLogger({ quiet: true }),
      command: 'serve',
      create: true,
    });
    t.after(() => opened.close());
    const context = await opened.openDelivery(settings.delivery.rate);
    const { runId } = await runSource(context, { source: 'staff', trigger: 'import' });
    await context.ledger.moveRun(runId, 'halt', { by: 'service', reason: 'HTTP 401' });
    const told = next();
    const running = await keep(context);
    assert.match((await told).body, /"run\.halted"/);
    await running.stop();
  });

  test('what another process began for a source that only its config has is left to it', async () => {
    const { ledger, service } = server.context;
    const key = { service: service.address, source: 'theirs', dueAt: new Date('2026-03-31T00:15Z') };
    await ledger.beginTick(key, { worker: 'gone', noticedBy: 'start', sayBusy: () => '' });
    const runs = new DueRuns({ context: server.context, schedules: new Map(), poke: () => {} });
    const open = async () =>
      (await ledger.openTicks({ service: service.address, worker: ledger.worker, deadAfterMs: 0 })).filter(
        ({ source }) => source === key.source,
      ).length;
    await runs.takeOver(now, { andOfOthers: false });
    assert.equal(await open(), 1);
    await runs.takeOver(now, { andOfOthers: true });
    assert.equal(await open(), 0);
  });

  test('a source without a schedule is forgotten at the next start', async () => {
    await server.close();
    place.write('roster-sync.yaml', 'sources:\n  staff: { file: ./staff.csv }\n');
    server = await place.open();
    const running = await keep();
    assert.deepEqual(await server.context.ledger.listSchedules(server.context.service.address), []);
    await running.stop();
  });
});
