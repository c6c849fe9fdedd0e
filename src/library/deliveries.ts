// Delivers the runs of a program that embeds roster-sync, from the first one until it closes.
import { type Deliverer, lookAtRun, startDelivering, waitForRun } from '../../jobs/index.ts';
import type { Context, DeliveryContext } from '../wiring/context.ts';
import type { ResumeOptions } from './roster-sync.ts';

interface Delivering {
  delivery: DeliveryContext;
  deliverer: Deliverer;
}

/** Delivers from the first run on, also what others release meanwhile, until it is stopped. */
export class Deliveries {
  readonly #context: Context;
  readonly #closing = new AbortController();
  #begun: Promise<Delivering> | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * Opens queue and client, once.
   * @throws BusyError when another process delivers and only one may; InputError when the token is missing
   */
  async begin(): Promise<Delivering> {
    this.#begun ??= this.#open();
    try {
      return await this.#begun;
    } catch (error) {
      // What was missing may be there the next time.
      this.#begun = undefined;
      throw error;
    }
  }

  /** Delivers a run until it has stopped; a signal, or `stop`, pauses it. */
  async deliver(runId: string, { signal, onProgress = () => {} }: ResumeOptions): Promise<void> {
    const { delivery, deliverer } = await this.begin();
    if (!delivery.shared) this.#context.adopted.add(runId);
    deliverer.poke();
    const either = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
    const stopped = waitForRun(async (isInterrupted) => {
      const look = await lookAtRun(delivery, runId, isInterrupted);
      onProgress(look.outcome);
      return look;
    }, either);
    await Promise.race([stopped, deliverer.failure]);
  }

  /** Pauses the runs that are waited for, and finishes the calls in flight. */
  async stop(): Promise<void> {
    this.#closing.abort();
    const begun = await this.#begun?.catch(() => undefined);
    await begun?.deliverer.stop();
  }

  async #open(): Promise<Delivering> {
    const { config, adopted } = this.#context;
    const { concurrency, rate } = config.delivery;
    const delivery = await this.#context.openDelivery(rate);
    const only = delivery.shared ? {} : { only: adopted };
    return { delivery, deliverer: startDelivering(delivery, { ...only, concurrency }) };
  }
}
