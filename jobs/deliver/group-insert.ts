// Carries out one delivery: claim, slot, last look, call, receipt.
import type { DeliveryContext } from '../../src/wiring/context.ts';
import type { Answer } from '../../src/core/call/answer.ts';
import { reasonToPause } from '../../src/core/call/brake.ts';
import { type AcceptedBefore, type Decision, decide, looksLikeWrongAddress } from '../../src/core/call/retry.ts';
import { throttleIn } from '../../src/core/call/throttle.ts';
import { lookAhead } from '../../src/core/pace/pacing.ts';
import type { Stop } from '../../src/core/run/run.ts';
import type { ClaimedDelivery } from '../../src/ledger/moves/claim.ts';
import type { FedDelivery } from '../../src/ledger/moves/feed.ts';
import { announceOutage } from '../run/announce.ts';
import type { CallPermit, InFlightLimiter } from './in-flight-limiter.ts';

/** What a process reports while it delivers. */
export interface DeliveryEvents {
  /** Calls in flight became more (1) or fewer (-1). */
  calling?(change: 1 | -1): void;
  answered?(answer: Answer, decision: Decision): void;
  /** The breaker has opened: nothing is lost, one call a minute probes. */
  outage?(reason: string): void;
  /** The breaker has closed. */
  recovered?(): void;
}

/** A process while it delivers. */
export interface Delivering extends DeliveryContext {
  events: DeliveryEvents;
  limiter: InFlightLimiter;
  /** What the service of this run has accepted, as far as is known now. */
  acceptedBefore(runId: string): Promise<AcceptedBefore>;
  /** A call of this run was accepted. */
  noteSuccess(runId: string): void;
  /** Aborted once no further call may begin. */
  stopping: AbortSignal;
  /** Stops a run for a reason that holds for everyone; only the first one counts. */
  stopRun(runId: string, move: 'pause' | 'halt', stop: Stop): Promise<void>;
}

/**
 * One delivery: claim it (the lane), wait for a slot of the pace, look again, make the one call, write the
 * receipt. The job is done only then, so that a crash can repeat a call but never lose a receipt. What cannot
 * be called now goes back to the ledger, which owns every retry.
 */
export async function groupInsert(context: Delivering, fed: FedDelivery): Promise<void> {
  const delivery = await context.ledger.claim(fed);
  if (delivery !== undefined) await deliver(context, delivery);
}

async function deliver(context: Delivering, delivery: ClaimedDelivery): Promise<void> {
  const { service, pacer, events, log } = context;
  const { id, runId: run, attempts, member, settings } = delivery;
  const { groups, ...user } = member;

  const { invite, forceSync } = settings;
  for (;;) {
    const permit = await waitForPermit(context, delivery);
    if (permit === undefined) return;
    try {
      events.calling?.(1);
      const calledAt = performance.now();
      const answer = await service.insertGroups({ groups, user, invite, forceSync }, { notAfter: permit.until });
      const ms = Math.round(performance.now() - calledAt);
      log.debug({ run, delivery: id, attempts, call: permit.call, answer: answer.kind, ms }, 'a call ended');
      permit.answered();
      events.calling?.(-1);
      // Making the connection took longer than the slot lasted. It is there now, for the next slot.
      if (answer.kind === 'not-sent' && answer.late) {
        await pacer.late();
        continue;
      }
      await conclude(context, delivery, permit.call, answer);
      return;
    } finally {
      permit.leave();
    }
  }
}

/** Waits until a call may be made, and for a slot of the pace. Returns undefined once the delivery is back in the ledger. */
async function waitForPermit(
  { ledger, pacer, limiter, stopping }: Delivering,
  { id, runId, settings }: ClaimedDelivery,
): Promise<(CallPermit & { call: number; until: number }) | undefined> {
  const check = new FinalCheck(ledger, id);
  const permit = await limiter.enter(() => check.pass());
  if (permit === undefined) {
    await ledger.handBack({ id, waitMs: 0 });
    return undefined;
  }
  const run = { id: runId, ...(settings.ownRate ? { rate: settings.rate } : {}) };
  const wanted = limiter.timed(() => check.pass());
  const slot = await pacer.slot(run, wanted, stopping);
  const { call } = check;
  if (slot.go && call !== undefined) return { ...permit, call, until: slot.until };
  permit.leave();
  await ledger.handBack({ id, waitMs: slot.go ? 0 : slot.waitMs });
  return undefined;
}

