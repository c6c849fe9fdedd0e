import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const tests = join(import.meta.dirname, '..');

/**
 * Has test files run in this process, one after the other: those that begin with the same opening, or are done before a
 * process of their own has started. `npm test` runs them this way only; each still runs alone.
 * @param pattern of their paths below test/
 * @throws Error when there are none
 */
export async function importTests(pattern: string): Promise<void> {
  const files = globSync(pattern, { cwd: tests }).toSorted();
  if (files.length === 0) throw new Error(`there are no tests at ${pattern}`);
  for (const file of files) await import(pathToFileURL(join(tests, file)).href);
}
