// The page of a run, with a few of the people behind each guard.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasEnded } from '../../core/run/run-states.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import type { Decision } from '../../page/decide.ts';
import { run as runPage, titleOf } from '../../page/run.ts';
import { readDetails, readReport } from '../../report/run/read-report.ts';
import type { ServerParts } from '../parts.ts';
import { sendPage } from './answers.ts';
import { questionsOf } from './questions.ts';
import { viewerOfRun } from './two-people.ts';

/** A run that is under way is loaded again after this time. */
const refreshSeconds = 5;

/** Sends the page of a run; `decision` is what somebody chose, where it could not be done. */
export async function sendRun(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  run: Run,
  decision?: Decision,
): Promise<FastifyReply> {
  const { context } = parts;
  const report = await readReport(context, run);
  const questions = report.hold === undefined ? [] : await questionsOf(parts, run);
  const { fresh } = report.hold === undefined ? { fresh: 0 } : await context.ledger.countHeldPart(run.id, {});
  const details = await readDetails(context, run);
  const isMoving = !hasEnded(report.status) && report.hold === undefined && report.status !== 'paused';
  const frame = { title: titleOf(report), place: 'runs', ...(isMoving && { refreshSeconds }) } as const;
  const view = {
    report,
    details,
    viewer: viewerOfRun(context.config, request, run),
    questions,
    fresh,
    ...(decision && { decision }),
  };
  return sendPage(parts, request, reply, frame, runPage(view));
}
