// Makes the plan that a program gets. Apart from its type, which names nothing of the jobs.
import type { Proposal } from '../../jobs/index.ts';
import { signSentences } from '../core/inspect/presence/sign.ts';
import type { Plan } from './plan.ts';

export function planOf({ planned, stopped, isHeld }: Proposal): Plan {
  const { facts, plan, trips, signs, remarks } = planned;
  const { counts, calls, possibleInvitations, groups, hash = '' } = plan;
  return {
    roster: facts.counts,
    people: counts,
    calls,
    held: stopped,
    isHeld,
    reasons: trips.map(({ guard, message }) => ({ guard, message })),
    possibleInvitations,
    groups,
    undecided: signSentences(signs),
    remarks,
    hash,
  };
}
