// `approve`: releases a held run, or a part of it, and delivers it.
import { RunDocument } from '../../acts/shapes/run.ts';
import { requireBaseUrl } from '../../../config/load.ts';
import { followRun, approveRun as approve, resumeRun, chooseRate } from '../../acts/runs.ts';
import { getRun } from '../../acts/looking.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { escapeText, count, moment } from '../../core/text/format.ts';
import { sentActions } from '../../core/run/run.ts';
import { planSentence } from '../../report/plan/plan-sentences.ts';
import type { RunReport } from '../../report/run/run-report.ts';
import { askForYes } from '../frame/ask.ts';
import { deliverAndReport, refuseToLeaveAlone } from '../run/deliver.ts';
import { osUser } from '../frame/os-user.ts';
import type { Output } from '../frame/output.ts';
import { openSession, withActs } from '../frame/session.ts';
import { checkWrittenFiles } from '../frame/written-files.ts';
import type { Options } from '../options.ts';

/** `--yes`, or the plan's hash, is a yes; a run that holds nothing needs none. Returns the exit code without one. */
async function askToApprove(
  output: Output,
  { run, source, hold, plan }: RunReport,
  { yes = false, hash, only, exceptGroup, exceptReason }: Options<'approve'>,
): Promise<number | undefined> {
  if (hold === undefined) return undefined;
  const parts = [
    ...(only.length > 0 ? [`only ${only.join(', ')}`] : []),
    ...exceptGroup.map((group) => `without ${escapeText(group)}`),
    ...exceptReason.map((place) => `without what reason ${escapeText(place)} stops`),
  ];
  const part = parts.length > 0 ? ` (you approve ${parts.join(', ')})` : '';
  const holds = count(hold.deliveries, 'delivery', 'deliveries');
  const line = `Run ${run} of ${escapeText(source)} holds ${holds}; its plan: ${planSentence(plan)}${part}.${hold.overDay === undefined ? '' : ` ${hold.overDay}`}`;
  if (yes || hash !== undefined) {
    output.print(line);
    return undefined;
  }
  const alone =
    `${line}\nNothing was approved: there is no terminal to ask you on. Check the plan with ` +
    `\`roster-sync show ${run}\`, then add --hash ${hold.hash.slice(0, 12)} to approve exactly this plan, or --yes.`;
  return askForYes(`${line} Approve it?`, { otherwise: 'Nothing was approved.', alone }, output);
}

/** Says who approved that part of a run before; nothing was done. Returns the exit code. */
function sayApprovedBefore(
  output: Output,
  report: RunReport,
  already: { by: string; at: string },
  rest: string,
): number {
  const when = moment(already.at, output.style.timeZone);
  output.print(`This part of run ${report.run} was approved already, by ${already.by} at ${when}${rest}.`);
  if (report.status === 'delivering') {
    output.print(`It is delivering. If it was interrupted: roster-sync resume ${report.run}`);
  }
  return 0;
}

export async function approveHeldRun(named: string, options: Options<'approve'>): Promise<number> {
  const only = options.only.map((word) => {
    const action = sentActions.find((one) => one === word);
    if (action) return action;
    throw new InputError(`--only ${word}: write one of ${sentActions.join(', ')}.`);
  });
  const session = openSession(options);
  const { config, output } = session;
  checkWrittenFiles(options, config);
  requireBaseUrl(config);
  /** Set once it is approved: if the process that delivers it ends, this one takes over. */
  let approved = false;
  /** The run that `latest` meant at first: a newer one is not the one that was named. */
  let meant = named;
  return withActs(session, { command: `approve ${named}` }, async (ask, { here }) => {
    const { run, hash, status, rate: stored } = await ask(followRun, { run: meant });
    const refusal = approved ? undefined : await askToApprove(output, await ask(getRun, { run }), options);
    if (refusal !== undefined) return refusal;
    meant = run;
    const { rate, note } = chooseRate(config, options.rate, stored);
    if (note !== undefined) output.note(note);
    const delivery = await here?.openDelivery(rate);
    refuseToLeaveAlone(delivery, options);
    const deliver = () => deliverAndReport({ ask, output, delivery }, run, options);
    if (approved) {
      // Another process owns the ledger by now, and has not heard of it.
      if (!here && status === 'delivering') await ask(resumeRun, { run });
      return deliver();
    }
    const { released, superseded, stillHeld, already } = await ask(approve, {
      run,
      hash: options.hash ?? hash,
      ...(only.length > 0 && { only }),
      ...(options.exceptGroup.length > 0 && { exceptGroups: options.exceptGroup }),
      ...(options.exceptReason.length > 0 && { exceptReasons: options.exceptReason.map(placeIn) }),
      ...(!options.canary && { canary: false }),
      ...defined({ note: options.note }),
    });
    const held = stillHeld > 0 ? `; ${count(stillHeld, 'delivery stays', 'deliveries stay')} held` : '';
    if (already) {
      const report = await ask(getRun, { run });
      if (options.json) output.json('run', RunDocument.parse(report));
      return sayApprovedBefore(output, report, already, held);
    }
    approved = true;
    const left = superseded > 0 ? `; ${count(superseded, 'delivery is', 'deliveries are')} no longer needed` : '';
    output.print(`Approved by ${osUser()}: ${count(released, 'delivery', 'deliveries')} of run ${run}${left}${held}.`);
    return deliver();
  });
}

function placeIn(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InputError(`--except-reason ${text}: write the number of a reason, as \`show\` prints it.`);
}
