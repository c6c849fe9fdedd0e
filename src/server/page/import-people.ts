// Everybody of an upload: look, correct rejected rows, and confirm.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { needsSomebodyElse, rejectsFileParts } from '../../../jobs/index.ts';
import { approveRun } from '../../acts/runs.ts';
import { defined } from '../../core/defined.ts';
import type { Reject } from '../../core/rows/row.ts';
import { sentActions } from '../../core/run/run.ts';
import { timeFor } from '../../core/pace/pacing.ts';
import { count } from '../../core/text/figures.ts';
import type { PeopleFilter } from '../../ledger/people/people-of-run.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import { confirmProblem, type ConfirmProblem, mayBeInvited } from '../../page/import-confirm.ts';
import type { CorrectableReject } from '../../page/import-people-table.ts';
import { importPeople, importPeopleTitle, type ImportShow, importShows } from '../../page/import-people.ts';
import { leftOutFile, peopleFile } from '../../report/files/people-file.ts';
import { readReport } from '../../report/run/read-report.ts';
import { originOf } from '../access-log.ts';
import { askOf } from '../api/mount.ts';
import { sendFile } from '../api/send-file.ts';
import { awaitAnswer } from '../bodies.ts';
import { type KeptUpload, KeptUploads } from '../imports/kept-uploads.ts';
import { listLeftOut } from '../imports/list-left-out.ts';
import { mappingOfUpload } from '../imports/open-upload.ts';
import { correct, plannedRun, planUpload } from '../imports/plan-upload.ts';
import type { ServerParts } from '../parts.ts';
import { describeProblem, RequestError } from '../problems.ts';
import { sendPage } from './answers.ts';
import { requireScope, viewerOf } from './session.ts';

type Form = Partial<Record<string, string>>;

const limit = 50;
/** Rejects that stand above everybody; all of them are under their own filter. */
const mostAbove = 20;
/** Rejects on a page of their own: those that are alike are folded. */
const rejectLimit = 500;
/** More than any roster has. */
const mostPeople = 100_000_000;

/** All rows that are left out, in one list. */
const wholeList = { from: 0, limit: Infinity };

type ShownPeople = Exclude<ImportShow, 'reject' | 'out'>;

interface Asked {
  show: ImportShow;
  from: number;
  text: string;
  /** The only group that is shown; empty for all. */
  group?: string;
}

