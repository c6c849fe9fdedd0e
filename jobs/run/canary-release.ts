// Checks the answers between the stages of a canary release, then opens the next stage or pauses the run.
import { reasonToStop } from '../../src/core/run/canary.ts';
import type { Delivering } from '../deliver/delivering.ts';

export async function lookBetweenStages(
  { ledger, stopRun }: Pick<Delivering, 'ledger' | 'stopRun'>,
  runIds: readonly string[],
): Promise<void> {
  for (const { id, stage } of await ledger.stagesDone(runIds)) {
    const stop = reasonToStop(await ledger.stageAnswers(id, stage));
    if (stop) await stopRun(id, 'pause', stop);
    else await ledger.openStage(id, stage + 1);
  }
}
