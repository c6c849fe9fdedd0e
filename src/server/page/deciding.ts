// The forms of the pages: decide about a hold, pause, cancel, resume, retry.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApprovalScope } from '../../core/guards/trip.ts';
import { sentActions } from '../../core/run/run.ts';
import { cancelPage } from '../../page/run.ts';
import { type Decision, numberMistake, numberToType } from '../../page/decide.ts';
import { answerField } from '../../page/question.ts';
import { t, words } from '../../page/words.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import { groupsToExcept, type RunReport } from '../../report/run/run-report.ts';
import { findRun, readReport } from '../../report/run/read-report.ts';
import { approveRun, cancelRun, pauseRun, resumeRun, retryRun } from '../../acts/runs.ts';
import { defined } from '../../core/defined.ts';
import { NotNowError, RequestError } from '../../core/errors.ts';
import { askOf } from '../api/mount.ts';
import type { ServerParts } from '../parts.ts';
import { type Form, formOf, paramOf, requireScope, sendPage } from './session.ts';
import { type CountRun, sendRun } from './run-page.ts';

/** After each the browser is sent to the run, so that a reload does nothing twice. */
export function registerDeciding(app: FastifyInstance, parts: ServerParts, countRun: CountRun): void {
  const { context } = parts;
  const { ledger } = context;

  const commands = { pause: pauseRun, cancel: cancelRun, resume: resumeRun, retry: retryRun };
  for (const [command, act] of Object.entries(commands)) {
    app.post(`/runs/:run/${command}`, async (request, reply) => {
      const run = paramOf(request, 'run');
      // Only what is retried may be those with one cause.
      const { cause } = command === 'retry' ? formOf(request) : {};
      await askOf(parts, request)<(typeof act)['input'], unknown>(act, { run, ...defined({ cause }) });
      return reply.redirect(`/runs/${run}`, 303);
    });
  }

  app.get('/runs/:run/cancel', async (request, reply) => {
    requireScope(request, 'run');
    const run = await findRun(context, paramOf(request, 'run'));
    const body = cancelPage(await readReport(context, run));
    return sendPage(parts, request, reply, { title: t('Cancel the rest?'), place: 'runs' }, body);
  });

  app.post('/runs/:run/decide', async (request, reply) => {
    requireScope(request, 'approve');
    const run = await findRun(context, paramOf(request, 'run'));
    const form = formOf(request);
    const report = await readReport(context, run);
    const { choice = '', note = '', confirm = '' } = form;
    const refuse = async (problem: Decision['problem']) =>
      sendRun({ parts, countRun }, request, reply.code(422), await findRun(context, run.id), {
        decision: { choice, answers: form, note, confirm, problem },
      });
    if (report.hold === undefined) return tooLate(request, reply, run);
    if (choice === '') return refuse({ field: 'choice', message: t('Choose first what should happen to them.') });
    if (choice === 'none') return decide(request, reply, run, () => askOf(parts, request)(cancelRun, { run: run.id }));
    const approval = whatIsApproved(form, report);
    if (typeof approval === 'string') return refuse({ field: 'choice', message: approval });
    const { people, fresh } = await ledger.countHeldPart(run.id, approval.scope);
    if (people === 0 && (report.hold?.deliveries ?? 0) > 0) {
      // Somebody may have decided since the report was read.
      return (await ledger.countHeld(run.id)) === 0
        ? tooLate(request, reply, run)
        : refuse({ field: 'choice', message: t(nothingLeft) });
    }
    const mistake = numberMistake(confirm, numberToType(report.settings.invite, fresh));
    if (mistake !== undefined) {
      const ofPart = choice === 'all' ? '' : `${t('These are [1 person|# people].', people)} `;
      return refuse({ field: 'confirm', message: `${ofPart}${mistake}` });
    }
    const what = { ...approval.scope, note, hash: approval.hash };
    return decide(request, reply, run, () => askOf(parts, request)(approveRun, { run: run.id, ...what }));
  });

  async function decide(
    request: FastifyRequest,
    reply: FastifyReply,
    run: Run,
    act: () => Promise<unknown>,
  ): Promise<FastifyReply> {
    try {
      await act();
    } catch (error) {
      const [now] = await ledger.findRuns(run.id);
      const isDecided = now !== undefined && (await readReport(context, now)).hold === undefined;
      if (!isDecided || !(error instanceof NotNowError)) throw error;
      return tooLate(request, reply, now);
    }
    return reply.redirect(`/runs/${run.id}`, 303);
  }

  /** Shows the run as it is now: what was read before is what the other one has changed. */
  async function tooLate(request: FastifyRequest, reply: FastifyReply, { id }: Run): Promise<FastifyReply> {
    return sendRun({ parts, countRun }, request, reply.code(409), await findRun(context, id), { isTooLate: true });
  }
}

const nothingLeft = words('Nobody would be sent that way: what you leave holds everybody. Send more of them, or none.');

/** A choice as an approval, bound to the plan that the page showed; or what is missing, in words. */
function whatIsApproved(form: Form, { hold }: RunReport): { scope: ApprovalScope; hash: string } | string {
  const { choice = '', hash } = form;
  if (hash === undefined || hash === '') {
    throw new RequestError(422, 'NO_PLAN', t('The form does not say which plan it is about. Open the run again.'));
  }
  const reasons = hold?.reasons ?? [];
  if (choice === 'all') return { scope: {}, hash };
  if (choice === 'except') return { scope: { exceptGroups: groupsToExcept(reasons) }, hash };
  if (choice === 'one') {
    const asked = reasons.map((_, at) => at + 1).filter((place) => form[answerField(place)] !== undefined);
    if (asked.some((place) => form[answerField(place)] === '')) return t('Answer each question first.');
    const exceptReasons = asked.filter((place) => form[answerField(place)] !== 'send');
    return { scope: exceptReasons.length === 0 ? {} : { exceptReasons }, hash };
  }
  const action = sentActions.find((each) => choice === `only:${each}`);
  if (!action) throw new RequestError(422, 'INPUT', t('That cannot be chosen. Open the run again.'));
  return { scope: { only: [action] }, hash };
}
