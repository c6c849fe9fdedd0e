import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { loadConfig } from '../../config/load.ts';
import { lookAtRun, startDelivering, waitForRun } from '../../jobs/deliver/deliver.ts';
import { planRoster } from '../../jobs/run/plan-roster.ts';
import { type Context, type DeliveryContext, openContext } from '../../src/wiring/context.ts';
import type { Tempo } from '../../src/core/pace/waiting-times.ts';
import { createLogger } from '../../src/process/logger.ts';
import { openRoster } from '../../src/roster/open-roster.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf } from '../support/cli.ts';
import { copyEmptyDataDirectory } from '../support/empty-data-directory.ts';

/** What is released, where, and how its time passes. */
export interface ReleasedRunOptions {
  people: number;
  sandbox: Sandbox;
  /** A ledger in PostgreSQL; without it, one in the data directory. */
  databaseUrl?: string;
  tempo?: Tempo;
  /** More of its environment. */
  environment?: Readonly<Record<string, string>>;
}

/** A run that was released and of which nothing was taken, with its id. */
export interface ReleasedRun {
  runId: string;
  context: Context;
  delivery: DeliveryContext;
  /** Delivers with this until the run has ended; fails after 20 seconds. */
  deliver(delivery: DeliveryContext): Promise<void>;
}

/** Plans and releases a run of made-up people; the data directory is gone after the test. */
export async function releaseRun(t: TestContext, options: ReleasedRunOptions): Promise<ReleasedRun> {
  const { people, sandbox, databaseUrl, tempo, environment: more } = options;
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-released-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const ofLedger = databaseUrl !== undefined && { DATABASE_URL: databaseUrl };
  const environment = { ...envOf(sandbox), ROSTER_SYNC_DATA_DIR: join(folder, 'data'), ...ofLedger, ...more };
  const config = loadConfig({ environment, cwd: folder });
  if (databaseUrl === undefined) await copyEmptyDataDirectory(config.dataDir);
  const log = createLogger({ quiet: true });
  const context = await openContext({ config, log, command: 'test', create: true, ...(tempo && { tempo }) });
  t.after(() => context.close());
  const path = join(folder, 'people.csv');
  writeFileSync(path, csvOf(people));
  const { concurrency, ...settings } = config.delivery;
  const delivery = await context.openDelivery(settings.rate);
  const runId = 'released';
  await planRoster(context, {
    run: {
      ...{ id: runId, source: 'people', service: delivery.service.address, trigger: 'import', settings },
      worker: context.ledger.worker,
    },
    open: async () => ({
      roster: await openRoster(path, {}),
      columns: { map: {}, groups: [], groupColumns: [] },
    }),
    ...{ only: [], all: false, onRows: () => {} },
  });
  await context.ledger.releaseRun(runId, false);

  async function deliver(used: DeliveryContext): Promise<void> {
    const deliverer = startDelivering(used, { concurrency });
    const signal = AbortSignal.timeout(20_000);
    await Promise.race([
      waitForRun((isInterrupted) => lookAtRun(used, runId, isInterrupted), signal),
      deliverer.failure,
    ]);
    await deliverer.stop();
  }
  return { runId, context, delivery, deliver };
}
