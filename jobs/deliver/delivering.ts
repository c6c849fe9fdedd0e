// The types that one delivering process shares: its parts and its events.
import type { DeliveryContext } from '../../src/wiring/context.ts';
import type { Answer } from '../../src/core/call/answer.ts';
import type { AcceptedBefore, Decision } from '../../src/core/call/retry.ts';
import type { Stop } from '../../src/core/run/run.ts';
import type { Crowd } from './calls-in-hand.ts';

/** What a process reports while it delivers. */
export interface DeliveryEvents {
  /** Calls in flight became more (1) or fewer (-1). */
  calling?(change: 1 | -1): void;
  answered?(answer: Answer, decision: Decision): void;
  /** The breaker has opened: nothing is lost, one call a minute probes. */
  outage?(reason: string): void;
}

/** A process while it delivers; what `groupInsert` needs. */
export interface Delivering extends DeliveryContext {
  events: DeliveryEvents;
  crowd: Crowd;
  /** What the service of this run has accepted, as far as is known now. */
  acceptedBefore(runId: string): Promise<AcceptedBefore>;
  /** A call of this run was accepted. */
  noteSuccess(runId: string): void;
  /** Aborted once no further call may begin. */
  stopping: AbortSignal;
  /** Stops a run for a reason that holds for everyone; only the first one counts. */
  stopRun(runId: string, move: 'pause' | 'halt', stop: Stop): Promise<void>;
}
