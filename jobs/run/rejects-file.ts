// Writes the rejected rows of a run to a file.
import type { Context } from '../../src/wiring/context.ts';
import type { Reject } from '../../src/core/rows/row.ts';

const pageOfRejects = 500;

/** Writes the rejected rows of a run in the form of the roster they came from. Returns how many. */
export async function writeRejectsFile(
  context: Pick<Context, 'ledger' | 'writeRejects'>,
  runId: string,
  path: string,
): Promise<number> {
  const [run] = await context.ledger.findRuns(runId);
  return run?.roster ? context.writeRejects(path, run.roster.form, runId, rejectsOf(context, runId)) : 0;
}

async function* rejectsOf({ ledger }: Pick<Context, 'ledger'>, runId: string): AsyncGenerator<Reject> {
  let after: { line: number; id: number } | undefined;
  for (;;) {
    const page = await ledger.listRejects(runId, { limit: pageOfRejects, ...(after ? { after } : {}) });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
  }
}
