// Keeps the schedules of the config: one timer, over what the ledger says is due.
import type { FastifyInstance } from 'fastify';
import type { DeliveryContext } from '../wiring/context.ts';
import { configuredSchedules, nextDue } from '../core/run/schedule.ts';
import type { NoticedBy } from '../ledger/runs/ticks.ts';
import { DueRuns } from './due-runs.ts';
import type { ScheduleSigns, ServerParts } from './parts.ts';

/**
 * The longest time, ms, without a check: another process may have died over what was due, a clock may have been set, or a
 * machine have slept.
 */
const lookEveryMs = 30_000;

export interface ScheduleOptions {
  /** A run was released: the delivering process looks at once. */
  poke(runId: string): void;
  now(): Date;
  lookEveryMs?: number;
}

export interface RunningSchedule extends ScheduleSigns {
  /** Stops checking, and aborts what is being read and planned; the next process to start takes it over. */
  stop(): Promise<void>;
}

/**
 * Keeps the schedules of the config: starts the run of a source, or asks for answers, when that is due. The ledger decides
 * what is due, and which of the processes that notice handles it.
 */
export async function startSchedule(context: DeliveryContext, options: ScheduleOptions): Promise<RunningSchedule> {
  const { config, ledger, log, service } = context;
  const { poke, now } = options;
  const schedules = configuredSchedules(config);
  const listed = [...schedules].map(([source, { cron, timezone }]) => ({ source, cron, timezone }));
  const runs = new DueRuns({ context, schedules, poke });
  const known = await ledger.listSchedules(service.address);
  if (listed.length === 0 && known.length === 0) return nothingToKeep;
  await ledger.keepSchedules(service.address, { schedules: listed, now: now() });

  async function look(noticedBy: NoticedBy): Promise<void> {
    await runs.takeOver(now());
    await runs.see({ now: now(), noticedBy });
  }
  let isStopped = false;
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  function waitForNext(): void {
    const from = now();
    const next = listed.map((timetable) => nextDue(timetable, from)?.getTime() ?? Infinity);
    const waitMs = Math.min(options.lookEveryMs ?? lookEveryMs, ...next.map((at) => at - from.getTime()));
    timer = setTimeout(() => void lookAgain(), waitMs);
  }
  async function lookAgain(): Promise<void> {
    try {
      await look('scheduler');
      isLate = false;
    } catch (error) {
      if (isStopped) return;
      isLate = true;
      const cause = error instanceof Error ? error.message : String(error);
      log.error({ cause }, 'the schedules could not be looked after');
    }
    if (!isStopped) waitForNext();
  }
  await look('start');
  waitForNext();

  return {
    problems: () => (isLate ? ['the schedules cannot be looked after; what is due begins late'] : []),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await runs.stop();
    },
  };
}

const nothingToKeep: RunningSchedule = { problems: () => [], stop: () => Promise.resolve() };

/** For as long as the server is open. */
export async function registerSchedule(app: FastifyInstance, parts: ServerParts): Promise<void> {
  const running = await startSchedule(parts.context, { poke: parts.poke, now: () => new Date() });
  parts.schedule = running;
  app.addHook('onClose', running.stop);
}
