// Writes the rejected rows of a run to a file.
import { join } from 'node:path';
import { pageByPage } from '../../src/core/page-by-page.ts';
import type { PlanningContext, WithLedger } from '../../src/wiring/context.ts';
import type { PlannedRun } from './planning-run.ts';
import type { Reject } from '../../src/core/rows/row.ts';
import type { Run } from '../../src/ledger/runs/runs.ts';

/** Writes the rejected rows of a run in the form of the roster they came from. Returns how many. */
export async function writeRejectsFile(context: WithLedger, runId: string, path: string): Promise<number> {
  const [run] = await context.ledger.findRuns(runId);
  if (!run?.roster) return 0;
  const { writeRejects } = await import('../../src/roster/files/rejects-file.ts');
  return writeRejects(path, run.roster.form, runId, rejectsOf(context, runId));
}

/** Writes the rejects of a planned run to the data directory, where it has any and there is one. */
export async function keepRejects(
  context: PlanningContext,
  { runId, facts }: Pick<PlannedRun, 'runId' | 'facts'>,
): Promise<void> {
  const { directory } = context;
  if (facts.counts.rejects === 0 || !directory) return;
  await writeRejectsFile(context, runId, join(directory.rejects, `${runId}-rejects.csv`));
}

/** The same in parts. */
export async function* rejectsFileParts(context: WithLedger, { id, roster }: Run): AsyncGenerator<Uint8Array> {
  if (!roster) return;
  const { rejectParts } = await import('../../src/roster/files/rejects-file.ts');
  yield* rejectParts(roster.form, id, rejectsOf(context, id));
}

function rejectsOf({ ledger }: WithLedger, runId: string): AsyncGenerator<Reject> {
  const read = (after: { line: number; id: number }, limit: number) => ledger.listRejects(runId, { after, limit });
  return pageByPage({ line: 0, id: 0 }, read, (reject) => reject);
}
