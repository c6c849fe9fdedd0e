// Finds the run that a request names.
import type { Ledger } from '../../ledger/ledger.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import { RequestError } from '../problems.ts';

/** An id, a unique prefix of one, or `latest`. Throws a RequestError otherwise. */
export async function theRun(ledger: Ledger, named: string): Promise<Run> {
  const runs = await ledger.findRuns(named);
  const [run] = runs;
  if (run === undefined) {
    throw new RequestError(404, 'NOT_FOUND', 'There is no such run; GET /api/v1/runs lists them.');
  }
  if (runs.length > 1) {
    const ids = runs.map(({ id }) => id).join(', ');
    throw new RequestError(409, 'AMBIGUOUS', `That could be ${ids}: write more characters of it.`);
  }
  return run;
}
