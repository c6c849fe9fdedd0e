// Keeps the schedules of the config: one timer, over what the ledger says is due; starts those runs.
import type { FastifyInstance } from 'fastify';
import type { DeliveryContext } from '../wiring/context.ts';
import { configuredSchedules, nextDue, type Schedule } from '../core/run/schedule.ts';
import type { NoticedBy, TickKey } from '../ledger/runs/ticks.ts';
import type { ServerParts } from './parts.ts';
import { type DueRun, dueTime, noticeDue, takeOver } from '../../jobs/run/run-due.ts';
import { tendNotifications } from '../../jobs/run/announce.ts';

/**
 * The longest time, ms, without a check: another process may have died over what was due, a clock may have been set, or a
 * machine have slept.
 */
const lookEveryMs = 30_000;

interface ScheduleOptions {
  /** A run was released: the delivering process looks at once. */
  poke(runId: string): void;
  now(): Date;
  lookEveryMs?: number;
}

export type RunningSchedule = Awaited<ReturnType<typeof startSchedule>>;

/**
 * Keeps the schedules of the config: starts the run of a source, or asks for answers, when that is due. The ledger decides
 * what is due, and which of the processes that notice handles it.
 */
export async function startSchedule(context: DeliveryContext, options: ScheduleOptions) {
  const { config, ledger, log, service, tempo } = context;
  const { poke, now } = options;
  const schedules = configuredSchedules(config);
  const listed = [...schedules].map(([source, { cron, timezone }]) => ({ source, cron, timezone }));
  const runs = new DueRuns({ context, schedules, poke });

  async function look(noticedBy: NoticedBy): Promise<void> {
    // What is in no config of this process may be in that of another.
    const isFirst = noticedBy === 'start';
    const isAlone = isFirst && (await ledger.countAlive(tempo.deadAfterMs, ledger.worker)) === 0;
    if (isFirst) await ledger.keepSchedules(service.address, { schedules: listed, now: now(), isAlone });
    // The process that leads delivering may have nobody to tell.
    await tendNotifications(context);
    await runs.takeOver(now(), { andOfOthers: isAlone });
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
    /** What is wrong, in a few words each. */
    problems: () => (isLate ? ['the schedules cannot be looked after; what is due begins late'] : []),
    /** Stops checking, and aborts what is being read and planned; the next process to start takes it over. */
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await runs.stop();
    },
  };
}

/** For as long as the server is open. */
export async function registerSchedule(app: FastifyInstance, parts: ServerParts): Promise<void> {
  const running = await startSchedule(parts.context, { poke: parts.poke, now: () => new Date() });
  parts.schedule = running;
  app.addHook('onClose', running.stop);
}

/** `schedules`: by the names of their sources. */
interface DueRunsParts extends Pick<ScheduleOptions, 'poke'> {
  context: DeliveryContext;
  schedules: ReadonlyMap<string, Schedule>;
}

/** The due runs that this process has started. The ledger decides what is due, and is asked at each check. */
export class DueRuns {
  readonly #parts: DueRunsParts;
  readonly #inHand = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(parts: DueRunsParts) {
    this.#parts = parts;
  }

  /** Handles everything that is due. Returns the sources for which this process did it. */
  async see({ now, noticedBy }: { now: Date; noticedBy: NoticedBy }): Promise<string[]> {
    const { context, schedules } = this.#parts;
    const seenTo: string[] = [];
    for (const state of await context.ledger.listSchedules(context.service.address)) {
      if (this.#stopping.signal.aborted) break;
      const schedule = schedules.get(state.source);
      // A schedule of another process, whose config is newer or older.
      if (!schedule || schedule.cron !== state.cron || schedule.timezone !== state.timezone) continue;
      const due = dueTime(state, now);
      if (!due) continue;
      await this.#guarded(state.source, async () => {
        const noticed = await noticeDue(context, { source: state.source, schedule, due, now, noticedBy });
        if (noticed.kind !== 'taken') seenTo.push(state.source);
        if (noticed.kind === 'begun') this.#start(noticed.run);
      });
    }
    return seenTo;
  }

  /** Continues the due runs of processes that died, and those that this process had to give up. */
  async takeOver(now: Date, { andOfOthers }: { andOfOthers: boolean }): Promise<void> {
    const { context, schedules } = this.#parts;
    const { ledger, service, tempo } = context;
    const asking = { service: service.address, worker: ledger.worker, deadAfterMs: tempo.deadAfterMs };
    for (const tick of await ledger.openTicks(asking)) {
      if (this.#stopping.signal.aborted) break;
      const wasGivenUp = tick.worker === ledger.worker && !this.#inHand.has(nameOf(tick));
      if (!tick.isAbandoned && !wasGivenUp) continue;
      if (!schedules.has(tick.source) && !andOfOthers) continue;
      await this.#guarded(tick.source, async () => {
        const run = await takeOver(context, { tick, schedule: schedules.get(tick.source), now });
        if (run) this.#start(run);
      });
    }
  }

  /** Resolves when nothing that was begun is being read or planned any more. */
  async settled(): Promise<void> {
    while (this.#inHand.size > 0) await Promise.all(this.#inHand.values());
  }

  /** Breaks off what is being read or planned; the next process that looks takes it over. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the process was stopped'));
    await this.settled();
  }

  #start(run: DueRun): void {
    const name = nameOf(run.key);
    const carriedOut = this.#guarded(run.key.source, async () => {
      const { runId, status } = await run.carryOut(this.#stopping.signal);
      if (runId !== null && status === 'delivering') this.#parts.poke(runId);
    });
    this.#inHand.set(
      name,
      carriedOut.finally(() => this.#inHand.delete(name)),
    );
  }

  /** One source must not keep the others from being read. */
  async #guarded(source: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#parts.context.log.error(
        { source, cause: error instanceof Error ? error.message : String(error) },
        'could not do what was due; it is tried again',
      );
    }
  }
}

function nameOf({ source, dueAt }: TickKey): string {
  return `${dueAt.toISOString()} ${source}`;
}
