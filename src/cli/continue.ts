import { InputError } from '../core/errors.ts';
import { type RunStatus, unfinished } from '../core/run.ts';
import { parseBaseUrl } from '../service/address.ts';
import { requireBaseUrl } from '../../config/load.ts';
import { renderResult } from '../report/render-result.ts';
import { runJson } from '../report/run-report.ts';
import type { GoingOn } from '../ledger/release.ts';
import type { Run } from '../ledger/runs.ts';
import { deliverAndReport } from './deliver.ts';
import { chooseRate } from './rate.ts';
import { findRun, readReport } from '../report/read-report.ts';
import { type GlobalOptions, openSession, withContext } from './session.ts';
import { checkWrittenFiles } from './written-files.ts';

/** The flags of `resume` and `retry`: rate and concurrency may be given anew, the rest was stored with the run. */
export interface ContinueOptions extends GlobalOptions {
  rate?: string;
  concurrency?: string;
  report?: string;
}

/** `roster-sync resume <run>`: goes on with a run that was interrupted, paused or halted. */
export async function resumeRun(named: string, options: ContinueOptions): Promise<number> {
  return goOn('resume', named, options, (run) => {
    if (isUnfinished(run)) return { from: unfinished, retry: false };
    const next =
      run.status === 'finished-with-failures' ? ` \`roster-sync retry ${run.id}\` tries its failures once more.` : '';
    throw new InputError(`Run ${run.id} is ${run.status}: there is nothing to resume.${next}`);
  });
}

/** `roster-sync retry <run>`: tries the failures of a finished run once more, with fresh attempts. */
export async function retryRun(named: string, options: ContinueOptions): Promise<number> {
  return goOn('retry', named, options, (run) => {
    if (run.status === 'finished-with-failures') return { from: ['finished-with-failures'], retry: true };
    const next = isUnfinished(run) ? ` \`roster-sync resume ${run.id}\` goes on with it.` : '';
    throw new InputError(`Run ${run.id} is ${run.status}: there is nothing to retry.${next}`);
  });
}

/** `roster-sync cancel <run>`: what was not sent is not sent any more. */
export async function cancelRun(named: string, options: GlobalOptions): Promise<number> {
  return stopRun('cancel', named, options, { from: ['held', ...unfinished], to: 'cancelled' });
}

/** `roster-sync pause <run>`: begins no further calls of a run, in whatever process. */
export async function pauseRun(named: string, options: GlobalOptions): Promise<number> {
  return stopRun('pause', named, options, { from: ['delivering'], to: 'paused' });
}

async function stopRun(
  command: 'cancel' | 'pause',
  named: string,
  options: GlobalOptions,
  move: { from: readonly RunStatus[]; to: 'cancelled' | 'paused' },
): Promise<number> {
  const { config, output, log } = openSession(options);
  return withContext({ config, log, command }, async (context) => {
    const run = await findRun(context, named);
    const stop = { by: 'person', reason: `${move.to} by a person` } as const;
    if (!(await context.ledger.moveRun(run.id, move.from, move.to, stop))) {
      throw new InputError(`Run ${run.id} is ${run.status}: there is nothing to ${command}.`);
    }
    const report = await readReport(context, await findRun(context, run.id));
    output.print(renderResult(report, output.style));
    if (options.json) output.json(runJson(report));
    return 0;
  });
}

function isUnfinished(run: Run): boolean {
  return unfinished.some((status) => status === run.status);
}

async function goOn(
  command: string,
  named: string,
  options: ContinueOptions,
  how: (run: Run) => GoingOn,
): Promise<number> {
  const { config, output, log } = openSession(options, [
    { flag: '--concurrency', setting: 'delivery.concurrency', value: options.concurrency },
  ]);
  checkWrittenFiles(options, config);
  const { address } = parseBaseUrl(requireBaseUrl(config));
  return withContext({ config, log, command: `${command} ${named}` }, async (context) => {
    const run = await findRun(context, named);
    if (run.service !== address) {
      throw new InputError(
        `Run ${run.id} belongs to ${run.service}, and the service that is set is ${address}. Set service.baseUrl to the former.`,
      );
    }
    const { rate, note } = chooseRate(config, options.rate, run.settings.rate);
    if (note !== undefined) output.note(note);
    const delivery = await context.openDelivery(rate);
    const overtaken =
      (await context.ledger.continueRun(run.id, { ...how(run), ...(options.rate === undefined ? {} : { rate }) })) ?? 0;
    if (overtaken > 0)
      output.note(`${overtaken} deliveries were overtaken by a newer roster of ${run.source} and are not sent.`);
    if (delivery.inFlightBefore > 0) {
      output.note(
        `${delivery.inFlightBefore} calls were in flight when the process ended; they are repeated once ${config.service.timeoutMs / 1000} s have passed since.`,
      );
    }
    return deliverAndReport(delivery, {
      runId: run.id,
      output,
      json: options.json ?? false,
      verbose: options.verbose ?? false,
      ...(options.report === undefined ? {} : { report: options.report }),
    });
  });
}
