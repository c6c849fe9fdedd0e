// Changing cells of an upload before it is sent: of a row, or a value in a whole column; and taking it back.
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { askAs } from '../../acts/perform.ts';
import { correctUpload } from '../../acts/uploads.ts';
import { defined } from '../../core/defined.ts';
import { RequestError } from '../../core/errors.ts';
import type { Correction } from '../../core/rows/corrections.ts';
import { type CellChange, correctionsOf, rowOf } from '../../intake/correct-upload.ts';
import { type KeptUpload, KeptUploads, UploadSent } from '../../intake/kept-uploads.ts';
import { plannedRun } from '../../intake/open-upload.ts';
import { changeRow, changesPage, changesTitle, inField, mostOfCell, rowTitle } from '../../page/changes.ts';
import { showsOfImport } from '../../page/import-people.ts';
import { addressOf } from '../../page/list.ts';
import { t } from '../../page/words.ts';
import { awaitAnswer, hungUp, mostOfForm, whileRead } from '../bodies.ts';
import type { ServerParts } from '../parts.ts';
import { listOf, readAsked } from './people-list.ts';
import type { PlanBehind } from './planning.ts';
import { type Form, formOf, paramOf, requireScope, sendPage } from './session.ts';

/** Rejects of one line, of several files, among which the row that was changed is looked for. */
const fewRejects = 100;

export function registerChanging(app: FastifyInstance, parts: ServerParts, planBehind: PlanBehind): void {
  const { context } = parts;
  const { ledger } = context;
  const uploads = new KeptUploads(context);

  /** Throws an UploadSent once what was planned of it is being sent. */
  async function uploadOf(request: FastifyRequest): Promise<KeptUpload> {
    requireScope(request, 'run');
    const upload = await uploads.get(paramOf(request, 'upload'), request.by);
    const run = await plannedRun(context, upload);
    const isSent = run && run.releasedAt !== null && run.status !== 'held' && (run.plan?.calls ?? 0) > 0;
    if (isSent) throw new UploadSent(run.id);
    return upload;
  }

  app.get('/import/:upload/rows/:line', async (request, reply) => {
    const upload = await uploadOf(request);
    const { file = upload.name, ...query } = request.query as Form;
    const line = lineOf(paramOf(request, 'line'));
    const { header, cells, inFile } = await rowOf(upload, { file, line }, whileRead(reply));
    const { path: _, asked, from } = listOf('', readAsked(showsOfImport, query));
    const body = changeRow({
      ...{ upload: upload.id, fileName: upload.name, line },
      fields: { ...asked, from: String(from), file, line: String(line), row: digestOf(header, cells) },
      cells: header.map((heading, place) => {
        const [now = '', read = ''] = [cells[place], inFile[place]];
        return { place, heading: nameOf(heading, place), now, inFile: read, isShort: now.length <= mostOfCell };
      }),
    });
    return sendPage(parts, request, reply, { title: rowTitle(line), place: 'import' }, body);
  });

  app.get('/import/:upload/changes', async (request, reply) => {
    const upload = await uploadOf(request);
    const { said, ...others } = upload;
    if (said !== undefined) await uploads.save(others);
    return show(request, reply, upload);
  });

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, name, said, ...upload }: KeptUpload,
    tried?: Record<'column' | 'was' | 'value' | 'problem', string>,
  ): Promise<FastifyReply> {
    const { header, made } = await correctionsOf({ id, name, ...upload }, whileRead(reply));
    const changes = made.map((each, at) => ({ ...each, key: keyOf(upload.corrections[at]) }));
    const view = { upload: id, fileName: name, columns: header.map(nameOf), changes, ...defined({ said, tried }) };
    return sendPage(parts, request, reply, { title: t(changesTitle), place: 'import' }, changesPage(view));
  }

  app.post('/import/:upload/correct', { bodyLimit: mostOfForm }, async (request, reply) => {
    const upload = await uploadOf(request);
    awaitAnswer(request);
    const form = formOf(request);
    const changes = await changesIn(upload, form, hungUp(reply));
    const { id } = upload;
    const { to = '', line = '', name = '', place: column = '', was = '', value = '' } = form;
    const list = listOf(`/import/${id}/people`, readAsked(showsOfImport, form));
    const people = addressOf(list, 'from', list.from === 0 ? '' : String(list.from));
    if (changes.length === 0) return reply.redirect(people, 303);
    const next = to === 'changes' ? `/import/${id}/changes` : name === '' ? people : `${list.path}?corrected=${line}`;
    try {
      return await planBehind(request, reply, upload, {
        rows: (await plannedRun(context, upload))?.roster?.counts.rows ?? 0,
        to: next,
        isChange: true,
        async plan(asker) {
          const began = await askAs(asker)(correctUpload, { upload: id, changes });
          if (began.status === 'busy' || began.status === 'failed') return began;
          const said = await whatCameOf(began.run, changes, name.slice(0, 200));
          // Another change may have been kept meanwhile.
          await uploads.save({ ...(await uploads.get(id, request.by)), said });
          return began;
        },
      });
    } catch (error) {
      if (!(error instanceof RequestError) || error.code !== 'NO_CELL' || line !== '') throw error;
      return show(request, reply.code(422), upload, { column, was, value, problem: error.message });
    }
  });

  /** What happened to a changed row, or to the cells of a column, as a sentence. */
  async function whatCameOf(runId: string, changes: readonly CellChange[], name: string): Promise<string> {
    const [run] = await ledger.findRuns(runId);
    const invited = run?.plan?.possibleInvitations ?? 0;
    const most = invited === 0 ? t('Nobody gets an e-mail.') : t('[1 invitation|# invitations] at most.', invited);
    const [change] = changes;
    if (!change || change.value === null) return `${t('Taken back.')} ${most}`;
    if (change.line === undefined) {
      const made = await ledger.correctionsOf(runId);
      const cells = made
        .filter(
          ({ line, was, value }) => line === null && changes.some((each) => each.was === was && each.value === value),
        )
        .reduce((sum, each) => sum + each.cells, 0);
      return `${t('[1 cell|# cells] changed.', cells)} ${most}`;
    }
    const { line } = change;
    const after = { line: line - 1, id: Number.MAX_SAFE_INTEGER };
    const rejects = await ledger.listRejects(runId, { after, limit: fewRejects });
    const still = rejects.find((reject) => reject.line === line && reject.file === change.file);
    if (still) return t('Line {line} is still rejected: {reason}.', 1, { line, reason: still.reason });
    return `${t('{row} is corrected.', 1, { row: name || t('Line {line}', 1, { line }) })} ${most}`;
  }
}

