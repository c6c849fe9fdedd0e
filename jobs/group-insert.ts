import type { Answer } from '../src/core/answer.ts';
import { reasonToPause } from '../src/core/brake.ts';
import { type Decision, decide } from '../src/core/retry.ts';
import type { Delivering } from './delivering.ts';

/**
 * One delivery: claim it (the lane), wait for a slot of the pace, look once more, make the one call, write the
 * receipt. The job is done only then, so that a crash can repeat a call but never lose a receipt. What cannot
 * be called now goes back to the ledger, which owns every retry.
 */
export async function groupInsert(context: Delivering, id: number): Promise<void> {
  const { ledger, pacer, service } = context;
  const delivery = await ledger.claim(id);
  if (delivery === undefined) return;
  const { member, settings } = delivery;
  const { groups, ...user } = member;

  let call: number | undefined;
  const slot = await pacer.slot(async () => {
    call = context.stopping() ? undefined : await ledger.begin(id);
    return call !== undefined;
  });
  if (!slot.go || call === undefined) {
    await ledger.handBack({ id, waitMs: slot.go ? 0 : slot.waitMs });
    return;
  }

  context.events.calling(1);
  const answer = await service.insertGroups({ groups, user, invite: settings.invite, forceSync: settings.forceSync });
  context.events.calling(-1);

  const outage = pacer.outage;
  const breaker = pacer.tell(answer.kind, id, answer.kind === 'throttled' ? answer.waitMs : undefined);
  const situation = { groups, attempts: delivery.attempts, outage, succeededBefore: context.succeededBefore() };
  const decision = decide(answer, situation, settings, context.random());
  await ledger.record({ id, call, answer, ...consequence(answer, decision, delivery.attempts) });
  context.events.answered(answer, decision);

  if (decision.next === 'halt') await context.stop('halted', { by: 'service', reason: decision.reason });
  if (breaker === 'opened') await onOutage(context, answer);
  if (decision.next === 'end' && decision.outcome !== 'succeeded') {
    const reason = reasonToPause(await ledger.tallyOf(delivery.runId));
    if (reason !== undefined) await context.stop('paused', { by: 'service', reason });
  }
}

/** What becomes of the delivery, in the ledger's words. */
function consequence(answer: Answer, decision: Decision, attempts: number) {
  const status = 'response' in answer && answer.response ? ` ${answer.response.httpStatus}` : '';
  return {
    end:
      decision.next === 'end'
        ? { outcome: decision.outcome }
        : { waitMs: decision.next === 'again' ? decision.waitMs : 0 },
    attempts: attempts + (decision.next === 'again' && decision.attempt ? 1 : 0),
    repeated: answer.kind === 'may-have-happened' && decision.next === 'again',
    reason: decision.reason,
    alike: `${answer.kind}${status}`,
  };
}

/** A service that never answered before is most likely not there at all; one that did is waited for (R5). */
async function onOutage(context: Delivering, answer: Answer): Promise<void> {
  const reason = answer.kind === 'accepted' ? '' : answer.reason;
  if (context.succeededBefore()) context.events.outage(reason);
  else
    await context.stop('halted', {
      by: 'service',
      reason: `${reason}: the service has not answered a single call yet`,
    });
}
