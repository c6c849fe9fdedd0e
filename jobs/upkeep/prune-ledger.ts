// Removes ledger data that is older than `retention` keeps.
import type { Configured, PlanningContext } from '../../src/wiring/context.ts';
import type { Prunable, PruneStep, Retention } from '../../src/ledger/figures/retention.ts';

/** What was removed, in rows. `isDone` is false when the time was up before: the next run or `prune` goes on. */
export type Pruned = Prunable & { isDone: boolean };

/** Rows that one statement removes: it takes a few ms, and nobody waits for it. */
const rowsAtOnce = 2000;

/**
 * Removes what is older than `retention` keeps: the bodies of answers, rosters that came once, receipts. Never what anybody
 * was last given, and nothing of a run that is not over. What is embedded is vacuumed afterwards.
 * @param withinMs stops after this time, ms, and leaves the rest to the next time
 */
export async function pruneLedger({ ledger, config }: Configured, withinMs: number): Promise<Pruned> {
  const until = performance.now() + withinMs;
  const { answersMs, rostersMs, receiptsMs }: Retention = config.retention;
  async function remove(
    olderThanMs: number,
    step: (olderThanMs: number, limit: number) => Promise<PruneStep>,
  ): Promise<{ removed: number; isDone: boolean }> {
    let removed = 0;
    if (!Number.isFinite(olderThanMs)) return { removed, isDone: true };
    while (performance.now() < until) {
      const next = await step(olderThanMs, rowsAtOnce);
      removed += next.removed;
      if (next.isDone) return { removed, isDone: true };
    }
    return { removed, isDone: false };
  }
  const answers = await remove(answersMs, ledger.removeOldAnswers);
  const bodies = await remove(answersMs, ledger.removeOldEventBodies);
  const ofPeople = await remove(answersMs, ledger.removeOldPersonAnswers);
  const rosters = await remove(rostersMs, ledger.removeOldRosters);
  const receipts = await remove(receiptsMs, ledger.removeOldReceipts);
  const events = await remove(receiptsMs, ledger.removeOldEvents);
  // Counts without people are few: removed at once.
  await ledger.pruneAnswers(receiptsMs);
  if (config.databaseUrl === undefined) await ledger.vacuumDeadRows();
  return {
    answers: answers.removed + bodies.removed + ofPeople.removed,
    rosters: rosters.removed,
    receipts: receipts.removed + events.removed,
    isDone: [answers, bodies, ofPeople, rosters, receipts, events].every(({ isDone }) => isDone),
  };
}

/** The longest time a run tidies after its end, ms. */
const afterRunMs = 2000;

/** What `pruneLedger` does, for the end of a run: what goes wrong with it is logged, and harms nobody. */
export async function tidyAfterRun(context: Pick<PlanningContext, 'ledger' | 'config' | 'log'>): Promise<void> {
  try {
    await pruneLedger(context, afterRunMs);
  } catch (error) {
    context.log.warn({ cause: String(error) }, 'old records could not be removed; the next run tries again');
  }
}
