// Who looks at a run, where two people are needed to send what it holds.
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../config/load.ts';
import { needsSomebodyElse } from '../../../jobs/index.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import type { Viewer } from '../../page/layout.ts';
import { viewerOf } from './session.ts';

/** Who looks at the page of a run; whoever began it waits for somebody else, where the settings want that. */
export function viewerOfRun(config: Pick<Config, 'server'>, request: FastifyRequest, run: Run): Viewer {
  const viewer = viewerOf(request);
  if (!viewer.mayApprove || !needsSomebodyElse(config, run, request.by)) return viewer;
  const deed = run.trigger === 'api' && run.trips.some(({ guard }) => guard === 'brought') ? 'brought' : 'started';
  return { ...viewer, waits: `Waiting for somebody else’s yes. You ${deed} it, so you may not approve it.` };
}
