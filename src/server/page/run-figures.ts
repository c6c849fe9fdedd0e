// What pages count of a run, kept for a moment: however many look, the ledger is asked once.
import { hasEnded } from '../../core/run/states.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { FailuresOfCause } from '../../ledger/runs/failures.ts';
import type { NoticedKind, RunTotals } from '../../ledger/runs/reading.ts';
import type { RunPace, Timeline } from '../../ledger/runs/watching.ts';
import type { Run } from '../../ledger/runs/runs.ts';

export interface RunFigures {
  totals: RunTotals;
  failures: FailuresOfCause[];
  timeline: Timeline;
  pace: RunPace;
  noticed: NoticedKind[];
}

interface Kept {
  figures: Promise<RunFigures>;
  /** When they are counted anew, ms of the monotonic clock; never while that is done. */
  staleAt: number;
}

/** The most slices of the chart. */
const slices = 60;
/** The pace is that of this time, ms. */
const paceWithinMs = 20_000;
/** Figures of a run that is delivered are counted at most once in this time, ms, and take at most a tenth of it. */
const [leastMs, shareOfTime] = [1000, 10];
/** Of a run that has ended, ms: a late answer or an erasure may change them. */
const endedMs = 30_000;
/** Older than this they are not given any more, ms. */
const oldMs = 10_000;
/** Runs of which figures are kept. */
const mostRuns = 200;

/** Figures that are old are given while new ones are counted. */
export function countsOfRuns(ledger: Ledger): (run: Run) => Promise<RunFigures> {
  const kept = new Map<string, Kept>();

  async function count(run: Run): Promise<RunFigures> {
    const { id } = run;
    return {
      totals: await ledger.totalsOf(id),
      failures: await ledger.failuresOf(id),
      timeline: await ledger.timelineOf(id, slices),
      pace: await ledger.paceOfRun(id, paceWithinMs),
      noticed: await ledger.noticedKinds(id),
    };
  }

  function renew(key: string, run: Run, before?: Kept): Kept {
    const began = performance.now();
    const figures = count(run);
    const entry: Kept = { figures: before?.figures ?? figures, staleAt: Infinity };
    keepNewest(kept, mostRuns, key, entry);
    figures.then(
      () => {
        const now = performance.now();
        entry.figures = figures;
        entry.staleAt = now + Math.max(hasEnded(run.status) ? endedMs : leastMs, (now - began) * shareOfTime);
      },
      () => kept.delete(key),
    );
    return entry;
  }

  return (run) => {
    // A change of its state is seen at once.
    const key = [run.id, run.status, run.releasedAt?.getTime(), run.finishedAt?.getTime()].join(' ');
    const found = kept.get(key);
    const late = found ? performance.now() - found.staleAt : 0;
    if (!found || late > oldMs) return renew(key, run).figures;
    if (late >= 0) {
      const { figures } = found;
      renew(key, run, found);
      return figures;
    }
    return found.figures;
  };
}

/** Keeps a value as the newest one, and forgets the oldest of more than so many. */
export function keepNewest<Key, Value>(map: Map<Key, Value>, most: number, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) break;
    map.delete(oldest);
  }
}
