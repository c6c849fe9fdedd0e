// Shows that the service is rate-limiting us, and carries out `resume --now`.
import type { DeliveryEvents } from '../../../jobs/deliver/group-insert.ts';
import type { Ask } from '../../acts/act.ts';
import { callNow as call, type Followed } from '../../acts/runs.ts';
import { InputError } from '../../core/errors.ts';
import { escapeText, moment } from '../../core/text/format.ts';
import type { Logger } from '../../process/logger.ts';
import { throttledUntil } from '../../report/run/build-report.ts';
import { askForYes, isTerminal } from '../frame/ask.ts';
import type { Output } from '../frame/output.ts';
import type { Flags } from '../options.ts';

/** Shorter throttles are shown while they last, and need no line of their own, ms. */
const worthALineMs = 60_000;

type Throttled = NonNullable<Followed['throttled']>;

/** `until 2026-01-05 14:03 (HTTP 429 from host, asking to wait 600 s)` */
function sayUntil({ until, reason }: Throttled): string {
  return `until ${moment(until)} (${escapeText(reason)})`;
}

/**
 * Has the service of a run called although it asked not to be.
 * @returns the exit code where somebody did not agree
 * @throws InputError if there is nobody to ask
 */
export async function callNow(
  ask: Ask,
  { run, throttled }: Followed,
  { now = false, yes = false, output }: Flags<'resume'> & { output: Output },
): Promise<number | undefined> {
  if (!now) return undefined;
  if (throttled === undefined) {
    output.note('--now changes nothing: the service is not rate-limiting us.');
    return undefined;
  }
  if (!yes) {
    const said = `The service is rate-limiting us ${sayUntil(throttled)}.`;
    if (!isTerminal()) throw new InputError(`${said} To call it now without being asked, add --yes.`);
    const question = `${said} It may refuse every call, or shut you out for longer. Call it now?`;
    const otherwise = 'Nothing was changed. Calls start again when that time is over.';
    const refusal = await askForYes(question, { otherwise, alone: said }, output);
    if (refusal !== undefined) return refusal;
  }
  await ask(call, { run });
  return undefined;
}

/** Says, at each look at a run, that the service has asked not to be called; in a line of its own where that lasts. */
export function sayThrottles(note: (text: string) => void): (look: Followed) => string | undefined {
  let toldUntil = 0;
  return ({ run, throttled }) => {
    if (throttled === undefined) return undefined;
    const until = Date.parse(throttled.until);
    if (throttled.forMs >= worthALineMs && Math.abs(until - toldUntil) >= worthALineMs) {
      toldUntil = until;
      note(
        `The service is rate-limiting us ${sayUntil(throttled)}. Nothing is lost: the run continues then. Ctrl-C pauses it; ` +
          `to call the service now: roster-sync resume ${run} --now`,
      );
    }
    return `waits ${sayUntil(throttled)}`;
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
