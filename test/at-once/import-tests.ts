import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { endFile } from '../support/after-file.ts';

const tests = join(import.meta.dirname, '..');
const load = createRequire(import.meta.url);

/**
 * Has test files run in this process, one after the other: starting a process, loading the program and compiling the embedded database
 * takes longer than most files do. `npm test` runs them this way only; each still runs alone. Each file is a suite, so that its
 * hooks are for its own tests only.
 * @param pattern of their paths below test/
 * @throws Error when there are none, or one waits for something while it is loaded: its tests would not know their suite
 */
export function importTests(pattern: string): void {
  const files = globSync(pattern, { cwd: tests }).toSorted();
  if (files.length === 0) throw new Error(`there are no tests at ${pattern}`);
  for (const file of files) {
    describe(file, () => {
      after(endFile);
      load(join(tests, file));
    });
  }
}
