import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openSandbox } from '../support/sandbox.ts';
import { startCli, type CliOptions, type Ended } from './cli.ts';
import { writeRoster } from './roster.ts';

const people = 20;

async function makePlace(test: TestContext): Promise<{ options: CliOptions; importArgs: string[]; calls(): number }> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-leftovers-'));
  test.after(() => test.passed && rmSync(folder, { recursive: true, force: true }));
  const sandbox = await openSandbox(test);
  const roster = join(folder, 'people.csv');
  writeRoster(roster, people);
  return {
    options: {
      dataDir: join(folder, 'data'),
      service: sandbox,
      environment: { ROSTER_SYNC__DELIVERY__RATE__LIMIT: '1000' },
    },
    importArgs: ['import', roster, '--yes'],
    calls: () => sandbox.calls.length,
  };
}

/** Waits until something is there, looking every millisecond; throws when the process ends before. */
async function untilThere(isThere: () => boolean, ended: Promise<Ended>): Promise<void> {
  let over: Ended | undefined;
  void ended.then((how) => (over = how));
  while (!isThere()) {
    if (over !== undefined) throw new Error(`it ended before: ${over.stderr}`);
    await pause(1);
  }
}

suite('what a killed process leaves', () => {
  test('never blocks the next one, whenever in its start it was killed', async (t) => {
    const { options, importArgs, calls } = await makePlace(t);
    const { dataDir } = options;
    const names = (): string[] => (existsSync(dataDir) ? readdirSync(dataDir) : []);
    const moments: (() => boolean)[] = [
      () => existsSync(dataDir),
      () => names().some((name) => name.endsWith('.sock')),
      () => existsSync(join(dataDir, 'ledger.new', 'base')),
      () => names().includes('ledger'),
      () => names().includes('ledger'),
    ];
    for (const isThere of moments) {
      const killed = startCli(importArgs, options);
      t.after(() => killed.kill());
      await untilThere(isThere, killed.ended);
      killed.kill();
      assert.equal((await killed.ended).signal, 'SIGKILL');
    }
    assert.equal(calls(), 0);
    const whole = await startCli(importArgs, options).ended;
    assert.equal(whole.code, 0, whole.stderr);
    assert.equal(calls(), people);
    assert.deepEqual(
      names().filter((name) => /^owner.*\.sock$|\.new$/.test(name)),
      [],
    );
  });
});

suite('two imports started at once', () => {
  test('in a new data directory: one sends everything, the other exits 5 and names it', async (t) => {
    const { options, importArgs, calls } = await makePlace(t);
    const both = [startCli(importArgs, options), startCli(importArgs, options)];
    for (const one of both) t.after(() => one.kill());
    const [won, lost] = (await Promise.all(both.map(({ ended }) => ended))).toSorted(
      (a, b) => Number(a.code) - Number(b.code),
    );
    assert.ok(won && lost);
    assert.equal(won.code, 0, won.stderr);
    assert.equal(lost.code, 5, lost.stderr);
    assert.match(lost.stderr, /in use by "import .*people\.csv" \(process \d+, since /);
    assert.equal(calls(), people);
  });
});
