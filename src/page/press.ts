// What a page calls a next step: a button, or where to find it.
import { type NextStep, withNext } from '../core/errors.ts';
import { forgottenReason } from '../core/person/forgotten.ts';
import { sentences } from '../core/words/say.ts';

/** Why a row was rejected, and what to press about it. */
export function whyRejected(reason: string): string {
  return reason === forgottenReason ? withButtons(reason, [{ act: 'people.allow' }]) : reason;
}

/** What was said, and what to press. `run`: the one on whose page it is said. */
export function withButtons(said: string, steps: readonly NextStep[] | undefined, run?: string): string {
  return withNext(said, steps, (step) => {
    const name = sentences()[`page-${'act' in step ? step.act : step.setting}`];
    const isElsewhere = name !== undefined && 'run' in step && step.run !== run;
    return isElsewhere ? `${name} on the page of run ${step.run}` : name;
  });
}
