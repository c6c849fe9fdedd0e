/**
 * A process of its own that claims the data directory in argv[2] at each line `claim`, and says `won` or `busy` with
 * the message; `release` gives it back.
 */
import { createInterface } from 'node:readline';
import { BusyError } from '../../src/core/errors.ts';
import { claimOwnership, type Ownership } from '../../src/ledger/directory/owner.ts';

const dir = process.argv[2] ?? '';
let ownership: Ownership | undefined;
console.log('ready');
for await (const line of createInterface(process.stdin)) {
  if (line === 'release') {
    await ownership?.release();
    console.log('released');
    continue;
  }
  try {
    ownership = await claimOwnership(dir, { command: 'import staff.csv', startedAt: new Date('2026-01-02T03:04:05Z') });
    console.log('won');
  } catch (error) {
    console.log(error instanceof BusyError ? `busy ${error.exitCode} ${error.message}` : String(error));
  }
}
