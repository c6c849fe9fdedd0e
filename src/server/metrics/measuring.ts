// Measures the ledger for monitors, not too often.
import type { DeliveryContext } from '../../wiring/context.ts';
import type { Measures, RunMeasures } from '../../ledger/figures/measuring.ts';

/** The ledger is measured no more often than this, ms, and no more than a twentieth of the time. */
const freshMs = 5000;
const idleShare = 20;

/** Runs that have no further calls to make: what was measured of them stays true, unless they are tried again. */
const settled = new Set(['finished', 'cancelled', 'failed']);

export interface Measured {
  ledger: Measures;
  /** Of the newest run of each source. */
  runs: { source: string; measures: RunMeasures }[];
}

/** The shortest time between two measurements; requests in between get the last one. */
export function createMeasuring({ ledger }: DeliveryContext): () => Promise<Measured> {
  const known = new Map<string, RunMeasures>();
  let measured: Promise<Measured> | undefined;
  let until = -Infinity;

  async function take(): Promise<Measured> {
    const now = await ledger.measure();
    const runs: Measured['runs'] = [];
    const newest = new Set(now.sources.map((each) => each.newest));
    for (const run of known.keys()) if (!newest.has(run)) known.delete(run);
    for (const { source, newest, status } of now.sources) {
      const measures = known.get(newest) ?? (await ledger.measureRun(newest));
      if (settled.has(status)) known.set(newest, measures);
      runs.push({ source, measures });
    }
    return { ledger: now, runs };
  }
  return () => {
    if (measured && performance.now() < until) return measured;
    const began = performance.now();
    until = Infinity;
    measured = take().finally(() => {
      const took = performance.now() - began;
      until = performance.now() + Math.max(freshMs, idleShare * took);
    });
    measured.catch(() => (measured = undefined));
    return measured;
  };
}
