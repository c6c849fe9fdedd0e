// How far each run was fed: the queue only keeps a copy of what is due.
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { DeliveringRun, DueDelivery, FeedPosition } from '../../src/ledger/moves/feed.ts';

/** How far a run was fed, among what is due and among what a canary release has opened. */
interface Fed {
  turn: number;
  due?: FeedPosition | undefined;
  opened?: FeedPosition | undefined;
}

/**
 * Remembers how far each run was fed, in this process alone. To forget it is always safe: then feeding starts with the
 * first that is due, what has a job or is in somebody's hands is not put into the queue twice, and what is missing there
 * is found.
 */
export function createFeedPositions(ledger: Pick<Ledger, 'findDue' | 'findOpened' | 'countFed'>) {
  let fedRuns = new Map<string, Fed>();
  return {
    /** The next deliveries of a run, at most this many. */
    async take(runId: string, limit: number): Promise<DueDelivery[]> {
      const fed = fedRuns.get(runId) ?? { turn: 0 };
      const due = await ledger.findDue(runId, { after: fed.due, limit });
      fed.due = lastOf(due) ?? fed.due;
      if (due.length === limit) return due;
      const opened = await ledger.findOpened(runId, { after: fed.opened, limit: limit - due.length });
      fed.opened = lastOf(opened) ?? fed.opened;
      return [...due, ...opened];
    },
    /** These are the runs that deliver. One that stopped meanwhile starts again: its jobs may be gone. */
    keep(runs: readonly DeliveringRun[]): void {
      const before = fedRuns;
      fedRuns = new Map(
        runs.map(({ id, turn }) => {
          const fed = before.get(id);
          return [id, fed?.turn === turn ? fed : { turn }];
        }),
      );
    },
    /** How many jobs at least must be in the queue. */
    async count(): Promise<number> {
      let count = 0;
      for (const [id, fed] of fedRuns) count += await ledger.countFed(id, fed);
      return count;
    },
    /** Starts every run again. */
    forget(): void {
      for (const [id, { turn }] of fedRuns) fedRuns.set(id, { turn });
    },
  };
}

export type FeedPositions = ReturnType<typeof createFeedPositions>;

function lastOf(deliveries: readonly DueDelivery[]): FeedPosition | undefined {
  return deliveries.findLast(({ position }) => position !== null)?.position ?? undefined;
}
