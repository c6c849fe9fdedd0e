// `approve` releases a held run, or a part of it; `resume`, `retry`, `pause` and `cancel` steer one that exists.
import { RunDocument } from '../../acts/shapes/run.ts';
import { requireBaseUrl } from '../../../config/load.ts';
import type { Ask } from '../../acts/act.ts';
import * as runs from '../../acts/runs.ts';
import { getRun } from '../../acts/looking.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { escapeText, count, moment } from '../../core/text/format.ts';
import { sentActions } from '../../core/run/run.ts';
import { leftSentences, planSentence } from '../../report/plan/plan-sentences.ts';
import type { RunReport } from '../../report/run/run-report.ts';
import type { DeliveryContext } from '../../wiring/context.ts';
import { askForYes } from '../frame/ask.ts';
import { deliverAndReport, printResult, refuseToLeaveAlone } from '../run/deliver.ts';
import { osUser } from '../frame/os-user.ts';
import type { Output } from '../frame/output.ts';
import { type GlobalOptions, openSession, tell, withActs } from '../frame/session.ts';
import { checkWrittenFiles } from '../frame/written-files.ts';
import type { Flags, Options } from '../options.ts';
import { callNow } from './throttled.ts';

export const pauseRun = (run: string, options: GlobalOptions) => stopRun('pause', run, options);

export const cancelRun = (run: string, options: GlobalOptions) => stopRun('cancel', run, options);

const stops = { pause: runs.pauseRun, cancel: runs.cancelRun };

async function stopRun(command: keyof typeof stops, run: string, options: GlobalOptions): Promise<number> {
  return tell(options, { command }, [stops[command], { run }], (report, output) =>
    printResult(output, report, options),
  );
}

/** A run that is to go on, as it is now. */
interface Going {
  ask: Ask;
  look: runs.Followed;
  output: Output;
  /** Opens what delivers it; undefined where another process does. */
  open(): Promise<DeliveryContext | undefined>;
}

type GoOnOptions = Options<'resume'> & Partial<Pick<Flags<'approve'>, 'worker' | 'wait'>>;

/** Has a run go on, and delivers it. `begin` returns the exit code where it does not go on. */
async function goOn(
  command: string,
  named: string,
  options: GoOnOptions,
  begin: (going: Going) => Promise<number | undefined>,
): Promise<number> {
  const session = openSession(options);
  const { config, output } = session;
  checkWrittenFiles(options, config);
  requireBaseUrl(config);
  /** Set once the run goes on: if the process that delivers it ends, this one takes over. */
  let hasBegun = false;
  /** The run that `latest` meant at first: a newer one is not the one that was named. */
  let meant = named;
  return withActs(session, { command: `${command} ${named}` }, async (ask, { here, owner }) => {
    const look = await ask(runs.followRun, { run: meant });
    const { run } = look;
    meant = run;
    const { rate, note } = runs.chooseRate(config, options.rate, look.rate);
    if (note !== undefined) output.note(note);
    let opened: Promise<DeliveryContext> | undefined;
    const open = async (): Promise<DeliveryContext | undefined> => {
      const delivery = await (opened ??= here?.openDelivery(rate));
      refuseToLeaveAlone({ delivery, owner }, { worker: true, wait: true, ...options });
      return delivery;
    };
    if (!hasBegun) {
      const ended = await begin({ ask, look, output, open });
      if (ended !== undefined) return ended;
    } else if (!here && look.status === 'delivering') {
      // Another process owns the ledger by now, and has not heard of it.
      await ask(runs.resumeRun, { run, ...defined({ rate: options.rate }) });
    }
    hasBegun = true;
    const delivery = await open();
    if (delivery && delivery.inFlightBefore > 0) {
      const calls = `${count(delivery.inFlightBefore, 'call')} ${delivery.inFlightBefore === 1 ? 'was' : 'were'} in flight`;
      output.note(`${calls} when the process ended: repeated ${config.service.timeoutMs / 1000} s after that.`);
    }
    return deliverAndReport({ ask, output, delivery, owner }, run, options);
  });
}

export const resumeRun = (named: string, options: Options<'resume'>) => continueRun('resume', named, options);

export const retryRun = (named: string, options: Options<'retry'>) => continueRun('retry', named, options);

async function continueRun(command: 'resume' | 'retry', named: string, options: Options<'resume'>): Promise<number> {
  return goOn(command, named, options, async ({ ask, look, output, open }) => {
    const refused = await callNow(ask, look, { ...options, output });
    if (refused !== undefined) return refused;
    const delivery = await open();
    if (options.now) await delivery?.pacer.callNow();
    const act = command === 'resume' ? runs.resumeRun : runs.retryRun;
    const { overtaken } = await ask(act, { run: look.run, ...defined({ rate: options.rate }) });
    if (overtaken > 0)
      output.note(`${overtaken} deliveries are not sent: a newer roster of ${look.source} replaces them.`);
    return undefined;
  });
}

export async function approveHeldRun(named: string, options: Options<'approve'>): Promise<number> {
  const only = options.only.map((word) => {
    const action = sentActions.find((one) => one === word);
    if (action) return action;
    throw new InputError(`--only ${word}: write one of ${sentActions.join(', ')}.`);
  });
  return goOn('approve', named, options, async ({ ask, look: { run, hash }, output, open }) => {
    const refusal = await askToApprove(output, await ask(getRun, { run }), options);
    if (refusal !== undefined) return refusal;
    await open();
    const { released, superseded, stillHeld, already } = await ask(runs.approveRun, {
      run,
      hash: options.hash ?? hash,
      ...(only.length > 0 && { only }),
      ...(options.exceptGroup.length > 0 && { exceptGroups: options.exceptGroup }),
      ...(options.exceptReason.length > 0 && { exceptReasons: options.exceptReason.map(placeIn) }),
      ...(!options.canary && { canary: false }),
      ...defined({ note: options.note, rate: options.rate }),
    });
    const held = stillHeld > 0 ? `; ${count(stillHeld, 'delivery stays', 'deliveries stay')} held` : '';
    if (already) {
      const report = await ask(getRun, { run });
      if (options.json) output.json('run', RunDocument.parse(report));
      return sayApprovedBefore(output, report, already, held);
    }
    const left = superseded > 0 ? `; ${count(superseded, 'delivery is', 'deliveries are')} no longer needed` : '';
    output.print(`Approved by ${osUser()}: ${count(released, 'delivery', 'deliveries')} of run ${run}${left}${held}.`);
    return undefined;
  });
}

/** `--yes`, or the plan's hash, is a yes; a run that holds nothing needs none. Returns the exit code without one. */
async function askToApprove(
  output: Output,
  { run, source, hold, plan, departures }: RunReport,
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
  const line = `Run ${run} of ${escapeText(source)} holds ${holds}; its plan: ${[planSentence(plan), ...leftSentences(plan, departures)].join('; ')}${part}.${hold.overDay === undefined ? '' : ` ${hold.overDay}`}`;
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

function placeIn(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InputError(`--except-reason ${text}: write the number of a reason, as \`show\` prints it.`);
}
