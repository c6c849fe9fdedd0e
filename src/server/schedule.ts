// Keeps the schedules of the config, with a watchdog.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { DeliveryContext } from '../wiring/context.ts';
import { configuredSchedules } from '../core/run/schedule.ts';
import type { Scheduler } from '../queue/scheduler.ts';
import { DueRuns } from './due-runs.ts';
import type { ScheduleSigns, ServerParts } from './parts.ts';

/** How often the watchdog looks, ms. */
const lookEveryMs = 30_000;
/** The age, ms, at which the watchdog takes over what is due: the scheduler has stopped. */
const graceMs = 2 * 60_000;
/** The most a wake-up may come before the due time by this machine's clock, ms: clocks differ. */
const clockSlackMs = 60_000;

/** The longest wait, ms, of ending for a scheduler that is still being opened. */
const closeMs = 10_000;

export interface ScheduleOptions {
  /** A run was released: the delivering process looks at once. */
  poke(runId: string): void;
  now(): Date;
  lookEveryMs?: number;
  graceMs?: number;
}

export interface RunningSchedule extends ScheduleSigns {
  /** Stops checking, and aborts what is being read and planned; the next process to start takes it over. */
  stop(): Promise<void>;
}

/**
 * Keeps the schedules of the config: starts the run of a source, or asks for answers, when that is due. The ledger decides
 * what is due and which process handles it. The queue's scheduler only wakes this process on time; the watchdog checks
 * independently of it.
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
  await runs.takeOver(now());
  await runs.see({ now: now(), noticedBy: 'start' });

  let scheduler: Scheduler | undefined;
  let isStopped = false;
  let isLate = false;
  let late = 0;
  const failed = (error: unknown): void => {
    if (isStopped) return;
    isLate = true;
    log.error(
      { cause: error instanceof Error ? error.message : String(error) },
      'the schedule could not be looked after',
    );
  };
  function wake(source: string, dueAt: Date): void {
    const at = now();
    const isNear = Math.abs(dueAt.getTime() - at.getTime()) < clockSlackMs;
    runs.see({ now: isNear && dueAt > at ? dueAt : at, noticedBy: 'scheduler', source }).catch(failed);
  }
  async function begin(opened: Scheduler): Promise<void> {
    await opened.keep(listed);
    // The scheduler only reports times after this one, and opening it took a while.
    await runs.see({ now: now(), noticedBy: 'start' });
  }
  // Does not wait: an unreachable Redis must not keep the server from starting, and the watchdog works without it.
  const opening = context.openScheduler(wake).then((opened) => {
    scheduler = opened;
    if (!isStopped) begin(opened).catch(failed);
    return opened;
  });
  opening.catch(failed);

  async function look(): Promise<void> {
    await runs.takeOver(now());
    const seenTo = await runs.see({ now: now(), noticedBy: 'watchdog', afterMs: options.graceMs ?? graceMs });
    late += seenTo.length;
    if (seenTo.length > 0)
      log.error({ sources: seenTo }, 'the scheduler did not report what was due; the watchdog noticed');
    isLate = seenTo.length > 0;
    const stopped = await scheduler?.stopped([...schedules.keys()], now());
    if (!scheduler || stopped?.length === 0) return;
    isLate = true;
    await scheduler.keep(listed);
  }
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look()
      .catch(failed)
      .finally(() => {
        isLooking = false;
      });
  }, options.lookEveryMs ?? lookEveryMs);

  return {
    problems: () => (isLate ? ['the scheduler has stopped; what is due begins late'] : []),
    noticedLate: () => late,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      const closed = opening.then(
        (opened) => opened.close(),
        () => {},
      );
      // Closing does not wait for one that cannot be opened now; it waits for one that is being opened, which would outlive the ledger.
      await Promise.all([within(closeMs, closed), runs.stop()]);
    },
  };
}

/** Waits for something, but no longer than the given ms. */
async function within(ms: number, something: Promise<void>): Promise<void> {
  const done = new AbortController();
  await Promise.race([something, sleep(ms, undefined, done).catch(() => {})]);
  done.abort();
}

const nothingToKeep: RunningSchedule = { problems: () => [], noticedLate: () => 0, stop: () => Promise.resolve() };

/** For as long as the server is open. */
export async function registerSchedule(app: FastifyInstance, parts: ServerParts): Promise<void> {
  const running = await startSchedule(parts.context, { poke: parts.poke, now: () => new Date() });
  parts.schedule = running;
  app.addHook('onClose', running.stop);
}
