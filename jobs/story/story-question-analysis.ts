// Asks the service for questions and answers, with the pace and retries of every call.
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../../src/core/defined.ts';
import type { Analysis, AnalysisRequest } from '../../src/core/story/analysis.ts';
import { ServiceError } from '../../src/core/errors.ts';
import { decide, type RetryPolicy } from '../../src/core/call/retry.ts';
import { throttleIn } from '../../src/core/call/throttle.ts';
import type { Pacer } from '../../src/queue/pacer.ts';
import type { ServiceClient } from '../../src/service/client.ts';
import type { DeliveryContext } from '../../src/wiring/context.ts';

/** What asking for an analysis works with: part of every context that delivers, and of `openService`. */
export interface AnalysisContext {
  service: Pick<ServiceClient, 'analyse' | 'address' | 'checkAddress'>;
  pacer: Pick<Pacer, 'slot' | 'tell' | 'late' | 'outage'>;
  /** In [0, 1). */
  random(): number;
  /** The number of tries, the waits between them, and their longest time together, ms. */
  policy: RetryPolicy & { deadlineMs: number };
}

/** What asking for answers that are kept, or joined to a roster, works with. */
export type AnswersContext = Pick<DeliveryContext, 'config' | 'ledger' | 'log' | 'service' | 'pacer' | 'random'>;

/** What happens while it is asked. */
export interface AnalysisEvents {
  /** How many bytes of the answer have come. */
  received?: (bytes: number) => void;
  /** The next attempt is in `waitMs`, for this reason. */
  waiting?: (waitMs: number, reason: string) => void;
}

/** The name under which the pace and the breaker know this call; deliveries count from 1. */
const asked = { run: { id: 'answers' }, delivery: 0 };

/**
 * Asks the service for questions and answers, by the rules of every call: at its pace, with the waits it asks for, and
 * with retries after temporary failures. Asking changes nothing at the service, so a request that may have happened is
 * repeated. The caller closes the answer.
 * @throws ServiceError when the service refuses, does not answer, or gives an undocumented answer; StorageError when
 * the answer cannot be kept; the signal's reason when it is aborted
 */
export async function askAnalysis(
  { service, pacer, random, policy }: AnalysisContext,
  request: AnalysisRequest,
  signal: AbortSignal,
  events: AnalysisEvents = {},
): Promise<Analysis> {
  const began = performance.now();
  let attempts = 0;

  async function wait(waitMs: number, reason: string): Promise<void> {
    if (performance.now() - began + waitMs > policy.deadlineMs) {
      throw new ServiceError(`Given up after ${Math.round(policy.deadlineMs / 60_000)} minutes: ${reason}.`);
    }
    if (waitMs >= noticeableMs) events.waiting?.(waitMs, reason);
    await sleep(waitMs, undefined, { signal });
  }

  for (;;) {
    signal.throwIfAborted();
    const slot = await pacer.slot(asked.run, () => Promise.resolve(true), signal);
    signal.throwIfAborted();
    if (!slot.go) {
      if (pacer.outage) throw new ServiceError('The service does not answer; try again later.', { refused: true });
      await wait(Math.max(1, slot.waitMs), 'the pace of the service');
      continue;
    }
    const answer = await service.analyse(request, {
      signal,
      notAfter: slot.until,
      ...defined({ onBytes: events.received }),
    });
    if (signal.aborted) {
      if (answer.kind === 'accepted') await answer.analysis.close();
      signal.throwIfAborted();
    }
    if (answer.kind === 'not-sent' && answer.late) {
      await pacer.late();
      continue;
    }
    const { outage } = pacer;
    const breaker = await pacer.tell(answer.kind, asked.delivery, ...throttleIn(answer));
    if (answer.kind === 'accepted') return answer.analysis;

    const situation = { groups: [], attempts, outage, accepted: 'nothing' as const, mayHaveArrived: false };
    const decision = decide(answer, situation, policy, random());
    if (decision.next === 'halt') {
      const next = answer.kind === 'refused' ? '' : `; ${service.checkAddress}`;
      throw new ServiceError(sentence(`${decision.reason}${next}`), { refused: true });
    }
    if (decision.next === 'end') throw new ServiceError(sentence(decision.reason));
    if (breaker === 'opened' || outage) {
      const why = `${decision.reason}; ${service.checkAddress}`;
      throw new ServiceError(`The service does not answer: ${why}, or try again later.`, { refused: true });
    }
    if (decision.attempt) attempts += 1;
    await wait(decision.waitMs, decision.reason);
  }
}

/** Waits of at least this time, ms, are reported. */
const noticeableMs = 500;

function sentence(reason: string): string {
  return `No answers: ${reason}. Nothing was written.`;
}
