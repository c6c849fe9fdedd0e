import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '../../config/load.ts';
import { planRoster, startDelivering, waitForRun } from '../../jobs/index.ts';
import { openContext } from '../../src/context.ts';
import { scaleTempo, tempo } from '../../src/core/tempo.ts';
import { createLogger } from '../../src/logger.ts';
import { openRoster } from '../../src/roster/open-roster.ts';
import { csvOf, envOf } from '../support/cli.ts';
import { postgresSkipReason, testPostgres } from '../support/postgres.ts';
import { openSandbox } from '../support/sandbox.ts';

test(
  'with PostgreSQL alone, what was taken for the queue and never came there is sent',
  { timeout: 60_000, skip: postgresSkipReason },
  async (t) => {
    const sandbox = await openSandbox(t);
    const folder = mkdtempSync(join(tmpdir(), 'roster-sync-lost-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const environment = {
      ...envOf(sandbox),
      DATABASE_URL: await (await testPostgres()).freshDatabase(),
      ROSTER_SYNC_DATA_DIR: join(folder, 'data'),
    };
    const config = loadConfig({ environment, cwd: folder });
    const log = createLogger({ quiet: true });
    const context = await openContext({ config, log, command: 'test', create: true, tempo: scaleTempo(tempo, 0.1) });
    t.after(() => context.close());
    const path = join(folder, 'people.csv');
    writeFileSync(path, csvOf(5));
    const { concurrency, ...settings } = config.delivery;
    const delivery = await context.openDelivery(settings.rate);
    await planRoster(context, {
      runId: 'lost',
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
    await context.ledger.releaseRun('lost', false);
    // The connection broke when it was answered: nobody knows of these.
    assert.equal((await context.ledger.takeDue('lost', 3)).length, 3);
    const deliverer = startDelivering(delivery, { concurrency });
    const signal = AbortSignal.timeout(30_000);
    await Promise.race([waitForRun(delivery, { runId: 'lost', onCounts: () => {}, signal }), deliverer.failure]);
    await deliverer.stop();
    assert.equal((await context.ledger.findRuns('lost'))[0]?.status, 'finished');
    assert.equal(sandbox.calls.length, 5);
  },
);
