import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { loadConfig } from '../../config/load.ts';
import { createFigures } from '../../src/process/figures.ts';
import { createLogger } from '../../src/process/logger.ts';
import { createApp, createWorkerApp } from '../../src/server/app.ts';
import { openContext } from '../../src/wiring/context.ts';
import { postgresSkipReason, testPostgres } from '../support/postgres.ts';
import { type OwnRedis, redisSkipReason, startRedis } from '../support/redis.ts';

/** What `serve` and `worker` answer over PostgreSQL and a Redis of their own. */
async function openApps(t: TestContext): Promise<{ redis: OwnRedis; serve: FastifyInstance; worker: FastifyInstance }> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-metrics-'));
  const [postgres, redis] = await Promise.all([testPostgres(), startRedis()]);
  const environment = {
    DATABASE_URL: await postgres.freshLedger(),
    REDIS_URL: redis.url,
    ROSTER_SYNC_BASE_URL: 'http://127.0.0.1:1',
    ROSTER_SYNC_TOKEN: 'dG9rZW4tb2YtYS10ZXN0',
  };
  const config = loadConfig({ cwd: folder, environment });
  const umask = process.umask();
  const log = createLogger({ stream: { write: () => {} } });
  const figures = createFigures({ version: '1.2.3', mode: 'production' });
  const opened = await openContext({ config, log, command: 'worker', create: true, figures });
  process.umask(umask);
  const context = await opened.openDelivery(config.delivery.rate);
  const parts = { context, host: '127.0.0.1', notReady: () => Promise.resolve([]), poke: () => {} };
  const worker = await createWorkerApp(parts);
  const other = { ...context, figures: createFigures({ version: '1.2.3', mode: 'production' }) };
  const serve = await createApp({ ...parts, context: other });
  t.after(async () => {
    await Promise.all([worker.close(), serve.close()]);
    await context.close();
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { redis, serve, worker };
}

async function metricsOf(app: FastifyInstance): Promise<string> {
  const { statusCode, body } = await app.inject({ url: '/metrics', headers: { host: '127.0.0.1' } });
  assert.equal(statusCode, 200, body);
  return body;
}

suite(
  'the figures of processes that share Redis and PostgreSQL',
  { skip: postgresSkipReason || redisSkipReason },
  () => {
    test('are answered while Redis refuses to write and while it is away, without those that cannot be known', async (t) => {
      const { redis, serve, worker } = await openApps(t);
      assert.match(await metricsOf(serve), /^roster_sync_reachable\{part="pace"\} 1$/m);
      // Out of memory, too few replicas, and a replica that has lost its primary: some also refuse to be asked.
      const states: [string[][], string[][], boolean][] = [
        [[['CONFIG', 'SET', 'maxmemory', '1']], [['CONFIG', 'SET', 'maxmemory', '0']], false],
        [[['CONFIG', 'SET', 'min-replicas-to-write', '1']], [['CONFIG', 'SET', 'min-replicas-to-write', '0']], false],
        [
          [
            ['CONFIG', 'SET', 'replica-serve-stale-data', 'no'],
            ['REPLICAOF', '127.0.0.1', '1'],
          ],
          [['REPLICAOF', 'NO', 'ONE']],
          true,
        ],
      ];
      for (const [begin, end, isUnknown] of states) {
        for (const command of begin) await redis.command(...command);
        const refused = await metricsOf(serve);
        assert.match(refused, /^roster_sync_reachable\{part="ledger"\} 1$/m);
        assert.match(refused, /^roster_sync_due_deliveries 0$/m);
        if (isUnknown) {
          assert.match(refused, /^roster_sync_reachable\{part="queue"\} 0$/m);
          assert.doesNotMatch(refused, /^roster_sync_queue_jobs /m);
        }
        for (const command of end) await redis.command(...command);
        assert.match(await metricsOf(serve), /^roster_sync_reachable\{part="queue"\} 1$/m);
      }
      await redis.stop();
      const away = await metricsOf(worker);
      assert.match(away, /^roster_sync_reachable\{part="queue"\} 0$/m);
      assert.doesNotMatch(away, /^roster_sync_queue_jobs /m);
      await redis.start();
    });

    test('of a worker are its own: health, what it did, the pace; those of the ledger are left to the server', async (t) => {
      const { worker } = await openApps(t);
      const text = await metricsOf(worker);
      assert.match(text, /^roster_sync_build_info\{version="1\.2\.3",node="[\d.]+",mode="production"\} 1$/m);
      assert.match(text, /^roster_sync_pace_calls_per_second 5$/m);
      assert.doesNotMatch(text, /roster_sync_due_deliveries|roster_sync_reachable\{part="ledger"/);
      for (const [path, status] of [
        ['/healthz', 'alive'],
        ['/readyz', 'ready'],
      ] as const) {
        const { body } = await worker.inject({ url: path, headers: { host: 'worker-7.cluster.example' } });
        assert.equal((JSON.parse(body) as { status: string }).status, status);
      }
      assert.equal((await worker.inject({ url: '/metrics', headers: { host: 'evil.example' } })).statusCode, 403);
    });

    test('are all in docs/metrics.md, with their help', async (t) => {
      const { serve } = await openApps(t);
      const page = readFileSync(join(import.meta.dirname, '../../docs/metrics.md'), 'utf8');
      const shown = [...page.matchAll(/^\| `(roster_sync_\w+)` \|.*\| (.*) \|$/gm)].map(
        ([, name, help]) => `${name} ${help}`,
      );
      const helped = [...(await metricsOf(serve)).matchAll(/^# HELP (roster_sync_\w+ .*)$/gm)].map(
        ([, line]) => `${line}`,
      );
      assert.deepEqual(shown.toSorted(), helped.toSorted());
    });

    test('are the ones that the alerts and the dashboard of the examples ask for', async (t) => {
      const { serve } = await openApps(t);
      const known = new Set([...(await metricsOf(serve)).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
      const folder = join(import.meta.dirname, '../../examples/observability');
      for (const file of ['rules.yaml', 'grafana-dashboard.json']) {
        const text = readFileSync(join(folder, file), 'utf8');
        const asked = new Set([...text.matchAll(/\b(?:roster_sync|nodejs)_[a-z0-9_]+/g)].map(([name]) => name));
        const unknown = [...asked].filter((name) => !known.has(name.replace(/_bucket$/, '')));
        assert.deepEqual(unknown, [], file);
        assert.ok(asked.size > 8, file);
      }
    });
  },
);
