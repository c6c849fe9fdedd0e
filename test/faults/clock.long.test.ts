import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { mostCallsInWindow, repeatedCalls, type Sandbox } from '../../src/sandbox/index.ts';
import { copyEmptyDataDirectory } from '../support/empty-data-directory.ts';
import { openSandbox } from '../support/sandbox.ts';
import { startCli, type Ended } from './cli.ts';
import { until, untilCalls } from './place.ts';
import { writeRoster } from './roster.ts';

const people = 120;
const rate = { limit: 10, perMs: 500 };
const hour = 3_600_000;
const year = 365 * 24 * hour;

/** Imports 120 people, 20 a second, while the clock of the process jumps to each of these in turn, ms off the true time. */
async function importWhile(
  t: TestContext,
  jumps: readonly number[],
  faults: string[] = [],
): Promise<{ ended: Ended; sandbox: Sandbox }> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-clock-'));
  t.after(() => t.passed && rmSync(folder, { recursive: true, force: true }));
  const sandbox = await openSandbox(t, { faults });
  const dataDir = join(folder, 'data');
  await copyEmptyDataDirectory(dataDir);
  const roster = join(folder, 'people.csv');
  writeRoster(roster, people);
  const clock = join(folder, 'clock');
  const set = (off: number): void => {
    writeFileSync(`${clock}.new`, String(off));
    renameSync(`${clock}.new`, clock);
  };
  set(0);
  const cli = startCli(['import', roster, '--yes', '--json'], {
    dataDir,
    service: sandbox,
    environment: {
      CLOCK_JUMPS: clock,
      ROSTER_SYNC__DELIVERY__RATE__LIMIT: String(rate.limit),
      ROSTER_SYNC__DELIVERY__RATE__PER: `${rate.perMs}ms`,
      ROSTER_SYNC__DELIVERY__RATE__ADAPTIVE: 'false',
      ROSTER_SYNC__DELIVERY__BACKOFF__FIRST: '100ms',
      ROSTER_SYNC__DELIVERY__BACKOFF__MAX: '500ms',
    },
    preload: [join(import.meta.dirname, 'shift-clock.ts')],
  });
  t.after(() => cli.kill());
  let over = false;
  void cli.ended.then(() => (over = true));
  const step = Math.floor(people / (jumps.length + 1));
  for (const [at, off] of jumps.entries()) {
    await Promise.race([untilCalls(sandbox, step * (at + 1)), cli.ended]);
    if (!over) set(off);
  }
  await until('the import has ended', () => over, 90_000);
  return { ended: await cli.ended, sandbox };
}

function judge({ ended, sandbox }: { ended: Ended; sandbox: Sandbox }, allowed: { repeats: boolean }): void {
  assert.equal(ended.code, 0, ended.stderr);
  const { outcome } = JSON.parse(ended.stdout) as { outcome: { succeeded: number } };
  assert.equal(outcome.succeeded, people);
  if (!allowed.repeats) assert.deepEqual(repeatedCalls(sandbox.calls), []);
  const most = mostCallsInWindow([...sandbox.calls], rate.perMs * 0.8);
  assert.ok(most <= rate.limit, `${most} calls in a window for ${rate.limit}`);
}

suite('a clock that jumps in the middle of a run', () => {
  test('by hours, forward and back: everybody is called once, and the pace is kept', async (t) => {
    judge(await importWhile(t, [hour, -hour, 5 * hour, 0]), { repeats: false });
  });

  test('by years, back and forward: everybody is called once, and the pace is kept', async (t) => {
    judge(await importWhile(t, [-3 * year, 0, 10 * year, 0]), { repeats: false });
  });

  test('while calls are retried: none waits for a time that is years ahead', async (t) => {
    judge(await importWhile(t, [10 * year, 0, -3 * year, 0], ['status=500,every=3']), { repeats: true });
  });
});
