import { requireBaseUrl } from '../../config/load.ts';
import { approveRun } from '../../jobs/index.ts';
import { InputError } from '../core/errors.ts';
import { type Action, actions } from '../core/run.ts';
import { count, moment } from '../report/figures.ts';
import { findRun, readReport } from '../report/read-report.ts';
import { runJson } from '../report/run-report.ts';
import { parseBaseUrl } from '../service/address.ts';
import { deliverAndReport } from './deliver.ts';
import { osUser } from './os-user.ts';
import { chooseRate } from './rate.ts';
import { type GlobalOptions, openSession, withLedger } from './session.ts';
import { checkWrittenFiles } from './written-files.ts';

/** The flags of `approve`. */
export interface ApproveOptions extends GlobalOptions {
  only: string[];
  exceptGroup: string[];
  note?: string;
  hash?: string;
  rate?: string;
  concurrency?: string;
  report?: string;
  /** False with `--no-canary`. */
  canary: boolean;
  /** False with `--no-worker`. */
  worker: boolean;
  /** False with `--no-wait`. */
  wait: boolean;
}

function isAction(word: string): word is Action {
  return actions.some((action) => action === word);
}

/** `roster-sync approve <run>`: releases what a run holds, and delivers it. Returns the exit code. */
export async function approveHeldRun(named: string, options: ApproveOptions): Promise<number> {
  const only = options.only.map((word) => {
    if (isAction(word)) return word;
    throw new InputError(`--only ${word}: write one of ${actions.join(', ')}.`);
  });
  const { config, output, log } = openSession(options, [
    { flag: '--concurrency', setting: 'delivery.concurrency', value: options.concurrency },
  ]);
  checkWrittenFiles(options, config);
  const { address } = parseBaseUrl(requireBaseUrl(config));
  /** Set once it is approved: should the process that delivers it end, this one does. */
  let approved = false;
  return withLedger({ config, log, command: `approve ${named}` }, async (context) => {
    const run = await findRun(context, named);
    const { rate, note } = chooseRate(config, options.rate, run.settings.rate);
    if (note !== undefined) output.note(note);
    const delivery = await context.openDelivery(rate);
    if (!delivery.shared && !(options.worker && options.wait)) {
      throw new InputError(
        'Without Redis and PostgreSQL nobody else would deliver: leave out --no-worker and --no-wait, or set REDIS_URL and DATABASE_URL.',
      );
    }
    const { json = false, verbose = false, worker, wait } = options;
    const delivering = {
      ...{ runId: run.id, output, json, verbose, worker, wait },
      ...(options.report === undefined ? {} : { report: options.report }),
    };
    if (approved) return deliverAndReport(delivery, delivering);
    const { released, superseded, stillHeld, already } = await approveRun(context, {
      runId: run.id,
      service: address,
      by: osUser(),
      only,
      exceptGroups: options.exceptGroup,
      ...(!options.canary && { careful: false }),
      ...(options.note !== undefined && { note: options.note }),
      ...(options.hash !== undefined && { hash: options.hash }),
    });
    if (already) {
      const rest = stillHeld > 0 ? `; ${count(stillHeld, 'delivery stays', 'deliveries stay')} held` : '';
      const when = moment(already.at.toISOString(), output.style.timeZone);
      output.print(`This part of run ${run.id} was approved already, by ${already.by} at ${when}${rest}.`);
      const report = await readReport(context, await findRun(context, run.id));
      if (report.status === 'delivering')
        output.print(`It is delivering; where it was interrupted: roster-sync resume ${run.id}`);
      if (json) output.json(runJson(report));
      return 0;
    }
    approved = true;
    const left = superseded > 0 ? `; ${count(superseded, 'delivery is', 'deliveries are')} no longer needed` : '';
    const held = stillHeld > 0 ? `; ${count(stillHeld, 'delivery stays', 'deliveries stay')} held` : '';
    output.print(
      `Approved by ${osUser()}: ${count(released, 'delivery', 'deliveries')} of run ${run.id}${left}${held}.`,
    );
    return deliverAndReport(delivery, delivering);
  });
}
