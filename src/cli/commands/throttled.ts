// Shows that the service is rate-limiting us, and carries out `resume --now`.
import type { DeliveryEvents } from '../../../jobs/index.ts';
import type { LedgerContext } from '../../wiring/context.ts';
import { InputError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/escape.ts';
import type { Throttle } from '../../core/call/throttle.ts';
import type { Logger } from '../../process/logger.ts';
import { throttledUntil } from '../../report/run/build-report.ts';
import { moment } from '../../core/text/figures.ts';
import { askForYes, isTerminal } from '../frame/ask.ts';
import type { Output } from '../frame/output.ts';

/** Between two checks, ms. */
const lookEveryMs = 1000;
/** Shorter throttles are shown while they last, and need no line of their own, ms. */
const worthALineMs = 60_000;

/** `until 2026-01-05 14:03 (HTTP 429 from host, asking to wait 600 s)` */
function sayUntil(throttle: Throttle): string {
  const { until, reason } = throttledUntil(throttle);
  return `until ${moment(until)} (${escapeText(reason)})`;
}

/** What `resume` may be told about a service that has asked not to be called. */
export interface NowOptions {
  now?: boolean;
  yes?: boolean;
}

/** Returns the exit code where somebody did not agree. Throws an InputError if there is nobody to ask. */
export async function callNow(
  { ledger }: LedgerContext,
  service: string,
  { now = false, yes = false, output }: NowOptions & { output: Output },
): Promise<number | undefined> {
  if (!now) return undefined;
  const throttle = await ledger.throttleOf(service);
  if (throttle === undefined) {
    output.note('--now changes nothing: the service is not rate-limiting us.');
    return undefined;
  }
  if (!yes) {
    const said = `The service is rate-limiting us ${sayUntil(throttle)}.`;
    if (!isTerminal()) throw new InputError(`${said} To call it now without being asked, add --yes.`);
    const question = `${said} It may refuse every call, or shut you out for longer. Call it now?`;
    const refusal = await askForYes(question, 'Nothing was changed. Calls start again when that time is over.', output);
    if (refusal !== undefined) return refusal;
  }
  await ledger.endThrottle(service);
  return undefined;
}

/** Watches whether the service has asked not to be called, and says so in a line of its own where that lasts. */
export function watchThrottle(
  { ledger }: LedgerContext,
  { service, run, note }: { service: string; run: string; note: (text: string) => void },
): { waiting(): string | undefined; stop(): void } {
  let waiting: string | undefined;
  let toldUntil = 0;
  async function look(): Promise<void> {
    const throttle = await ledger.throttleOf(service);
    waiting = throttle && `waits ${sayUntil(throttle)}`;
    if (throttle === undefined || throttle.forMs < worthALineMs) return;
    const until = Date.now() + throttle.forMs;
    if (Math.abs(until - toldUntil) < worthALineMs) return;
    toldUntil = until;
    note(
      `The service is rate-limiting us ${sayUntil(throttle)}. Nothing is lost: the run continues then. Ctrl-C pauses it; ` +
        `to call the service now: roster-sync resume ${run} --now`,
    );
  }
  const lookQuietly = (): void => void look().catch(() => {});
  lookQuietly();
  const timer = setInterval(lookQuietly, lookEveryMs);
  return {
    waiting: () => waiting,
    stop: () => clearInterval(timer),
  };
}

/** Says in the log of a process that nobody watches when the service asks not to be called for long. */
export function logThrottles(log: Logger): NonNullable<DeliveryEvents['answered']> {
  return (answer) => {
    if (answer.kind !== 'throttled' || (answer.waitMs ?? 0) < worthALineMs) return;
    const { until, reason } = throttledUntil({ forMs: answer.waitMs ?? 0, reason: answer.reason });
    log.warn({ reason, until }, 'the service is rate-limiting us; no calls are made until then');
  };
}
