import type { Context } from '../src/context.ts';
import type { Trigger } from '../src/core/run.ts';
import type { Trip } from '../src/core/guards/trip.ts';

/** A run that is planned. */
export interface UnattendedRun {
  source: string;
  service: string;
  trigger: Trigger;
  /** Somebody sees the plan before it is sent; unless said, of an `import` only. */
  isWatched?: boolean;
}

/**
 * What a person has stopped, no machine goes on with: while a run of a source is paused by one, its unattended runs wait
 * for an approval. Returns why, or nothing.
 */
export async function pausedTrips({ ledger }: Pick<Context, 'ledger'>, run: UnattendedRun): Promise<Trip[]> {
  if (run.isWatched ?? run.trigger === 'import') return [];
  const paused = (await ledger.unfinishedRuns()).find(
    ({ source, service, status, stoppedBy }) =>
      source === run.source &&
      service === run.service &&
      status === 'paused' &&
      (stoppedBy === 'person' || stoppedBy === 'interruption'),
  );
  if (!paused) return [];
  const { id } = paused;
  const next = `\`roster-sync resume ${id}\` goes on with it, \`roster-sync cancel ${id}\` ends it`;
  const message = `Run ${id} of ${run.source} was paused by a person, so nothing is sent unattended: ${next}.`;
  return [{ guard: 'paused', scope: 'all', message }];
}
