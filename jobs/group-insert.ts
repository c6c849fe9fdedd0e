import type { Answer } from '../src/core/answer.ts';
import { reasonToPause } from '../src/core/brake.ts';
import { type Decision, decide } from '../src/core/retry.ts';
import type { ClaimedDelivery } from '../src/ledger/delivering.ts';
import type { FedDelivery } from '../src/ledger/feeding.ts';
import type { Delivering } from './delivering.ts';

/**
 * One delivery: claim it (the lane), wait for a slot of the pace, look once more, make the one call, write the
 * receipt. The job is done only then, so that a crash can repeat a call but never lose a receipt. What cannot
 * be called now goes back to the ledger, which owns every retry.
 */
export async function groupInsert(context: Delivering, fed: FedDelivery): Promise<void> {
  const { ledger, service, events } = context;
  const delivery = await ledger.claim(fed);
  if (delivery === undefined) return;
  const { member, settings } = delivery;
  const { groups, ...user } = member;

  const call = await waitForTurn(context, delivery);
  if (call === undefined) return;

  events.calling?.(1);
  const answer = await service.insertGroups({ groups, user, invite: settings.invite, forceSync: settings.forceSync });
  events.calling?.(-1);
  await conclude(context, delivery, call, answer);
}

/** Waits for a slot of the pace. Returns the number of the call, or undefined once the delivery is back in the ledger. */
async function waitForTurn(
  { ledger, pacer, stopping, log }: Delivering,
  { id, runId, settings }: ClaimedDelivery,
): Promise<number | undefined> {
  let call: number | undefined;
  const wanted = async (): Promise<boolean> => {
    call = await ledger.begin(id);
    return call !== undefined;
  };
  const slot = await pacer
    .slot({ id: runId, ...(settings.ownRate ? { rate: settings.rate } : {}) }, wanted, stopping)
    .catch((error: Error) => {
      // Redis may be loading, read-only or full for a while. Nothing was sent yet, so nothing is at stake.
      log.warn({ cause: error.message }, 'no slot of the pace could be had');
      return { go: false as const, waitMs: troubleMs };
    });
  if (slot.go && call !== undefined) return call;
  await ledger.handBack({ id, waitMs: slot.go ? 0 : slot.waitMs });
  return undefined;
}

/** How long, ms, a delivery waits after trouble with the pace. */
const troubleMs = 1000;

/** Writes down what a call brought, and draws the conclusions for its run. */
async function conclude(context: Delivering, delivery: ClaimedDelivery, call: number, answer: Answer): Promise<void> {
  const { ledger, pacer, events, log } = context;
  const { id, runId, attempts, settings, member } = delivery;
  if (answer.kind === 'accepted') context.noteSuccess(runId);
  const { outage } = pacer;
  const succeededBefore = answer.kind === 'accepted' || (await context.hasSucceeded(runId));
  const situation = { groups: member.groups, attempts, outage, succeededBefore };
  const decision = decide(answer, situation, settings, context.random());
  // Side by side: what the service asks of everybody must not wait for the receipt, nor the receipt for Redis.
  const [breaker] = await Promise.all([
    pacer.tell(answer.kind, id, answer.kind === 'throttled' ? answer.waitMs : undefined).catch(({ message }: Error) => {
      log.warn({ cause: message }, 'the pace did not hear of an answer');
      return undefined;
    }),
    ledger.record({ id, call, answer, ...consequence(answer, decision, attempts) }),
  ]);
  events.answered?.(answer, decision);

  if (decision.next === 'halt') await context.stopRun(runId, 'halted', { by: 'service', reason: decision.reason });
  if (breaker === 'opened' && answer.kind !== 'accepted') {
    // A service that never answered is most likely not there at all; one that did is waited for (R5).
    const reason = `${answer.reason}: the service has not answered a single call yet`;
    if (succeededBefore) events.outage?.(answer.reason);
    else await context.stopRun(runId, 'halted', { by: 'service', reason });
  }
  if (decision.next === 'end' && decision.outcome !== 'succeeded') {
    const reason = reasonToPause(await ledger.tallyOf(runId));
    if (reason !== undefined) await context.stopRun(runId, 'paused', { by: 'service', reason });
  }
}

/** What becomes of the delivery, in the ledger's words. */
function consequence(answer: Answer, decision: Decision, attempts: number) {
  const status = 'response' in answer && answer.response ? ` ${answer.response.httpStatus}` : '';
  const waitMs = decision.next === 'again' ? decision.waitMs : 0;
  return {
    end: decision.next === 'end' ? { outcome: decision.outcome } : { waitMs },
    attempts: attempts + (decision.next === 'again' && decision.attempt ? 1 : 0),
    repeated: answer.kind === 'may-have-happened' && decision.next === 'again',
    reason: decision.reason,
    alike: `${answer.kind}${status}`,
  };
}
