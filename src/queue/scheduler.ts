// Wakes a process when a source is due.
import type { QueueOptions } from 'bullmq';
import { nextDue, type Timetable } from '../core/run/schedule.ts';
import type { Tempo } from '../core/pace/waiting-times.ts';
import { closeWorker, openBull, type QueueHome } from './bull.ts';

/** Wakes a process when a source is due. The ledger decides what is due, and which process handles it. */
export interface Scheduler {
  /** Sets these schedules and no others. Unchanged ones stay untouched: removing and adding one again loses times. */
  keep(schedules: readonly (Timetable & { source: string })[]): Promise<void>;
  /** The sources, of these, that will not be woken for by themselves any more: a scheduler is lost, or stands still. */
  stopped(sources: readonly string[], now: Date): Promise<string[]>;
  close(): Promise<void>;
}

export interface SchedulerOptions {
  /** Hears that a source is due, and since when. It must return at once: its job is nothing but the wake-up. */
  onTick(source: string, dueAt: Date): void;
  /** Gets connection errors, which the scheduler itself survives. */
  onError(error: Error): void;
  tempo: Tempo;
  /** When a source is due next, in place of the truth, for tests. */
  next?: typeof nextDue;
}

/** What a wake-up carries. */
interface WakeUp {
  source: string;
}

const name = 'tick';
/** A scheduler whose next time is longer ago than this stands still. */
const lateMs = 60_000;

/** BullMQ's own reckoning leaves out times that the clocks skip at midnight: it is told ours. */
function settingsOf(next: typeof nextDue): NonNullable<QueueOptions['settings']> {
  const repeatStrategy = (millis: number, { pattern = '', tz = 'UTC' }: { pattern?: string; tz?: string }) =>
    next({ cron: pattern, timezone: tz }, new Date(millis))?.getTime();
  return { repeatStrategy };
}

/** Opens the scheduler of a service; what it is to wake for, `keep` says. */
export async function openScheduler(home: QueueHome, options: SchedulerOptions): Promise<Scheduler> {
  const { onTick, onError, tempo, next = nextDue } = options;
  const bull = await openBull<WakeUp>(home, 'schedule', { onError, tempo, settings: settingsOf(next) });
  const { queue } = bull;
  const worker = bull.work(async ({ data, opts }) => onTick(data.source, new Date(opts.prevMillis ?? 0)));
  return {
    async keep(schedules) {
      const sources = new Set(schedules.map(({ source }) => source));
      for (const { key } of await queue.getJobSchedulers()) {
        if (!sources.has(key)) await queue.removeJobScheduler(key);
      }
      for (const { source, cron, timezone } of schedules) {
        await queue.upsertJobScheduler(source, { pattern: cron, tz: timezone }, { name, data: { source } });
      }
    },
    async stopped(sources, now) {
      const kept = await queue.getJobSchedulers();
      return sources.filter((source) => {
        const next = kept.find(({ key }) => key === source)?.next ?? 0;
        return next < now.getTime() - lateMs;
      });
    },
    async close() {
      await closeWorker(worker);
      await bull.close();
    },
  };
}
