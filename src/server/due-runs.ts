// Starts the runs that are due, and tracks those this process has started.
import { type DueRun, dueTime, noticeDue, takeOver } from '../../jobs/index.ts';
import type { DeliveryContext } from '../wiring/context.ts';
import type { Schedule } from '../core/run/schedule.ts';
import type { NoticedBy, TickKey } from '../ledger/runs/ticks.ts';

export interface DueRunsParts {
  context: DeliveryContext;
  /** By the names of their sources. */
  schedules: ReadonlyMap<string, Schedule>;
  /** A run was released: the delivering process looks at once. */
  poke(runId: string): void;
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
  async takeOver(now: Date): Promise<void> {
    const { context, schedules } = this.#parts;
    const { ledger, service, tempo } = context;
    const asking = { service: service.address, worker: ledger.worker, deadAfterMs: tempo.deadAfterMs };
    for (const tick of await ledger.openTicks(asking)) {
      if (this.#stopping.signal.aborted) break;
      const wasGivenUp = tick.worker === ledger.worker && !this.#inHand.has(nameOf(tick));
      if (!tick.isAbandoned && !wasGivenUp) continue;
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
