import type { Context } from '../src/context.ts';
import { announce, type Announcing } from './announce.ts';

/**
 * Closes a run in which nothing is left to do, and what it has overtaken, backs up what everybody was given, and tells of it.
 */
export async function finishRun(context: Announcing & Pick<Context, 'backup'>, runId: string): Promise<void> {
  const { ledger, backup } = context;
  await ledger.supersedeOlder(runId);
  const { partial = 0, failed = 0, unknown = 0 } = await ledger.countOutcomes(runId);
  const status = partial + failed + unknown > 0 ? 'finished-with-failures' : 'finished';
  if (!(await ledger.moveRun(runId, ['delivering'], status))) return;
  await announce(context, runId);
  await backup();
}
