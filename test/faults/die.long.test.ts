import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test, type TestContext } from 'node:test';
import { checkBackup } from '../../src/ledger/directory/backups.ts';
import { repeatedCalls, type Sandbox } from '../../src/sandbox/index.ts';
import { writeEmptyDataDirectory } from '../support/empty-data-directory.ts';
import { openSandbox } from '../support/sandbox.ts';
import { runCli, runCliHere, type CliOptions, type Ended } from './cli.ts';
import { readLedger } from './ledger-copy.ts';
import { writeRoster } from './roster.ts';
import { rowsIn } from '../support/backups.ts';

const people = 30;
const timeoutMs = 4000;
const empty = join(mkdtempSync(join(tmpdir(), 'roster-sync-empty-')), 'data');
before(() => writeEmptyDataDirectory(empty));
after(() => rmSync(join(empty, '..'), { recursive: true }));

/** A folder with a roster of 30 people, a sandbox, and the command line over both. */
interface Place {
  sandbox: Sandbox;
  dataDir: string;
  roster: string;
  /** Imports the roster in a process that kills itself there (die-at.ts). */
  dieAt(point: string): Promise<void>;
  /** Runs a command to its end, in this process. */
  run(...args: string[]): Promise<Ended>;
}

async function makePlace(test: TestContext): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-die-'));
  test.after(() => test.passed && rmSync(folder, { recursive: true, force: true }));
  const sandbox = await openSandbox(test);
  const dataDir = join(folder, 'data');
  cpSync(empty, dataDir, { recursive: true });
  const roster = join(folder, 'people.csv');
  writeRoster(roster, people);
  const options: CliOptions = {
    dataDir,
    service: sandbox,
    environment: {
      ROSTER_SYNC__SERVICE__TIMEOUT: `${timeoutMs}ms`,
      ROSTER_SYNC__DELIVERY__CONCURRENCY: '1',
      ROSTER_SYNC__DELIVERY__RATE__LIMIT: '1000',
    },
  };
  return {
    sandbox,
    dataDir,
    roster,
    async dieAt(point) {
      const { signal, stderr } = await runCli(test, ['import', roster, '--yes'], {
        ...options,
        environment: { ...options.environment, DIE_AT: point },
        preload: [join(import.meta.dirname, 'die-at.ts')],
      });
      assert.equal(signal, 'SIGKILL', stderr);
    },
    run: (...args) => runCliHere(args, options),
  };
}

interface Shown {
  status: string;
  calls: number;
  outcome: Record<string, number>;
}

/** Resumes the run and gives what it then says about itself: everybody delivered. */
async function resume(place: Place): Promise<Shown & { stderr: string }> {
  const { code, stdout, stderr } = await place.run('resume', 'latest', '--json');
  assert.equal(code, 0, stderr);
  const shown: Shown = JSON.parse(stdout);
  assert.equal(shown.status, 'finished');
  assert.equal(shown.outcome['succeeded'], people);
  return { ...shown, stderr };
}

/** How often somebody was called beyond once, and the least time between two such calls in ms. */
function repeatsAt(sandbox: Sandbox): { repeats: number; soonest: number } {
  const gaps = repeatedCalls(sandbox.calls).flatMap(({ calls }) =>
    calls.slice(1).map((call, at) => call.arrivedAt - (calls[at]?.arrivedAt ?? 0)),
  );
  return { repeats: gaps.length, soonest: Math.min(...gaps) };
}

