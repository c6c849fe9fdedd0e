// Describes an API request for the audit, and turns wrong states into conflicts.
import type { FastifyRequest } from 'fastify';
import { InputError, SecondPersonError } from '../../core/errors.ts';
import { RequestError } from '../problems.ts';

/** Where a request came from, for the audit: a network address, or nothing if it came over the owner's socket. */
export function originOf({ ip }: FastifyRequest): string {
  return ip ?? '';
}

/** Turns the error about a run in the wrong state into a conflict; on the command line it is bad input. */
export async function possibleNow<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof SecondPersonError) throw error;
    if (error instanceof InputError) throw new RequestError(409, 'NOT_NOW', error.message);
    throw error;
  }
}
