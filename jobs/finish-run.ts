import type { Context } from '../src/context.ts';

/** Closes a run in which nothing is left to do, and what it has overtaken, and backs up what everybody was given. */
export async function finishRun({ ledger, backup }: Pick<Context, 'ledger' | 'backup'>, runId: string): Promise<void> {
  await ledger.supersedeOlder(runId);
  const { partial = 0, failed = 0, unknown = 0 } = await ledger.countOutcomes(runId);
  const status = partial + failed + unknown > 0 ? 'finished-with-failures' : 'finished';
  if (await ledger.moveRun(runId, ['delivering'], status)) await backup();
}
