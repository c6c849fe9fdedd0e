import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { repeatedCalls, type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf, eventually, type ListedRun, openPlace, type Place, withoutTerminals } from '../support/cli.ts';

let sandbox: Sandbox;
let place: Place;
let scenes = 0;

before(async () => {
  sandbox = await startSandbox();
  place = await openPlace(envOf(sandbox), { here: true });
});
beforeEach(() => {
  sandbox.clearCalls();
  sandbox.faults.clear();
});
after(() => sandbox.close());

function newRoster(people: number): string {
  scenes += 1;
  place.write(`scene${scenes}.csv`, csvOf(people, { domain: `scene${scenes}.example` }));
  return `scene${scenes}.csv`;
}

async function newest(): Promise<ListedRun | undefined> {
  return (await place.listRuns())[0];
}

describe('on a terminal', { skip: withoutTerminals }, () => {
  it('the plan is shown and asked about; y sends it', async () => {
    const running = await place.terminal('import', newRoster(3));
    await running.until(/Send 3 people to the service\? \[y\/N\]/);
    assert.equal(sandbox.calls.length, 0);
    assert.match(running.said(), /Plan +3 new/);
    running.child.stdin?.write('y\r');
    const { code, stdout } = await running.ended;
    assert.equal(code, 0, stdout);
    assert.match(stdout, /Done +3 succeeded/);
    assert.equal(sandbox.calls.length, 3);
  });

  for (const [key, typed, exit] of [
    ['n', 'n\r', 0],
    ['Ctrl-C', '\u0003', 130],
  ] as const) {
    it(`${key} sends nothing, keeps nothing, and ends with exit code ${exit}`, async () => {
      const running = await place.terminal('import', newRoster(3));
      await running.until(/\[y\/N\]/);
      running.child.stdin?.write(typed);
      const { code, stdout } = await running.ended;
      assert.equal(code, exit, stdout);
      assert.match(stdout, /Nothing was sent, and nothing was kept/);
      assert.equal(sandbox.calls.length, 0);
    });
  }

  it('only what was agreed to has become a run', async () => {
    assert.equal((await place.listRuns()).length, 1);
  });

  it('Ctrl-C while delivering leaves the run paused, exit 130; resume finishes it, each person called once', async () => {
    sandbox.faults.add('latency=150');
    const running = await place.terminal('import', newRoster(30), '--yes', '--rate', '30');
    await eventually('five calls have arrived', () => sandbox.calls.length >= 5);
    running.child.stdin?.write('\u0003');
    const { code, stdout } = await running.ended;
    assert.equal(code, 130, stdout);
    assert.match(stdout, /Stopping: finishing \d+ calls? in flight/);
    assert.match(stdout, /Paused +\d+ succeeded.*not sent yet/);
    assert.match(stdout, /roster-sync resume [\da-f]{8}/);
    assert.equal((await newest())?.status, 'paused');
    assert.ok(
      sandbox.calls.every(({ status }) => status === 200),
      'the calls in flight were finished',
    );
    sandbox.faults.clear();
    const resumed = await place.jsonAlone('resume', 'latest');
    assert.equal(resumed.ended.code, 0, resumed.ended.stderr);
    assert.deepEqual([resumed.value.outcome.succeeded, resumed.value.calls], [30, 30]);
    assert.deepEqual(repeatedCalls(sandbox.calls), []);
  });
});

