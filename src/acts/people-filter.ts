// Which people of a run an act is about.
import { InputError, NotFoundError } from '../core/errors.ts';
import { defined } from '../core/defined.ts';
import { type Cause, readCause } from '../core/run/cause.ts';
import type { Trip } from '../core/guards/trip.ts';
import type { PeopleFilter } from '../ledger/people/people-of-run.ts';
import type { RunOfSource, Run } from '../ledger/runs/runs.ts';
import type { PeopleAsked } from './shapes/people-of-run.ts';

export const plannedFor = ({ id: runId, service, source }: Run): RunOfSource => ({ runId, service, source });

export function filterOf(run: Run, { action, outcome, cause, group, reason, text }: PeopleAsked): PeopleFilter {
  return {
    ...(action !== undefined && { actions: [action] }),
    ...(outcome === 'open' && { isOpen: true }),
    ...(outcome !== undefined && outcome !== 'open' && { outcomes: [outcome] }),
    ...(cause !== undefined && { cause: causeOf(cause) }),
    ...(reason !== undefined && { stoppedBy: reasonOf(run, reason) }),
    ...defined({ group, text }),
  };
}

export function causeOf(word: string): Cause {
  const cause = readCause(word);
  if (cause) return cause;
  throw new InputError('That is no cause: take one from the failures of the run.');
}

/** The reason at a place of `hold.reasons`, from 1; several may have the same guard. */
function reasonOf({ trips }: Run, place: number): Trip {
  const trip = trips[place - 1];
  if (trip) return trip;
  throw new NotFoundError('Nothing of this run was held for a reason of this number.');
}