function lineOf(text: string): number {
  const line = Number(text);
  if (Number.isInteger(line) && line > 0) return line;
  throw new RequestError(422, 'INPUT', t('The form does not say which cell is meant. Load the page again.'));
}

const nameOf = (heading: string, place: number): string =>
  heading.trim() || t('Column {number}', 1, { number: place + 1 });

const digestOf = (...values: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('hex');

/** What a correction is taken back by: the same as long as it is about the same cells, whatever a browser makes of texts. */
const keyOf = ({ file, line, column, was }: Partial<Correction> = {}): string => digestOf(file, line, column, was);

/** What a form asks for: one cell, a value in a column, or those cells of a row that somebody touched. */
async function changesIn(upload: KeptUpload, form: Form, signal: AbortSignal): Promise<CellChange[]> {
  const { file = upload.name, line: at = '', column = '', place, was = '', value = '', undo, row } = form;
  const cut = (text: string): string => text.slice(0, mostOfCell);
  if (undo !== undefined) {
    const undone = upload.corrections.filter((each) => keyOf(each) === undo);
    return undone.map((each) => ({ ...each, value: null }));
  }
  if (place !== undefined) return [{ column: Number(place), was: cut(was), value: cut(value) }];
  const line = lineOf(at);
  if (row === undefined) return [{ file: cut(file), line, column, value: cut(value) }];
  const { header, cells } = await rowOf(upload, { file, line }, signal);
  if (digestOf(header, cells) !== row) {
    const changed = t('Line {line} is not what this form showed any more. Open it again.', 1, { line });
    throw new RequestError(409, 'CHANGED', changed);
  }
  return header.flatMap((_heading, column) => {
    const [now = '', typed = inField(now)] = [cells[column], form[`cell.${column}`]?.replaceAll('\r\n', '\n')];
    if (typed === inField(now)) return [];
    const where = form['everywhere'] === 'on' ? { was: now } : { file, line };
    return [{ ...where, column, value: cut(typed) }];
  });
}
