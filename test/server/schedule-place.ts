import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loadConfig } from '../../config/load.ts';
import { runSource } from '../../jobs/run/run-source.ts';
import { startDelivering } from '../../jobs/deliver/deliver.ts';
import { type DeliveryContext, openContext } from '../../src/wiring/context.ts';
import { configuredSchedules } from '../../src/core/run/schedule.ts';
import type { Run } from '../../src/ledger/runs/runs.ts';
import { createLogger } from '../../src/process/logger.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { DueRuns } from '../../src/server/schedule.ts';
import { copyEmptyDataDirectory } from '../support/empty-data-directory.ts';

/** The environment of a sandbox and of servers, with a quick pace. */
export function environmentOf(sandbox: Sandbox, servers: Record<string, string> = {}): Record<string, string> {
  return {
    ROSTER_SYNC_BASE_URL: sandbox.url,
    ROSTER_SYNC_TOKEN: sandbox.token,
    ROSTER_SYNC__DELIVERY__RATE__LIMIT: '500',
    ...servers,
  };
}

/** One process that serves, without a port: it delivers, and begins what is due at the times that a test tells. */
export interface Server {
  context: DeliveryContext;
  runs: DueRuns;
  /** What came of each time that it saw handled. */
  seen: Map<string, string>;
  close(): Promise<void>;
}

/** A folder with a config, in which servers run. */
export interface SchedulePlace {
  folder: string;
  write(name: string, text: string): void;
  open(): Promise<Server>;
}

/** Makes a folder with this config; it is removed when the process ends. */
export function schedulePlace(config: string, environment: Record<string, string>): SchedulePlace {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-schedule-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('roster-sync.yaml', config);
  return {
    folder,
    write,
    async open() {
      const settings = loadConfig({ environment, cwd: folder });
      const isEmbedded = environment['DATABASE_URL'] === undefined;
      if (isEmbedded && !existsSync(settings.dataDir)) await copyEmptyDataDirectory(settings.dataDir);
      const log = createLogger({ quiet: true });
      const opened = await openContext({ config: settings, log, command: 'serve', create: true });
      const context = await opened.openDelivery(settings.delivery.rate);
      const deliverer = startDelivering(context, { concurrency: 5 });
      const runs = new DueRuns({ context, schedules: configuredSchedules(settings), poke: deliverer.poke });
      return {
        context,
        runs,
        seen: new Map(),
        async close() {
          await runs.stop();
          await deliverer.stop();
          await context.close();
        },
      };
    },
  };
}

/** Times of the schedules of a server's config count from here. */
export async function beginAt({ context }: Server, now: Date): Promise<void> {
  const schedules = [...configuredSchedules(context.config)].map(([source, { cron, timezone }]) => ({
    source,
    cron,
    timezone,
  }));
  await context.ledger.keepSchedules(context.service.address, { schedules, now, isAlone: true });
}

/** Waits until a run no longer delivers. */
export async function ended({ context }: Server, runId: string): Promise<Run> {
  for (const end = performance.now() + 20_000; ; await pause(10)) {
    const [run] = await context.ledger.findRuns(runId);
    if (run && run.status !== 'delivering' && run.status !== 'planning') return run;
    if (performance.now() > end) throw new Error(`run ${runId} is still ${run?.status}`);
  }
}

/** What a person does first: looks at the plan, and says yes. */
export async function runWatched(server: Server, source: string): Promise<Run> {
  const { runId } = await runSource(server.context, { source, trigger: 'import' });
  return ended(server, runId);
}

/** Lets so many minutes pass at a time; each server notices what is due, and what it begins comes to its end. */
export async function passTime(
  servers: readonly Server[],
  {
    from,
    to,
    stepMinutes = 60,
    before,
  }: { from: string; to: string; stepMinutes?: number; before?: (now: Date) => void },
): Promise<void> {
  for (let at = Date.parse(from); at <= Date.parse(to); at += stepMinutes * 60_000) {
    const now = new Date(at);
    before?.(now);
    await Promise.all(servers.map(({ runs }) => runs.see({ now, noticedBy: 'scheduler' })));
    await Promise.all(servers.map(({ runs }) => runs.settled()));
    for (const server of servers) {
      for (const run of await server.context.ledger.unfinishedRuns()) {
        if (run.status === 'delivering') await ended(server, run.id);
      }
      await seenTo(server);
    }
  }
}

/** Every time that this server saw handled, in order, as `source due result`. The ledger keeps only the last ones. */
export async function seenTo({ context, seen }: Server): Promise<string[]> {
  for (const { source, last } of await context.ledger.listSchedules(context.service.address)) {
    if (last) seen.set(`${source} ${last.dueAt.toISOString().slice(0, 16)}`, String(last.result));
  }
  const byTime = (text: string): string => text.split(' ')[1] ?? '';
  return [...seen].map(([time, result]) => `${time} ${result}`).toSorted((a, b) => (byTime(a) < byTime(b) ? -1 : 1));
}
