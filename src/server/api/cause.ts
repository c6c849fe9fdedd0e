// Reads the cause of failures that a request names.
import { type Cause, readCause } from '../../core/run/cause.ts';
import { RequestError } from '../problems.ts';

/** The cause that a word names. Throws a RequestError where it is none. */
export function causeOf(word: string): Cause {
  const cause = readCause(word);
  if (cause) return cause;
  throw new RequestError(422, 'INPUT', 'That is no cause: take one from the failures of the run.');
}
