// Everybody of an upload: look, and confirm.
import { RequestError } from '../../core/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { needsSomebodyElse } from '../../../jobs/run/steer-run.ts';
import { plannedFor } from '../../acts/people-filter.ts';
import { approveRun } from '../../acts/runs.ts';
import { defined } from '../../core/defined.ts';
import type { Reject } from '../../core/rows/row.ts';
import { timeFor } from '../../core/pace/pacing.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import {
  confirmProblem,
  type ConfirmProblem,
  importPeople,
  importPeopleTitle,
  showsOfImport,
} from '../../page/import-people.ts';
import type { ShownReject } from '../../page/people-table.ts';
import { t } from '../../page/words.ts';
import { readReport } from '../../report/run/read-report.ts';
import { askOf } from '../api/mount.ts';
import { type KeptUpload, KeptUploads } from '../../intake/kept-uploads.ts';
import { listLeftOut } from '../../intake/upload-filters.ts';
import { mappingOfUpload, isPlanned, plannedRun } from '../../intake/open-upload.ts';
import { whileRead } from '../bodies.ts';
import type { ServerParts } from '../parts.ts';
import { type Form, formOf, paramOf, requireScope, sendPage, viewerOf } from './session.ts';
import {
  type Asked,
  filterOf,
  isOfPeople,
  limit,
  orderOf,
  peopleRoutes,
  readAsked,
  viewOfList,
} from './people-list.ts';

/** Rejects that stand above everybody; all of them are under their own filter. */
const mostAbove = 20;
/** Rejects on a page of their own: those that are alike are folded. */
const rejectLimit = 500;
/** All rows that are left out, in one list. */
const wholeList = { from: 0, limit: Infinity };

export function registerImportPeople(app: FastifyInstance, parts: ServerParts): void {
  const { context } = parts;
  const { ledger } = context;
  const uploads = new KeptUploads(context);
  const uploadOf = (request: FastifyRequest): Promise<KeptUpload> =>
    uploads.get(paramOf(request, 'upload'), request.by);

  peopleRoutes(app, parts, {
    path: '/import/:upload/people',
    shows: showsOfImport,
    scope: 'run',
    runOf: async (request) => runOf(await uploadOf(request)),
    answer: (request, reply, asked) => answer(request, reply, asked),
    leftOut: async (request, signal) => listLeftOut(context, await uploadOf(request), wholeList, signal),
  });

  app.post('/import/:upload/send', async (request, reply) => {
    requireScope(request, 'approve');
    const upload = await uploadOf(request);
    const run = await runOf(upload);
    if (!isPlanned(upload)) {
      const changed = t(
        'Its columns were changed after this plan was made. Nothing was sent: plan it again, and look at that.',
      );
      throw new RequestError(409, 'NOT_NOW', changed);
    }
    const { hash = '', confirm = '' } = formOf(request);
    if (hash === '')
      throw new RequestError(422, 'NO_PLAN', t('The form does not say which plan it is about. Load the page again.'));
    const report = await readReport(context, run, { rejectSamples: 0 });
    const problem = report.hold && confirmProblem(invitedBy(run), confirm);
    if (problem) return answer(request, reply.code(422), readAsked(showsOfImport, {}), problem);
    const note = `confirmed on the page of ${upload.name}`;
    await askOf(parts, request)(approveRun, { run: run.id, hash, note });
    await uploads.leave(upload, run.id);
    return reply.redirect(`/runs/${run.id}`, 303);
  });

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: Asked,
    problem?: ConfirmProblem,
  ): Promise<FastifyReply> {
    const { said, ...upload } = await uploadOf(request);
    if (upload.planned === undefined) return reply.redirect(`/import/${upload.id}`, 303);
    const run = await runOf(upload);
    const isDecided = run.status !== 'held' && (run.plan?.calls ?? 0) > 0;
    if (isDecided) return reply.redirect(`/runs/${run.id}`, 303);
    if (said !== undefined) await uploads.save(upload);
    const view = await viewOf(upload, run, asked, whileRead(reply));
    const body = importPeople({
      ...view,
      viewer: viewerOf(request),
      isOwn: needsSomebodyElse(context.config, run, request.by),
      ...defined({ said, problem, corrected: said === undefined ? undefined : correctedIn(request.query) }),
    });
    return sendPage(parts, request, reply, { title: t(importPeopleTitle), place: 'import' }, body);
  }

  async function viewOf(upload: KeptUpload, run: Run, asked: Asked, signal: AbortSignal) {
    const { show, from, text, group } = asked;
    const report = await readReport(context, run, { rejectSamples: 0 });
    const order = orderOf(run, asked);
    const listed = await viewOfList(context, run, `/import/${upload.id}/people`, asked);
    const people = isOfPeople(show)
      ? await ledger.peopleOfRun(plannedFor(run), filterOf(run, asked), { from, limit, ...order })
      : [];
    const leftOut = show === 'out' ? await listLeftOut(context, upload, { from, limit }, signal) : [];
    const isFirst = show === 'everybody' && from === 0 && text === '' && group === '';
    const wanted = show === 'reject' ? rejectLimit : isFirst ? mostAbove : 0;
    const found = wanted > 0 ? await ledger.listRejects(run.id, { from, limit: wanted }) : [];
    return {
      ...{ upload: upload.id, fileName: upload.name, changes: upload.corrections.length },
      report,
      ...listed,
      ...(show === 'reject' && { list: { ...listed.list, limit: rejectLimit } }),
      isByName: order !== undefined,
      leftOut,
      rejects: found.map((reject) => correctable(upload, run, reject)),
      people,
      invited: invitedBy(run),
      takesMs: timeFor(report.hold?.deliveries ?? 0, run.settings.rate),
    };
  }

  async function runOf(upload: KeptUpload): Promise<Run> {
    const run = await plannedRun(context, upload);
    if (run) return run;
    throw new RequestError(404, 'NO_PLAN', t('Nothing was planned of this upload. Go back to its columns.'));
  }
}

const invitedBy = ({ plan }: Run): number => plan?.possibleInvitations ?? 0;

function correctedIn(query: unknown): number | undefined {
  const line = Number((query as Form)['corrected']);
  return Number.isInteger(line) ? line : undefined;
}

/** A reject with the place of its cell, and whose row it is. */
function correctable(upload: KeptUpload, run: Run, reject: Reject): ShownReject {
  const { file, line, value, reason, column, cells } = reject;
  const header = (run.roster?.form.header ?? []).map((name) => name.trim());
  const at = column === '' ? -1 : header.indexOf(column);
  const { firstname, lastname, fullname, email } = mappingOfUpload(upload).members ?? {};
  const read = (name: unknown): string => (typeof name === 'string' ? (cells[header.indexOf(name)] ?? '').trim() : '');
  const whole = [read(firstname), read(lastname)].filter((part) => part !== '').join(' ');
  const name = [whole, read(fullname?.column), read(email)].find(Boolean) ?? t('Line {line}', 1, { line });
  return { file, line, column, value, reason, name, ...(at >= 0 && { cell: column }) };
}
