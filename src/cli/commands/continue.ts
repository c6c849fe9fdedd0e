// `resume`, `retry`, `pause`, `cancel`: steer a run that exists.
import { howToGoOn, type StopCommand, stopRun } from '../../../jobs/index.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { parseBaseUrl } from '../../service/address.ts';
import { requireBaseUrl } from '../../../config/load.ts';
import { runJson } from '../../report/run/run-report.ts';
import { isAsking } from '../../wiring/context.ts';
import { deliverAndReport, openDeliverer, printResult } from '../run/deliver.ts';
import { chooseRate } from '../frame/rate.ts';
import { findRun, readReport } from '../../report/run/read-report.ts';
import { type GlobalOptions, openLedgerSession, openSession, withLedger } from '../frame/session.ts';
import { callNow } from './throttled.ts';
import { checkWrittenFiles } from '../frame/written-files.ts';

/** The flags of `resume` and `retry`: rate and concurrency may be given again, the rest was stored with the run. */
export interface ContinueOptions extends GlobalOptions {
  rate?: string;
  concurrency?: string;
  report?: string;
  /** For `resume`: even if the service is rate-limiting us. */
  now?: boolean;
  yes?: boolean;
}

export async function resumeRun(named: string, options: ContinueOptions): Promise<number> {
  return goOn('resume', named, options);
}

export async function retryRun(named: string, options: ContinueOptions): Promise<number> {
  return goOn('retry', named, options);
}

export async function cancelRun(named: string, options: GlobalOptions): Promise<number> {
  return stop('cancel', named, options);
}

export async function pauseRun(named: string, options: GlobalOptions): Promise<number> {
  return stop('pause', named, options);
}

async function stop(command: StopCommand, named: string, options: GlobalOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { output } = session;
  return withLedger(session, { command }, async (context) => {
    const run = await findRun(context, named);
    await stopRun(context, run, command, 'a person');
    const report = await readReport(context, await findRun(context, run.id));
    printResult(output, report, options);
    if (options.json) output.json('run', runJson(report));
    return 0;
  });
}

async function goOn(command: 'resume' | 'retry', named: string, options: ContinueOptions): Promise<number> {
  const session = openSession(options, [
    { flag: '--concurrency', setting: 'delivery.concurrency', value: options.concurrency },
  ]);
  const { config, output } = session;
  checkWrittenFiles(options, config);
  const { address } = parseBaseUrl(requireBaseUrl(config));
  /** Set once the run continues: if the process that delivers it ends, this one takes over. */
  let begun = false;
  return withLedger(session, { command: `${command} ${named}` }, async (context) => {
    const run = await findRun(context, named);
    if (run.service !== address) {
      throw new InputError(
        `Run ${run.id} belongs to ${run.service}, but the configured service is ${address}. Set service.baseUrl to ${run.service}.`,
      );
    }
    const { rate, note } = chooseRate(config, options.rate, run.settings.rate);
    if (note !== undefined) output.note(note);
    const refused = await callNow(context, run.service, { ...options, output });
    if (refused !== undefined) return refused;
    const delivery = await openDeliverer(context, rate);
    if (options.now && !isAsking(delivery)) await delivery.pacer.callNow();
    const given = options.rate === undefined ? {} : { rate };
    const overtaken = begun
      ? 0
      : ((await context.ledger.continueRun(run.id, { ...howToGoOn(run, command), ...given })) ?? 0);
    begun = true;
    if (overtaken > 0)
      output.note(`${overtaken} deliveries are not sent: a newer roster of ${run.source} replaces them.`);
    if (!isAsking(delivery) && delivery.inFlightBefore > 0) {
      output.note(
        `${delivery.inFlightBefore} calls were in flight when the process ended; they are repeated ${config.service.timeoutMs / 1000} s after that.`,
      );
    }
    return deliverAndReport(delivery, {
      runId: run.id,
      output,
      json: options.json ?? false,
      verbose: options.verbose ?? false,
      ...defined({ report: options.report }),
    });
  });
}
