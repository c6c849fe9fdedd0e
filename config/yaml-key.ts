// Refuses keys that YAML does not take as they are written.
import type { Scalar } from 'yaml';

/** What is wrong with a key such as `02`, which YAML reads as the number 2; undefined if it says what it seems to. */
export function changedKey({ value, source }: Scalar): string | undefined {
  if (typeof value === 'string' || source === undefined || String(value) === source) return undefined;
  return `the key ${source} is read as ${String(value)}; put it in quotes`;
}
