// Plans a large upload behind a page that says how far it is, and that can cancel it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../../core/errors.ts';
import { cancelRun } from '../../acts/runs.ts';
import type { Asker } from '../../acts/act.ts';
import { serviceOf } from '../../acts/perform.ts';
import { type KeptUpload, KeptUploads } from '../../intake/kept-uploads.ts';
import { planningPage, planningTitle } from '../../page/import.ts';
import { t } from '../../page/words.ts';
import { askerOf, askOf } from '../api/mount.ts';
import { awaitAnswer } from '../bodies.ts';
import type { ServerParts } from '../parts.ts';
import { describeProblem } from '../problems.ts';
import { paramOf, requireScope, sendPage } from './session.ts';

/** A smaller file is planned while the browser waits. */
const largeBytes = 1_000_000;
/** A large one for at most this long, ms. */
const waitMs = 2000;

interface Planning {
  by: string;
  source: string;
  beganAt: number;
  /** The rows of the file; 0 where they are not known. */
  rows: number;
  stop: AbortController;
  /** Whether a plan could be made. */
  ended: Promise<boolean>;
}

/** How an upload is planned: by an act; how many rows it has, 0 where nobody knows; and where it leads then. */
export interface ToPlan {
  plan(asker: Asker): Promise<{ status: string }>;
  rows: number;
  to: string;
  /** It is not done by a planning that is under way. */
  isChange?: true;
}

/** Plans an upload, and leads to what came of it. */
export type PlanBehind = (
  request: FastifyRequest,
  reply: FastifyReply,
  upload: KeptUpload,
  how: ToPlan,
) => Promise<FastifyReply>;

/** Whether an upload could be planned; if not, the page of its columns says why. */
async function wasPlanned({ id }: FastifyRequest, planning: Promise<{ status: string }>): Promise<boolean> {
  try {
    const { status } = await planning;
    return status !== 'failed' && status !== 'busy';
  } catch (error) {
    const { isExpected, code } = describeProblem(error, id);
    // Of a change that was not made the columns say nothing.
    if (isExpected && !/^(?:BUSY|NO_CELL|NO_COLUMN|TOO_MANY)$/.test(code)) return false;
    throw error;
  }
}

export function registerPlanning(app: FastifyInstance, parts: ServerParts): PlanBehind {
  const { context } = parts;
  const { ledger } = context;
  const uploads = new KeptUploads(context);
  const underway = new Map<string, Planning>();
  const pathOf = ({ params }: FastifyRequest): string => `/import/${(params as { upload: string }).upload}`;
  const planningOf = (request: FastifyRequest): Planning | undefined => {
    const found = underway.get(paramOf(request, 'upload'));
    return found?.by === request.by ? found : undefined;
  };

  app.get('/import/:upload/planning', async (request, reply) => {
    requireScope(request, 'run');
    const planning = planningOf(request);
    if (!planning) return reply.redirect(`${pathOf(request)}/people`, 303);
    const { source, beganAt, rows } = planning;
    const run = await ledger.activeRun(serviceOf(context), source);
    const { used, rejects } = run?.status === 'planning' ? await ledger.countStaged(run.id) : { used: 0, rejects: 0 };
    const done = Math.min(used + rejects, rows);
    const body = planningPage({ path: pathOf(request), source, done, rows, takenMs: Date.now() - beganAt });
    return sendPage(parts, request, reply.header('refresh', '2'), { title: t(planningTitle), place: 'import' }, body);
  });

  app.post('/import/:upload/planning/cancel', async (request, reply) => {
    requireScope(request, 'run');
    awaitAnswer(request);
    const planning = planningOf(request);
    const problem = t('You cancelled it. Nothing was sent.');
    planning?.stop.abort(new RequestError(409, 'CANCELLED', problem));
    if (await planning?.ended) {
      // All rows had been read: the plan was made, and is cancelled now.
      const { planned, ...upload } = await uploads.get(paramOf(request, 'upload'), request.by);
      if (planned) await askOf(parts, request)(cancelRun, { run: planned.runId });
      await uploads.save({ ...upload, problem });
    }
    return reply.redirect(pathOf(request), 303);
  });

  /** Whoever left for the page of the planning is told on the next one, as nobody waits for the answer. */
  async function sayWhy(request: FastifyRequest, id: string, error: unknown): Promise<false> {
    const { isExpected, detail } = describeProblem(error, request.id);
    if (!isExpected) throw error;
    const upload = await uploads.get(id, request.by);
    await uploads.save({ ...upload, ...(upload.planned ? { said: detail } : { problem: detail }) });
    return false;
  }

  return async (request, reply, { id, source, sizeBytes }, { plan, rows, to, isChange }) => {
    if (underway.has(id) && isChange)
      throw new RequestError(
        409,
        'NOT_NOW',
        t('Your last change is still being worked out. Nothing was changed: wait until it is done.'),
      );
    if (underway.has(id)) return reply.redirect(`/import/${id}/planning`, 303);
    const stop = new AbortController();
    const asker = askerOf(parts, request);
    const closing = AbortSignal.any([stop.signal, ...(asker.closing ? [asker.closing] : [])]);
    const planned = wasPlanned(request, plan({ ...asker, closing }));
    if (sizeBytes >= largeBytes) {
      let isLate = false;
      const ended = planned
        .catch(async (error: unknown) => (isLate ? sayWhy(request, id, error) : Promise.reject(error)))
        .finally(() => underway.delete(id));
      underway.set(id, { by: request.by, source, beganAt: Date.now(), rows, stop, ended });
      const late = new Promise<'late'>((resolve) => setTimeout(resolve, waitMs, 'late').unref());
      if ((await Promise.race([ended, late])) === 'late') {
        isLate = true;
        ended.catch((error: unknown) => context.trouble('an upload could not be planned', error));
        return reply.redirect(`/import/${id}/planning`, 303);
      }
    }
    return reply.redirect((await planned) ? to : `/import/${id}`, 303);
  };
}
