import type { Context } from '../src/context.ts';

/**
 * Closes a run in which nothing is left to do, and backs up what everybody was given. A run that is paused,
 * halted or not done is left as it is, but backed up too.
 */
export async function finishRun({ ledger, backup }: Pick<Context, 'ledger' | 'backup'>, runId: string): Promise<void> {
  const { due, queued, claimed } = await ledger.backlogOf(runId);
  if (due + queued + claimed === 0) {
    const { outcome } = await ledger.totalsOf(runId);
    const missed = (outcome.failed ?? 0) + (outcome.partial ?? 0) + (outcome.unknown ?? 0);
    await ledger.moveRun(runId, ['delivering'], missed > 0 ? 'finished-with-failures' : 'finished');
  }
  await backup();
}