suite('a process killed at one place of an import', () => {
  test('between receipt and end of the job: nobody is called again', async (t) => {
    const place = await makePlace(t);
    await place.dieAt('after ledger.record 7');
    assert.equal((await readLedger(place.dataDir)).receipts.length, 7);
    const { calls } = await resume(place);
    assert.equal(calls, people);
    assert.equal(repeatsAt(place.sandbox).repeats, 0);
  });

  test('between claim and call: nobody is called twice, and the one who was claimed is not waited for', async (t) => {
    const place = await makePlace(t);
    await place.dieAt('after ledger.claim 7');
    const { receipts, claimed, inFlight } = await readLedger(place.dataDir);
    assert.equal(claimed.size, 1);
    assert.equal(inFlight.size, 0);
    // Six, or fewer where the machine was so busy that a slot of the pace had passed.
    assert.equal(place.sandbox.calls.length, receipts.length);
    assert.ok(receipts.length <= 6);
    const { calls, stderr } = await resume(place);
    assert.equal(calls, people);
    assert.equal(place.sandbox.calls.length, people);
    assert.doesNotMatch(stderr, /in flight/);
  });

  test('just before the request is written: that call counts as perhaps made, and is made once', async (t) => {
    const place = await makePlace(t);
    await place.dieAt('before service.insertGroups 7');
    const { calls, stderr } = await resume(place);
    assert.equal(place.sandbox.calls.length, people);
    assert.equal(calls, people + 1);
    assert.match(stderr, /^1 call was in flight/m);
  });

  test('between answer and receipt: that call is repeated, once, after the timeout of the service', async (t) => {
    const place = await makePlace(t);
    await place.dieAt('after service.insertGroups 7');
    await resume(place);
    const { repeats, soonest } = repeatsAt(place.sandbox);
    assert.equal(repeats, 1);
    assert.ok(soonest >= timeoutMs, `after ${soonest} ms`);
  });

  test('between taking deliveries and putting them into the queue: they are taken again', async (t) => {
    const place = await makePlace(t);
    await place.dieAt('after ledger.findDue');
    assert.equal(place.sandbox.calls.length, 0);
    await resume(place);
    assert.equal(place.sandbox.calls.length, people);
  });

  test('twice in a row: what was in flight the second time is repeated as well, the rest is not', async (t) => {
    const place = await makePlace(t);
    await place.dieAt('after service.insertGroups 3');
    const second = await runCli(t, ['resume', 'latest'], {
      dataDir: place.dataDir,
      service: place.sandbox,
      environment: { DIE_AT: 'after service.insertGroups 3', ROSTER_SYNC__SERVICE__TIMEOUT: `${timeoutMs}ms` },
      preload: [join(import.meta.dirname, 'die-at.ts')],
    });
    assert.equal(second.signal, 'SIGKILL', second.stderr);
    await resume(place);
    assert.ok(repeatsAt(place.sandbox).repeats >= 2);
  });

  test('just before a plan is released: nothing was sent, the run has failed, and a new import sends everything', async (t) => {
    const place = await makePlace(t);
    await place.dieAt('before ledger.releaseRun');
    assert.equal(place.sandbox.calls.length, 0);
    const again = await place.run('import', place.roster, '--yes', '--json');
    assert.equal(again.code, 0, again.stderr);
    assert.equal(place.sandbox.calls.length, people);
    const { runs } = await readLedger(place.dataDir);
    assert.deepEqual(runs, [
      { status: 'failed', reason: 'the process ended while planning; nothing was sent' },
      { status: 'finished', reason: '' },
    ]);
  });

  test('while its backup was written: the run is finished, nothing is sent twice, the next run writes a whole one', async (t) => {
    const place = await makePlace(t);
    await place.dieAt('after ledger.backupText 5');
    const backups = join(place.dataDir, 'backup');
    assert.deepEqual(readdirSync(backups), ['people.ndjson.gz.new']);
    assert.equal(place.sandbox.calls.length, people);
    const again = await place.run('import', place.roster, '--yes');
    assert.equal(again.code, 0, again.stderr);
    assert.equal(place.sandbox.calls.length, people);
    const backup = await checkBackup(join(backups, 'people.ndjson.gz'));
    const backedUp = (await rowsIn(backup, 'people')).filter((person) => 'email' in person);
    assert.equal(backedUp.length, people);
    assert.ok(!existsSync(join(backups, 'people.ndjson.gz.new')));
  });
});
