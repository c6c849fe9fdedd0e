// Closes a run, writes the backup, queues the notifications.
import type { Context } from '../../src/wiring/context.ts';
import { announce, type Announcing } from './announce.ts';
import { tidyAfterRun } from '../upkeep/prune-ledger.ts';

/** Nothing is left to do in the run except what is held. The runs that it has overtaken are closed too. */
export async function finishRun(
  context: Announcing & Pick<Context, 'backup' | 'config'>,
  runId: string,
): Promise<void> {
  const { ledger, backup } = context;
  await ledger.supersedeOlder(runId);
  if (!(await ledger.closeRun(runId))) return;
  await announce(context, runId);
  await backup();
  await tidyAfterRun(context);
}