describe('without a terminal', () => {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    it(`${signal} pauses like Ctrl-C, and an import of the same roster then sends only the rest`, async () => {
      sandbox.faults.add('latency=100');
      const roster = newRoster(30);
      const running = await place.start(['import', roster, '--yes', '--rate', '30']);
      await eventually('five calls have arrived', () => sandbox.calls.length >= 5);
      running.child.kill(signal);
      const ended = await running.ended;
      assert.equal(ended.code, 130, ended.stderr);
      sandbox.faults.clear();
      const again = await place.json('import', roster, '--yes');
      assert.equal(again.ended.code, 0, again.ended.stderr);
      assert.equal(again.value.plan.new + again.value.plan.unchanged, 30);
      assert.deepEqual(repeatedCalls(sandbox.calls), []);
      assert.equal(sandbox.calls.length, 30);
    });
  }

  it('a second signal ends it at once; resume waits for the call that may still be in flight, and shows it as repeated', async () => {
    sandbox.faults.add('latency=forever,first=1');
    place.env['ROSTER_SYNC__SERVICE__TIMEOUT'] = '2s';
    const running = await place.start(['import', newRoster(1), '--yes']);
    await eventually('the call has arrived', () => sandbox.calls.length === 1);
    running.child.kill('SIGINT');
    await running.until(/Stopping: finishing 1 call in flight/);
    await new Promise((resolve) => setTimeout(resolve, 350));
    running.child.kill('SIGINT');
    const ended = await running.ended;
    assert.equal(ended.code, 130, ended.stderr);
    const resumed = await place.json('resume', 'latest');
    delete place.env['ROSTER_SYNC__SERVICE__TIMEOUT'];
    assert.equal(resumed.ended.code, 0, resumed.ended.stderr);
    assert.match(resumed.ended.stderr, /1 person may have been sent twice/);
    const [first, second, ...more] = sandbox.calls.map(({ arrivedAt }) => arrivedAt);
    assert.deepEqual(more, []);
    assert.ok((second ?? 0) - (first ?? 0) >= 2000, 'R3: not before the timeout of the first call has passed');
  });

  it('a second process is refused with exit 5, learns who uses the directory, and sends nothing', async () => {
    sandbox.faults.add('latency=forever');
    const first = newRoster(3);
    const running = await place.start(['import', first, '--yes']);
    await eventually('a call has arrived', () => sandbox.calls.length > 0);
    const calls = sandbox.calls.length;
    const other = newRoster(3);
    const { code, stdout, stderr } = await place.run('import', other, '--yes');
    assert.equal(code, 5, stderr);
    assert.ok(stderr.includes(`"import ${first}" (process ${running.child.pid}`), stderr);
    assert.equal(stdout, '');
    assert.ok(sandbox.calls.every(({ email }) => email?.endsWith(`@${first.replace('.csv', '.example')}`)));
    assert.ok(sandbox.calls.length >= calls);
    running.child.kill('SIGKILL');
    await running.ended;
  });

  it('after a killed process `runs` and `show` say that the run is interrupted, and how to continue it', async () => {
    const { run = '' } = (await newest()) ?? {};
    const listed = await place.run('runs');
    assert.match(listed.stdout, new RegExp(`^${run} .* interrupted `, 'm'));
    assert.match(listed.stdout, new RegExp(`To decide: run ${run} is interrupted, 3 waiting`));
    const shown = await place.run('show', run);
    assert.match(shown.stdout, /^Interrupted 0 succeeded/m);
    assert.match(
      shown.stdout,
      new RegExp(`3 not sent yet; nobody delivers; to continue: roster-sync resume ${run}$`, 'm'),
    );
  });

  it('a killed process frees the data directory; an import of its source, also a dry run, says that the run was interrupted, exit 5', async () => {
    const { source = '', run = '' } = (await newest()) ?? {};
    for (const flag of ['--yes', '--dry-run']) {
      const { code, stderr } = await place.run('import', `${source}.csv`, flag);
      assert.equal(code, 5, stderr);
      assert.match(
        stderr,
        new RegExp(`Run ${run} of ${source} was interrupted.*not finished.*roster-sync resume ${run}.*cancel ${run}`),
      );
    }
    assert.equal(sandbox.calls.length, 0);
    const cancelled = await place.run('cancel', run);
    assert.equal(cancelled.code, 0, cancelled.stderr);
  });

  // The last one: the service's wish to be left alone is remembered.
  it('an interruption does not wait for the end of a throttle', async () => {
    sandbox.faults.add('status=429,retry-after=25,after=2');
    const running = await place.start(['import', newRoster(30), '--yes']);
    await eventually('a call was throttled', () => sandbox.calls.some(({ status }) => status === 429));
    const began = performance.now();
    running.child.kill('SIGINT');
    const ended = await running.ended;
    assert.equal(ended.code, 130, ended.stderr);
    assert.ok(performance.now() - began < 20_000, `${Math.round(performance.now() - began)} ms`);
  });
});
