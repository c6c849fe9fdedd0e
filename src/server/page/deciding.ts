// The forms of the pages: decide about a hold, pause, cancel, resume, retry.
import type { FastifyInstance } from 'fastify';
import { type Action, sentActions } from '../../core/run/run.ts';
import { cancelPage } from '../../page/run.ts';
import { type Decision, numberToType } from '../../page/decide.ts';
import { groupsToExcept } from '../../report/run/hold-view.ts';
import { readReport } from '../../report/run/read-report.ts';
import type { RunReport } from '../../report/run/run-report.ts';
import { theRun } from '../api/find-run.ts';
import type { ServerParts } from '../parts.ts';
import { RequestError } from '../problems.ts';
import { runDeeds } from '../run-deeds.ts';
import { sendPage } from './answers.ts';
import { sendRun } from './run-page.ts';
import { requireScope } from './session.ts';

type Form = Partial<Record<string, string>>;

/** What changes something. After each the browser is sent to the run, so that a reload does nothing twice. */
export function registerDeciding(app: FastifyInstance, parts: ServerParts): void {
  const { context } = parts;
  const { ledger } = context;
  const deeds = runDeeds(parts);

  for (const command of ['pause', 'cancel', 'resume', 'retry'] as const) {
    app.post(`/runs/:run/${command}`, async (request, reply) => {
      requireScope(request, command === 'cancel' ? 'approve' : 'run');
      const run = await theRun(ledger, (request.params as { run: string }).run);
      if (command === 'pause' || command === 'cancel') await deeds.stop(request, run, command);
      else await deeds.goOn(request, run, command);
      return reply.redirect(`/runs/${run.id}`, 303);
    });
  }

  app.get('/runs/:run/cancel', async (request, reply) => {
    requireScope(request, 'approve');
    const run = await theRun(ledger, (request.params as { run: string }).run);
    const body = cancelPage(await readReport(context, run));
    return sendPage(parts, request, reply, { title: 'Cancel the rest?', place: 'runs' }, body);
  });

  app.post('/runs/:run/decide', async (request, reply) => {
    requireScope(request, 'approve');
    const run = await theRun(ledger, (request.params as { run: string }).run);
    const form = request.body as Form;
    const report = await readReport(context, run);
    const problem = mistakeIn(form, report);
    if (problem) {
      const { choice = '', note = '', confirm = '' } = form;
      return sendRun(parts, request, reply.code(422), run, { choice, note, confirm, problem });
    }
    if (form['choice'] === 'none') await deeds.stop(request, run, 'cancel');
    else await deeds.approve(request, run, whatIsApproved(form, report));
    return reply.redirect(`/runs/${run.id}`, 303);
  });
}

/** Why a decision cannot be done as it was sent; undefined where it can. */
function mistakeIn(form: Form, report: RunReport): Decision['problem'] | undefined {
  const { choice, confirm = '' } = form;
  if (choice === undefined) return { field: 'choice', message: 'Choose first what should happen to them.' };
  const number = report.hold && numberToType(report, report.hold);
  if (choice !== 'all' || number === undefined) return undefined;
  if (confirm.replaceAll(/[\s.,']/g, '') === String(number)) return undefined;
  const message =
    confirm.trim() === '' ? `Type ${number} to confirm.` : `It is ${number}, not ${confirm.trim().slice(0, 20)}.`;
  return { field: 'confirm', message };
}

/** A choice as an approval: bound to the plan that the page showed. */
function whatIsApproved({ choice = '', note = '', hash }: Form, { hold }: RunReport) {
  if (hash === undefined || hash === '') {
    throw new RequestError(422, 'NO_PLAN', 'The form does not say which plan it is about. Open the run again.');
  }
  const common = { note, hash };
  if (choice === 'all') return common;
  if (choice === 'except') return { ...common, exceptGroups: groupsToExcept(hold?.reasons ?? []) };
  const action = sentActions.find((each) => choice === `only:${each}`);
  if (!action) throw new RequestError(422, 'INPUT', 'That cannot be chosen. Open the run again.');
  return { ...common, only: [action] satisfies Action[] };
}
