import type { DeliveryContext } from '../src/context.ts';
import type { Answer } from '../src/core/answer.ts';
import type { Decision } from '../src/core/retry.ts';
import type { Stop } from '../src/core/run.ts';

/** What whoever waits for a run wants to hear while it is delivered. */
export interface DeliveryEvents {
  /** Calls in flight became more (1) or fewer (-1). */
  calling(change: 1 | -1): void;
  answered(answer: Answer, decision: Decision): void;
  /** The breaker has opened: nothing is lost, one call a minute probes. */
  outage(reason: string): void;
}

/** The context of one run while it is delivered; what `groupInsert` needs. */
export interface Delivering extends DeliveryContext {
  pacer: ReturnType<DeliveryContext['createPacer']>;
  events: DeliveryEvents;
  /** Whether this run or the source's run before it has ever been accepted. */
  succeededBefore(): boolean;
  /** Whether no further call may begin. */
  stopping(): boolean;
  /** Stops the run for a reason that holds for everyone; only the first one counts. */
  stop(status: 'paused' | 'halted', stop: Stop): Promise<void>;
}
