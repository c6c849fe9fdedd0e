// Reads the cause of failures that a request names.
import { type Cause, readCause } from '../../core/run/cause.ts';
import { RequestError } from '../problems.ts';

export function causeOf(word: string): Cause {
  const cause = readCause(word);
  if (cause) return cause;
  throw new RequestError(422, 'INPUT', 'That is no cause: take one from the failures of the run.');
}
