// The page of a run, with a few of the people behind each guard.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../config/load.ts';
import { needsSomebodyElse } from '../../../jobs/run/steer-run.ts';
import { plannedFor } from '../../acts/people-filter.ts';
import { defined } from '../../core/defined.ts';
import { hasEnded } from '../../core/run/states.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import type { Decision } from '../../page/decide.ts';
import type { Viewer } from '../../page/layout.ts';
import { peopleTable } from '../../page/people-table.ts';
import type { Question } from '../../page/question.ts';
import type { GroupOfRun } from '../../page/run-people.ts';
import { begunByTrigger } from '../../page/runs.ts';
import { run as runPage, titleOf } from '../../page/run.ts';
import { t } from '../../page/words.ts';
import { type RunReport, usualFigureOf } from '../../report/run/run-report.ts';
import { readDetails, readReport, runBefore } from '../../report/run/read-report.ts';
import type { ServerParts } from '../parts.ts';
import { sendPage, viewerOf } from './session.ts';
import type { RunFigures } from './run-figures.ts';

/** People shown who ended last. */
const fewPeople = 8;
/** People shown behind each reason. */
const behindReason = 4;
/** Answers shown as they were received. */
const fewAnswers = 5;
/** Deeds shown. */
const fewDeeds = 20;

export type CountRun = (run: Run) => Promise<RunFigures>;

/** Sends the page of a run; `decision` is what somebody chose, where it could not be done; `isTooLate` says that it was decided before. */
export async function sendRun(
  { parts, countRun }: { parts: ServerParts; countRun: CountRun },
  request: FastifyRequest,
  reply: FastifyReply,
  run: Run,
  { decision, isTooLate = false }: { decision?: Decision; isTooLate?: boolean } = {},
): Promise<FastifyReply> {
  const { context } = parts;
  const { ledger } = context;
  const { totals, failures, timeline, pace, noticed } = await countRun(run);
  const report = await readReport(context, run, { totals, rejectSamples: 0 });
  const questions = report.hold === undefined ? [] : await questionsOf(parts, run);
  const { fresh } = report.hold === undefined ? { fresh: 0 } : await ledger.countHeldPart(run.id, {});
  const details = await readDetails(context, run, noticed);
  const { approvals } = details;
  const [lastApproval] = approvals.slice(-1);
  const isMoving = !hasEnded(report.status) && report.hold === undefined;
  const frame = { title: titleOf(report), place: 'runs', ...(isMoving && { live: run.id }) } as const;
  const view = {
    report,
    details,
    answers: noticed.length > 0 ? await ledger.notableAnswers(run.id, fewAnswers) : [],
    failures,
    timeline,
    pace,
    rate: run.settings.rate,
    groups: groupsOf(run, report),
    areAllGroupsShown: (request.query as { groups?: string }).groups === 'all',
    latest: await ledger.peopleOfRun(plannedFor(run), {}, { latest: true, limit: fewPeople }),
    deeds: await ledger.listDeeds({ runId: run.id, limit: fewDeeds }),
    startedBy: run.begunBy ?? begunByTrigger(run.trigger),
    possibleInvitations: run.settings.invite ? (run.plan?.possibleInvitations ?? 0) : 0,
    viewer: viewerOfRun(context.config, request, run),
    questions,
    moves: (await ledger.movesWaiting(run.id)).length,
    fresh,
    ...(lastApproval && {
      sentBefore: {
        by: [...new Set(approvals.map(({ by }) => by))],
        at: lastApproval.at,
        people: await ledger.countSetFree(run.id),
      },
    }),
    hasEarlier: run.plan !== null && (await runBefore(context, run)) !== undefined,
    ...defined({ decision }),
    isTooLate,
  };
  return sendPage(parts, request, reply, frame, runPage(view));
}

/** The groups of a run, the largest first: those of its plan, and others that the service named. */
function groupsOf({ plan }: Run, { groups }: RunReport): GroupOfRun[] {
  const found = new Map(groups.map((each) => [each.group, each]));
  const planned = (plan?.groups ?? []).map(({ group, adds }) => {
    const { succeeded = 0, failures = 0 } = found.get(group) ?? {};
    found.delete(group);
    return { group, of: adds, succeeded, failures };
  });
  const others = [...found.values()].map(({ group, succeeded, failures, calls }) => {
    return { group, of: calls, succeeded, failures };
  });
  return [...planned, ...others].toSorted((a, b) => b.of - a.of || (a.group < b.group ? -1 : 1));
}

async function questionsOf({ context: { ledger } }: ServerParts, run: Run): Promise<Question[]> {
  const parts = await ledger.heldByReason(run.id);
  const censuses = await ledger.lastCensuses(run.id);
  const isOfNobody = parts.every(({ people }) => people === 0);
  const questions: Question[] = [];
  for (const [at, trip] of run.trips.entries()) {
    const { people, fresh } = parts[at] ?? { people: 0, fresh: 0 };
    if (people === 0 && !isOfNobody) continue;
    const found = await ledger.peopleOfRun(plannedFor(run), { stoppedBy: trip }, { from: 0, limit: behindReason });
    const usual = usualFigureOf(trip, censuses);
    const names = people > behindReason ? [] : found.map(({ now }) => `${now.firstname} ${now.lastname}`);
    const sample = peopleTable({ people: found, invites: run.settings.invite });
    questions.push({ place: at + 1, trip, people, fresh, names, ...defined({ usual }), sample });
  }
  return questions;
}

/** Who looks at the page of a run; whoever began it waits for somebody else, where the settings want that. */
function viewerOfRun(config: Pick<Config, 'server'>, request: FastifyRequest, run: Run): Viewer {
  const viewer = viewerOf(request);
  if (!viewer.mayApprove || !needsSomebodyElse(config, run, request.by)) return viewer;
  const isBrought = run.trigger === 'api' && run.trips.some(({ guard }) => guard === 'brought');
  const waits = isBrought
    ? t('Waiting for somebody else’s yes. You brought it, so you may not approve it.')
    : t('Waiting for somebody else’s yes. You started it, so you may not approve it.');
  return { ...viewer, waits };
}