/** Records what a call brought, and draws the conclusions for its run. */
async function conclude(context: Delivering, delivery: ClaimedDelivery, call: number, answer: Answer): Promise<void> {
  const { ledger, pacer, events } = context;
  const { id, runId, attempts, repeated, settings, member } = delivery;
  if (answer.kind === 'accepted') context.noteSuccess(runId);
  const { outage } = pacer;
  const accepted = await context.acceptedBefore(runId);
  const situation = { groups: member.groups, attempts, outage, accepted, mayHaveArrived: repeated };
  const decision = decide(answer, situation, settings, context.random());
  // At the same time: a throttle must not wait for the receipt, nor the receipt for Redis.
  const [breaker] = await Promise.all([
    pacer.tell(answer.kind, id, ...throttleIn(answer)),
    ledger.record({ id, run: runId, call, answer, ...consequence(answer, decision, attempts) }),
  ]);
  events.answered?.(answer, decision);

  if (decision.next === 'halt') {
    // The message about a refused token already says where it is set.
    const next = answer.kind === 'refused' ? '' : `; ${context.service.checkAddress}`;
    await context.stopRun(runId, 'halt', { by: 'service', reason: `${decision.reason}${next}` });
  }
  if (breaker === 'closed') events.recovered?.();
  if (breaker === 'opened' && answer.kind !== 'accepted') {
    // Deliveries wait for a service that is there (R5). Asked again: other processes may have written receipts meanwhile.
    if (looksLikeWrongAddress(answer) && (await context.acceptedBefore(runId)) === 'nothing') {
      const reason = `${answer.reason}: the service has not answered a single call yet; ${context.service.checkAddress}`;
      await context.stopRun(runId, 'halt', { by: 'service', reason });
    } else {
      events.outage?.(answer.reason);
      await announceOutage(context, runId);
    }
  }
  const [askedMs = 0] = throttleIn(answer);
  if (askedMs >= context.tempo.firstProbeMs) await announceOutage(context, runId);
  if (decision.next === 'end' && decision.outcome !== 'succeeded') {
    const reason = reasonToPause(await ledger.tallyOf(runId));
    if (reason !== undefined) await context.stopRun(runId, 'pause', { by: 'service', reason });
  }
}

/** What happens to the delivery, in the ledger's words. */
function consequence(answer: Answer, decision: Decision, attempts: number) {
  const waitMs = decision.next === 'again' ? decision.waitMs : 0;
  return {
    end: decision.next === 'end' ? { outcome: decision.outcome } : { waitMs },
    attempts: attempts + (decision.next === 'again' && decision.attempt ? 1 : 0),
    repeated: answer.kind === 'may-have-happened' && decision.next === 'again',
    reason: decision.reason,
  };
}

/** Whether the delivery is still ours and its run still delivers. From then on the call counts as in flight. */
class FinalCheck {
  readonly #ledger: Delivering['ledger'];
  readonly #id: number;
  #at = -Infinity;
  /** The number of the call; undefined while it must not be made. */
  call: number | undefined;

  constructor(ledger: Delivering['ledger'], id: number) {
    this.#ledger = ledger;
    this.#id = id;
  }

  /** Asks the ledger, unless what it said is still fresh. Returns whether the call may be made. */
  async pass(): Promise<boolean> {
    if (this.call !== undefined && performance.now() - this.#at <= lookAhead.mostMs) return true;
    this.#at = performance.now();
    this.call = await this.#ledger.begin(this.#id);
    return this.call !== undefined;
  }
}
