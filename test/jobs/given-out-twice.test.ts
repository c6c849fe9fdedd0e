import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '../../config/load.ts';
import { planRoster, startDelivering, waitForRun } from '../../jobs/index.ts';
import { openContext } from '../../src/context.ts';
import { createLogger } from '../../src/logger.ts';
import { openRoster } from '../../src/roster/open-roster.ts';
import { csvOf, envOf } from '../support/cli.ts';
import { copyEmptyDataDirectory } from '../support/empty-data-directory.ts';
import { openSandbox } from '../support/sandbox.ts';

test(
  'a job that the queue gives out a second time while the first waits for its slot is called once',
  { timeout: 30_000 },
  async (t) => {
    const sandbox = await openSandbox(t, { faults: ['latency=30'] });
    const folder = mkdtempSync(join(tmpdir(), 'roster-sync-twice-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const environment = { ...envOf(sandbox), ROSTER_SYNC_DATA_DIR: join(folder, 'data') };
    const config = loadConfig({ environment, cwd: folder });
    await copyEmptyDataDirectory(config.dataDir);
    const context = await openContext({ config, log: createLogger({ quiet: true }), command: 'test', create: true });
    t.after(() => context.close());
    const path = join(folder, 'people.csv');
    writeFileSync(path, csvOf(20));
    const { concurrency, ...settings } = config.delivery;
    const delivery = await context.openDelivery(settings.rate);
    await planRoster(context, {
      runId: 'twice',
      source: 'people',
      service: delivery.service.address,
      trigger: 'import',
      settings,
      roster: await openRoster(path, {}),
      columns: { map: {}, groups: [], groupColumns: [] },
      only: [],
      all: false,
      onRows: () => {},
    });
    await context.ledger.releaseRun('twice', false);
    // What BullMQ does with a job whose lock has run out.
    const queue: typeof delivery.queue = {
      ...delivery.queue,
      work: (deliver, jobs) =>
        delivery.queue.work(async (fed) => void (await Promise.all([deliver(fed), deliver(fed)])), jobs),
    };
    const deliverer = startDelivering({ ...delivery, queue }, { concurrency });
    const signal = AbortSignal.timeout(20_000);
    await Promise.race([waitForRun(delivery, { runId: 'twice', onCounts: () => {}, signal }), deliverer.failure]);
    await deliverer.stop();
    assert.equal(sandbox.calls.length, 20);
    assert.equal(new Set(sandbox.calls.map(({ email }) => email)).size, 20);
  },
);
