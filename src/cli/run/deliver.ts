// Delivers a released run with a progress bar, then reports the result.
import { RunDocument } from '../../acts/shapes/run.ts';
import { type Deliverer, startDelivering, waitForRun } from '../../../jobs/deliver/deliver.ts';
import type { DeliveryEvents } from '../../../jobs/deliver/group-insert.ts';
import type { Ask } from '../../acts/act.ts';
import { followRun } from '../../acts/runs.ts';
import { getRun } from '../../acts/looking.ts';
import type { DeliveryContext } from '../../wiring/context.ts';
import { InputError } from '../../core/errors.ts';
import { countEnded } from '../../core/call/outcome.ts';
import { count } from '../../core/text/format.ts';
import { exitCode } from '../../acts/exit-code.ts';
import type { OwnedError } from '../../ledger/directory/owner.ts';
import type { RunReport } from '../../report/run/run-report.ts';
import { createProgress } from '../../report/run/progress.ts';
import { renderResult } from '../../report/terminal/render-result.ts';
import { Interrupted, listenForInterruptions } from '../../process/shutdown.ts';
import { mayNamePeople } from '../frame/ask.ts';
import type { Output } from '../frame/output.ts';
import { sayThrottles } from '../commands/throttled.ts';
import { writeReportOf } from '../frame/written-files.ts';
import type { RunOptions } from './roster-job.ts';

type DeliverOptions = Pick<Partial<RunOptions>, 'json' | 'verbose' | 'report' | 'excel' | 'worker' | 'wait'>;

/** What is asked for the run with, and what delivers it; without `delivery` the owner of the ledger does. */
export interface Delivering {
  ask: Ask;
  output: Output;
  delivery: DeliveryContext | undefined;
  owner?: OwnedError | undefined;
}

/** Whether others deliver on and on: workers, or a server. Other owners of a ledger end with their own run. */
const othersGoOn = ({ delivery, owner }: Pick<Delivering, 'delivery' | 'owner'>): boolean =>
  delivery?.shared === true || owner?.who.startsWith('serve ') === true;

/** Throws an `InputError` where a run is left to others that cannot be there. */
export function refuseToLeaveAlone(
  { delivery, owner }: { delivery?: DeliveryContext | undefined; owner?: OwnedError | undefined },
  { worker, wait }: { worker: boolean; wait: boolean },
): void {
  if (othersGoOn({ delivery, owner }) || (wait && (worker || owner))) return;
  throw new InputError(
    'Without Redis and PostgreSQL there are no other workers: leave out --no-worker and --no-wait, or set REDIS_URL and DATABASE_URL.',
  );
}

/** Prints the result of a run, its rejects only where people may be named; with `--json` its document. */
export function printResult(
  output: Output,
  report: RunReport,
  { verbose = false, json = false }: Pick<DeliverOptions, 'verbose' | 'json'>,
): void {
  output.print(renderResult(report, output.style, { verbose, hidesPeople: !mayNamePeople({ verbose }) }));
  if (json) output.json('run', RunDocument.parse(report));
}

/** Returns the exit code. */
export async function deliverAndReport(delivering: Delivering, run: string, options: DeliverOptions): Promise<number> {
  const { ask, output, delivery } = delivering;
  const before = await ask(getRun, { run });
  const delivers = before.status === 'delivering';
  if (options.wait === false && delivers) {
    output.print(`Run ${run} is released; the workers deliver it. To follow it: roster-sync show ${run}`);
    if (options.report !== undefined) {
      output.note(
        `${options.report} was not written: \`roster-sync show ${run} --report FILE\` writes it once it has ended.`,
      );
    }
    if (options.json) output.json('run', RunDocument.parse(before));
    return 0;
  }
  if (delivers) await showWhileDelivering(delivering, before, options);
  const report = await ask(getRun, { run });
  printResult(output, report, options);
  // A finished run is in the backup. If a run stops, what it has given so far is known nowhere else; an owner writes it.
  if (delivery && report.status !== 'finished') {
    await delivery
      .backup()
      .catch(({ message }: Error) => delivery.log.warn({ cause: message }, 'the backup could not be written'));
  }
  // Last: a report that cannot be written must not hide how the run went.
  if (options.report !== undefined) await writeReportOf(ask, run, { ...options, output, path: options.report });
  return exitCode(report);
}

async function showWhileDelivering(
  { ask, output, delivery, owner }: Delivering,
  { run, outcome: before, pending }: RunReport,
  { worker = true }: DeliverOptions,
): Promise<void> {
  const progress =
    output.quiet || pending === 0
      ? undefined
      : createProgress({ stream: process.stderr, total: countEnded(before) + pending, before });
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
  const waiting = progress && sayThrottles(progress.note);
  let deliverer: Deliverer | undefined;
  if (delivery) {
    const { adopted, shared, config } = delivery;
    // Runs that other commands release meanwhile are delivered too, for as long as this run takes.
    if (!shared) adopted.add(run);
    const only = shared ? {} : { only: adopted };
    if (worker) deliverer = startDelivering(delivery, { ...only, concurrency: config.delivery.concurrency, events });
  }
  // At once, not when the run has ended: stopping must not wait for calls that wait for their slot.
  const stop = (): void => void deliverer?.stop().catch(() => {});
  interruptions.signal.addEventListener('abort', stop, { once: true });
  if (interruptions.signal.aborted) stop();
  try {
    const ended = waitForRun(async (isInterrupted) => {
      // Whoever only watches what others continue, and whose terminal is closed, stops nothing.
      const { reason } = interruptions.signal as { reason?: unknown };
      const isLeft =
        !deliverer && othersGoOn({ delivery, owner }) && reason instanceof Interrupted && !reason.isPressed;
      if (isInterrupted && isLeft) return undefined;
      const look = await ask(followRun, { run, isInterrupted });
      progress?.update(look.outcome, waiting?.(look));
      return look;
    }, interruptions.signal);
    await (deliverer ? Promise.race([ended, deliverer.failure]) : ended);
  } finally {
    await deliverer?.stop();
    interruptions.dispose();
    progress?.stop();
  }
}
