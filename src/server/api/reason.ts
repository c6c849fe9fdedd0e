// Finds what a request names by its place: one of the reasons why a run was held.
import type { Trip } from '../../core/run/trip.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import { RequestError } from '../problems.ts';

/** The reason at a place of `hold.reasons`, from 1; several may have the same guard. Throws a RequestError where there is none. */
export function reasonOf({ trips }: Run, place: number): Trip {
  const trip = trips[place - 1];
  if (trip) return trip;
  throw new RequestError(404, 'NOT_FOUND', 'Nothing of this run was held for a reason of this number.');
}
