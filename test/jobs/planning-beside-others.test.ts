import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../config/load.ts';
import { planRoster } from '../../jobs/run/plan-roster.ts';
import { type Context, openContext } from '../../src/wiring/context.ts';
import type { Rate } from '../../src/core/pace/pacing.ts';
import { scaleTempo, tempo, type Tempo } from '../../src/core/pace/waiting-times.ts';
import { createLogger } from '../../src/process/logger.ts';
import { findRun, readReport } from '../../src/report/run/read-report.ts';
import { stateWord } from '../../src/report/run/run-report.ts';
import { openRoster } from '../../src/roster/open-roster.ts';
import { postgresSkipReason, testPostgres } from '../support/postgres.ts';
import { redisSkipReason, freshRedis } from '../support/redis.ts';

const base = 'http://127.0.0.1:9';

async function openPlace(t: TestContext, given?: Tempo): Promise<() => Promise<Context>> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-planning-'));
  const environment = {
    REDIS_URL: (await freshRedis()).url,
    DATABASE_URL: await (await testPostgres()).freshLedger(),
    ROSTER_SYNC_BASE_URL: base,
    ROSTER_SYNC_TOKEN: 'bm9ib2R5',
    ROSTER_SYNC_DATA_DIR: join(folder, 'data'),
  };
  const config = loadConfig({ environment, cwd: folder });
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return async () => {
    const log = createLogger({ quiet: true });
    const context = await openContext({ config, log, command: 'test', create: true, ...(given && { tempo: given }) });
    t.after(() => context.close());
    return context;
  };
}

suite('planning beside other processes', { skip: redisSkipReason || postgresSkipReason }, () => {
  test('a worker that starts while another process plans leaves that plan alone', async (t) => {
    const open = await openPlace(t);
    const context = await open();
    const rate = await planOne(context, 'planned1');
    await (await open()).openDelivery(rate);
    await context.ledger.releaseRun('planned1', false);
    const [run] = await context.ledger.findRuns('planned1');
    assert.equal(run?.status, 'delivering');
  });

  test('a released run that no process delivers is said to be without a worker, until one gives signs of life', async (t) => {
    const open = await openPlace(t);
    const planner = await open();
    const rate = await planOne(planner, 'planned4');
    await planner.ledger.releaseRun('planned4', false);
    await planner.ledger.leave(planner.ledger.worker);
    const looker = await open();
    const state = async () => stateWord(await readReport(looker, await findRun(looker, 'planned4')));
    assert.equal(await state(), 'without a worker');
    await (await open()).openDelivery(rate);
    assert.equal(await state(), 'delivering');
  });

  test('the plan of a dead process blocks neither the next plan nor a dry run', async (t) => {
    const context = await (await openPlace(t))();
    const { concurrency: _, ...settings } = (await loadDefaults()).delivery;
    const dead = { id: 'dead2', source: 'people', service: base, trigger: 'import', settings, worker: 'gone' } as const;
    await context.ledger.createRun(dead);
    await planOne(context, 'planned2');
    assert.equal((await context.ledger.findRuns('dead2'))[0]?.status, 'failed');
  });

  test('a long-running process gives up the plan of a process that dies later', async (t) => {
    const { ledger, stayAlive } = await (await openPlace(t, scaleTempo(tempo, 0.05)))();
    await stayAlive();
    const { concurrency: _, ...settings } = (await loadDefaults()).delivery;
    const run = { id: 'dead3', source: 'people', service: base, trigger: 'api', settings, worker: 'gone' } as const;
    await ledger.createRun(run);
    const until = performance.now() + 20_000;
    while ((await ledger.findRuns('dead3'))[0]?.status === 'planning' && performance.now() < until) await sleep(50);
    assert.equal((await ledger.findRuns('dead3'))[0]?.status, 'failed');
    await ledger.createRun({ ...run, id: 'next3', worker: ledger.worker });
    await sleep(1000);
    assert.equal((await ledger.findRuns('next3'))[0]?.status, 'planning');
  });

  test('what was given up while it was planned is not released', async (t) => {
    const { ledger } = await (await openPlace(t))();
    const { concurrency: _, ...settings } = (await loadDefaults()).delivery;
    await ledger.createRun({
      id: 'dead1',
      source: 'people',
      service: base,
      trigger: 'import',
      settings,
      worker: 'gone',
    });
    await ledger.failOrphanedPlans(0);
    await assert.rejects(ledger.releaseRun('dead1', false), /took this one for dead.*start it again/);
  });
});

/** Plans a roster of one person, and leaves it in `planning`. Returns the rate it would be delivered with. */
async function planOne(context: Context, runId: string): Promise<Rate> {
  const path = join(context.directory?.path ?? '', 'people.csv');
  writeFileSync(path, 'firstname,lastname,email,groups\nAnn,Lee,ann@example.com,Staff\n');
  const { concurrency: _, rate, ...settings } = context.config.delivery;
  await planRoster(context, {
    run: {
      ...{ id: runId, source: 'people', service: base, trigger: 'import', worker: context.ledger.worker },
      settings: { ...settings, rate },
    },
    open: async () => ({
      roster: await openRoster(path, {}),
      columns: { map: {}, groups: [], groupColumns: [] },
    }),
    only: [],
    all: false,
    onRows: () => {},
  });
  return rate;
}

async function loadDefaults(): Promise<ReturnType<typeof loadConfig>> {
  return loadConfig({ environment: {}, cwd: tmpdir() });
}
