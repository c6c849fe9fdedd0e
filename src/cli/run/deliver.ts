// Delivers a released run with a progress bar, then reports the result.
import { type Deliverer, type DeliveryEvents, startDelivering, waitForRun } from '../../../jobs/index.ts';
import { type AskingContext, type Context, type DeliveryContext, isAsking } from '../../wiring/context.ts';
import { InputError } from '../../core/errors.ts';
import type { Rate } from '../../core/pace/pacing.ts';
import { count } from '../../core/text/figures.ts';
import { exitCode } from '../../report/run/exit-code.ts';
import { createProgress } from '../../report/run/progress.ts';
import { renderResult } from '../../report/run/render-result.ts';
import { runJson, type RunReport } from '../../report/run/run-report.ts';
import { listenForInterruptions } from '../../process/shutdown.ts';
import { mayNamePeople } from '../frame/ask.ts';
import type { Output } from '../frame/output.ts';
import { findRun, readReport, reportSource } from '../../report/run/read-report.ts';
import { watchThrottle } from '../commands/throttled.ts';
import { writeReportFile } from '../frame/written-files.ts';

export interface DeliverAndReport {
  runId: string;
  output: Output;
  json: boolean;
  verbose: boolean;
  /** A file for the report, and whether it opens in Excel. */
  report?: string;
  excel?: boolean;
  /** False where other processes deliver, and this one only waits. */
  worker?: boolean;
  /** False where nobody waits: the run is left to the workers. */
  wait?: boolean;
}

/** A process that delivers, or has the owner of the ledger deliver. */
export type DelivererContext = DeliveryContext | AskingContext;

/** Opens what is needed to deliver, unless the owner of the ledger does it. */
export async function openDeliverer(context: Context | AskingContext, rate: Rate): Promise<DelivererContext> {
  return isAsking(context) ? context : context.openDelivery(rate);
}

/** Throws an `InputError` where a run is left to others that cannot be there. */
export function refuseToLeaveAlone(
  context: DelivererContext,
  { worker, wait }: { worker: boolean; wait: boolean },
): void {
  if (isAsking(context) || context.shared || (worker && wait)) return;
  throw new InputError(
    'Without Redis and PostgreSQL there are no other workers: leave out --no-worker and --no-wait, or set REDIS_URL and DATABASE_URL.',
  );
}

/** Prints the result of a run, its rejects only where people may be named. */
export function printResult(output: Output, report: RunReport, { verbose = false }: { verbose?: boolean }): void {
  const rejectSamples = mayNamePeople({ verbose }) ? report.rejectSamples : [];
  output.print(renderResult({ ...report, rejectSamples }, output.style, { verbose }));
}

/** Returns the exit code. */
export async function deliverAndReport(context: DelivererContext, options: DeliverAndReport): Promise<number> {
  const { runId, output } = options;
  const { status, service } = await findRun(context, runId);
  const delivers = status === 'delivering';
  if (options.wait === false && delivers) {
    output.print(`Run ${runId} is released; the workers deliver it. To follow it: roster-sync show ${runId}`);
    if (options.report !== undefined) {
      output.note(
        `${options.report} was not written: \`roster-sync show ${runId} --report FILE\` writes it once it has ended.`,
      );
    }
    if (options.json) output.json('run', runJson(await readReport(context, await findRun(context, runId))));
    return 0;
  }
  if (delivers) await showWhileDelivering(context, { ...options, service });
  const report = await readReport(context, await findRun(context, runId));
  printResult(output, report, options);
  if (options.json) output.json('run', runJson(report));
  // A finished run is in the backup. If a run stops, what it has given so far is known nowhere else.
  if (report.status !== 'finished') {
    await context
      .backup()
      .catch(({ message }: Error) => context.log.warn({ cause: message }, 'the backup could not be written'));
  }
  // Last: a report that cannot be written must not hide how the run went.
  if (options.report !== undefined) await writeReportFile(options.report, await reportSource(context, runId), options);
  return exitCode(report);
}

async function showWhileDelivering(
  context: DelivererContext,
  { runId, output, service, worker = true }: DeliverAndReport & { service: string },
): Promise<void> {
  const { outcome, pending } = await context.ledger.totalsOf(runId);
  const done = Object.values(outcome).reduce((sum, count) => sum + count, 0);
  const progress =
    output.quiet || pending === 0
      ? undefined
      : createProgress({ stream: process.stderr, total: done + pending, before: outcome });
  let inFlight = 0;
  const interruptions = listenForInterruptions(() =>
    progress?.note(`Stopping: finishing ${count(inFlight, 'call')} in flight. Press Ctrl-C again to stop at once.`),
  );
  const events: DeliveryEvents = {
    calling: (change) => {
      inFlight += change;
    },
    outage: (reason) =>
      progress?.note(`${reason}; one call a minute tries again. Nothing is lost; Ctrl-C pauses the run.`),
  };
  const throttle = progress && watchThrottle(context, { service, run: runId, note: progress.note });
  const { concurrency } = context.config.delivery;
  let deliverer: Deliverer | undefined;
  if (isAsking(context)) await context.askToDeliver(runId);
  else {
    // Runs that other commands release meanwhile are delivered too, for as long as this run takes.
    if (!context.shared) context.adopted.add(runId);
    const only = context.shared ? {} : { only: context.adopted };
    if (worker) deliverer = startDelivering(context, { ...only, concurrency, events });
  }
  // At once, not when the run has ended: stopping must not wait for calls that wait for their slot.
  const stop = (): void => void deliverer?.stop().catch(() => {});
  interruptions.signal.addEventListener('abort', stop, { once: true });
  if (interruptions.signal.aborted) stop();
  try {
    const onCounts = (counts: Parameters<NonNullable<typeof progress>['update']>[0]): void =>
      progress?.update(counts, throttle?.waiting());
    const ended = waitForRun(context, { runId, signal: interruptions.signal, onCounts });
    await (deliverer ? Promise.race([ended, deliverer.failure]) : ended);
  } finally {
    await deliverer?.stop();
    interruptions.dispose();
    throttle?.stop();
    progress?.stop();
  }
}