/** `closing` ends what is planned when the server stops. */
export function registerImportPeople(app: FastifyInstance, parts: ServerParts, closing: AbortSignal): void {
  const { context } = parts;
  const { ledger } = context;
  const uploads = new KeptUploads(context);
  const uploadOf = ({ params, by }: FastifyRequest): Promise<KeptUpload> =>
    uploads.get((params as { upload: string }).upload, by);

  app.get('/import/:upload/people', async (request, reply) => {
    requireScope(request, 'run');
    const { show = '', from = '0', group = '' } = request.query as Form;
    const place = Math.min(Math.max(0, Math.trunc(Number(from)) || 0), mostPeople);
    return answer(request, reply, { show: isShow(show) ? show : 'everybody', from: place, text: '', group });
  });

  // What is searched for names people: it is posted, so that it stays out of addresses and logs.
  app.post('/import/:upload/people', async (request, reply) => {
    requireScope(request, 'run');
    const { text = '' } = request.body as Form;
    return answer(request, reply, { show: 'everybody', from: 0, text: text.trim().slice(0, 200) });
  });

  app.post('/import/:upload/people/download', async (request, reply) => {
    requireScope(request, 'run');
    const upload = await uploadOf(request);
    const run = await runOf(upload);
    const { show = '', group = '', text = '' } = request.body as Form;
    const asked = { show: isShow(show) ? show : 'everybody', group, text: text.trim().slice(0, 200) } as const;
    const parts =
      asked.show === 'reject'
        ? rejectsFileParts(context, run)
        : asked.show === 'out'
          ? leftOutFile(await listLeftOut(context, upload, wholeList))
          : peopleFile(ledger, plannedFor(run), filterOf({ ...asked, show: asked.show }));
    const file = { name: `${run.id}-people.csv`, type: 'text/csv; charset=utf-8', parts };
    return sendFile(context, request, reply, { runId: run.id, action: 'download people', ...file });
  });

  app.post('/import/:upload/correct', async (request, reply) => {
    requireScope(request, 'run');
    awaitAnswer(request);
    const upload = await uploadOf(request);
    const { file = '', line = '', column = '', value = '', name = '' } = request.body as Form;
    const place = { file: file.slice(0, 1000), line: Number(line), column: Number(column) };
    if (!Number.isInteger(place.line) || !Number.isInteger(place.column) || place.column < 0) {
      throw new RequestError(422, 'INPUT', 'The form does not say which cell is meant. Load the page again.');
    }
    const corrected = correct(upload, { ...place, value: value.slice(0, 1000) });
    await uploads.save(corrected);
    const path = `/import/${upload.id}`;
    try {
      const {
        upload: planned,
        result,
        isNew,
      } = await planUpload(context, corrected, { by: request.by, signal: closing });
      if (planned.problem !== undefined) {
        await uploads.save(planned);
        return await reply.redirect(path, 303);
      }
      if (isNew) {
        const deed = { by: request.by, action: 'correct a row of an upload', runId: result.runId };
        await ledger.noteDeed({ ...deed, origin: originOf(request) });
      }
      const said = await whatCameOf(result.runId, place, name.slice(0, 200));
      await uploads.save({ ...planned, said });
      return await reply.redirect(`${path}/people`, 303);
    } catch (error) {
      const { detail, isExpected } = describeProblem(error, request.id);
      if (!isExpected) throw error;
      await uploads.save({ ...corrected, problem: detail });
      return reply.redirect(path, 303);
    }
  });

  app.post('/import/:upload/send', async (request, reply) => {
    requireScope(request, 'approve');
    const upload = await uploadOf(request);
    const run = await runOf(upload);
    const { hash = '', confirm = '' } = request.body as Form;
    if (hash === '')
      throw new RequestError(422, 'NO_PLAN', 'The form does not say which plan it is about. Load the page again.');
    const report = await readReport(context, run, { rejectSamples: 0 });
    const problem = report.hold && confirmProblem(report, confirm);
    if (problem) return answer(request, reply.code(422), { show: 'everybody', from: 0, text: '' }, problem);
    const note = `confirmed on the page of ${upload.name}`;
    await askOf(parts, request)(approveRun, { run: run.id, hash, note });
    await uploads.remove(upload.id);
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
    const view = await viewOf(upload, run, asked);
    const body = importPeople({
      ...view,
      viewer: viewerOf(request),
      isOwn: needsSomebodyElse(context.config, run, request.by),
      ...defined({ said, problem }),
    });
    return sendPage(parts, request, reply, { title: importPeopleTitle, place: 'import' }, body);
  }

  async function viewOf(upload: KeptUpload, run: Run, { show, from, text, group = '' }: Asked) {
    const report = await readReport(context, run, { rejectSamples: 0 });
    const isOfPeople = show !== 'reject' && show !== 'out';
    const filter = isOfPeople && filterOf({ show, text, group });
    const people = filter ? await ledger.peopleOfRun(plannedFor(run), filter, { from, limit }) : [];
    const leftOut = show === 'out' ? await listLeftOut(context, upload, { from, limit }) : [];
    const isFirst = show === 'everybody' && from === 0 && text === '' && group === '';
    const wanted = show === 'reject' ? rejectLimit : isFirst ? mostAbove : 0;
    const found = wanted > 0 ? await ledger.listRejects(run.id, { from, limit: wanted }) : [];
    const rejects = found.map((reject) => correctable(upload, run, reject));
    const listed = show === 'reject' ? rejects.length : people.length + leftOut.length;
    const isMore = text === '' && listed === (show === 'reject' ? rejectLimit : limit);
    const query = new URLSearchParams({ show, ...(group !== '' && { group }), from: String(from + listed) });
    const next = isMore ? `/import/${upload.id}/people?${query.toString()}` : undefined;
    const takesMs = timeFor(report.hold?.deliveries ?? 0, run.settings.rate);
    return {
      upload: upload.id,
      report,
      show,
      text,
      ...(group !== '' && { group }),
      groups: (run.plan?.groups ?? []).map((each) => each.group).toSorted(),
      leftOut,
      rejects,
      people,
      from,
      takesMs,
      ...defined({ next }),
    };
  }

  async function runOf(upload: KeptUpload): Promise<Run> {
    const run = await plannedRun(context, upload);
    if (run) return run;
    throw new RequestError(404, 'NO_PLAN', 'Nothing was planned of this upload. Go back to its columns.');
  }

  /** What happened to a corrected row, as a sentence. */
  async function whatCameOf(runId: string, place: { file: string; line: number }, name: string): Promise<string> {
    const rejects = await ledger.listRejects(runId, { limit: mostAbove * 2 });
    const still = rejects.find(({ file, line }) => file === place.file && line === place.line);
    if (still) return `Line ${place.line} is still rejected: ${still.reason}.`;
    const [run] = await ledger.findRuns(runId);
    const report = run && (await readReport(context, run, { rejectSamples: 0 }));
    const invited = report ? mayBeInvited(report) : 0;
    return `${name === '' ? `Line ${place.line}` : name} is corrected. ${invited === 0 ? 'Nobody gets an e-mail.' : `${count(invited, 'invitation')} at most.`}`;
  }
}

const plannedFor = ({ id, service, source }: Run) => ({ runId: id, service, source });

function filterOf({ show, text, group }: Omit<Asked, 'from' | 'show'> & { show: ShownPeople }): PeopleFilter {
  return {
    actions: show === 'everybody' ? [...sentActions, 'later'] : [show],
    ...(text !== '' && { text }),
    ...(group !== undefined && group !== '' && { group }),
  };
}

function isShow(text: string): text is ImportShow {
  return Object.hasOwn(importShows, text);
}

/** A reject with the place of its cell, and whose row it is. */
function correctable(upload: KeptUpload, run: Run, reject: Reject): CorrectableReject {
  const { file, line, value, reason, column, cells } = reject;
  const header = (run.roster?.form.header ?? []).map((name) => name.trim());
  const at = column === '' ? -1 : header.indexOf(column);
  const { firstname, lastname, fullname, email } = mappingOfUpload(upload).members ?? {};
  const read = (name: unknown): string => (typeof name === 'string' ? (cells[header.indexOf(name)] ?? '').trim() : '');
  const whole = [read(firstname), read(lastname)].filter((part) => part !== '').join(' ');
  const name = [whole, read(fullname?.column), read(email)].find((text) => text !== '') ?? `Line ${line}`;
  return { file, line, value, reason, name, ...(at >= 0 && { cell: { heading: column, column: at } }) };
}
