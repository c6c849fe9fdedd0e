// Removes secrets from an error and its causes.
import { InputError } from '../errors.ts';
import type { Redact } from './secret.ts';

/** The depth to which causes of causes are redacted. */
const deepest = 8;

/** In place, to be thrown on: code that keeps or shows it later has nothing to hide any more. */
export function redactError(error: unknown, redact: Redact): unknown {
  let each = error;
  for (let depth = 0; depth < deepest && each instanceof Error; depth++) {
    each.message = redact(each.message);
    if (each instanceof InputError) each.withoutWords = redact(each.withoutWords);
    if (each.stack !== undefined) each.stack = redact(each.stack);
    each = each.cause;
  }
  return error;
}
