// Delivers the runs of a program that embeds roster-sync, from the first one until it closes.
import { lookAtRun, startDelivering, waitForRun } from '../../jobs/deliver/deliver.ts';
import type { Context } from '../wiring/context.ts';
import type { ResumeOptions } from './roster-sync.ts';

/** Delivers from the first run on, also what others release meanwhile, until it is stopped. */
export function deliveriesOf(context: Context) {
  const closing = new AbortController();
  let begun: ReturnType<typeof open> | undefined;

  async function open() {
    const { concurrency, rate } = context.config.delivery;
    const delivery = await context.openDelivery(rate);
    const only = delivery.shared ? {} : { only: context.adopted };
    return { delivery, deliverer: startDelivering(delivery, { ...only, concurrency }) };
  }

  /**
   * Opens queue and client, once.
   * @throws BusyError when another process delivers and only one may; InputError when the token is missing
   */
  async function begin(): ReturnType<typeof open> {
    begun ??= open();
    try {
      return await begun;
    } catch (error) {
      // What was missing may be there the next time.
      begun = undefined;
      throw error;
    }
  }

  return {
    begin,
    /** Delivers a run until it has stopped; a signal, or `stop`, pauses it. */
    async deliver(runId: string, { signal, onProgress = () => {} }: ResumeOptions): Promise<void> {
      const { delivery, deliverer } = await begin();
      if (!delivery.shared) context.adopted.add(runId);
      deliverer.poke();
      const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      const stopped = waitForRun(async (isInterrupted) => {
        const look = await lookAtRun(delivery, runId, isInterrupted);
        onProgress(look.outcome);
        return look;
      }, either);
      await Promise.race([stopped, deliverer.failure]);
    },
    /** Pauses the runs that are waited for, and finishes the calls in flight. */
    async stop(): Promise<void> {
      closing.abort();
      await (await begun?.catch(() => undefined))?.deliverer.stop();
    },
  };
}
