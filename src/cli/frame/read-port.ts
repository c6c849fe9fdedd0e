// Reads `--port`.
import { InputError } from '../../core/errors.ts';

/** Throws an InputError for anything else. */
export function readPort(given: string): number {
  const port = Number(given);
  if (!/^\d+$/.test(given) || port > 65_535) throw new InputError(`--port ${given}: write a port from 0 to 65535.`);
  return port;
}
