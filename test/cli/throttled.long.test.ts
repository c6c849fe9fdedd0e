import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { repeatedCalls, type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf, eventually, openPlace, type Place } from '../support/cli.ts';

const endless = 'status=429,retry-after=99999999999999999999,first=1';
const asked = /The service is rate-limiting us until \d{4}-\d\d-\d\d \d\d:\d\d \(HTTP 429 from .*a day or longer/;

let sandbox: Sandbox;
let place: Place;
let scenes = 0;

before(async () => {
  sandbox = await startSandbox();
});
beforeEach(async () => {
  sandbox.clearCalls();
  sandbox.faults.clear();
  // One call at a time: nobody else is called before the answer to the first is known.
  place = await openPlace({ ...envOf(sandbox), ROSTER_SYNC__DELIVERY__CONCURRENCY: '1' });
});
after(() => sandbox.close());

/** Waits until the newest run says that the service asked not to be called. */
async function untilShown(): Promise<void> {
  // Not before the import owns the data directory.
  await eventually('the call was throttled', () => sandbox.calls.some(({ endedAt }) => endedAt !== undefined));
  while (!asked.test((await place.run('show', 'latest')).stdout));
}

/** Imports four people of whom the first call is answered with a `Retry-After` that is no time; ends it with Ctrl-C. */
async function importThrottled(meanwhile: () => Promise<void> = async () => {}): Promise<string> {
  scenes += 1;
  place.write('staff.csv', csvOf(4, { domain: `throttled${scenes}.example` }));
  sandbox.faults.add(endless);
  const running = await place.start(['import', 'staff.csv', '--yes']);
  await untilShown();
  await meanwhile();
  running.child.kill('SIGTERM');
  const { stderr } = await running.ended;
  return stderr;
}

describe('a service that asks not to be called for ever', () => {
  it('makes us wait a day at most, and everything says until when, why, and how to call it now', async () => {
    const stderr = await importThrottled(async () => {
      const { value } = await place.json('show', 'latest');
      const { until, reason } = (value as { throttled?: { until: string; reason: string } }).throttled ?? {};
      const left = Date.parse(until ?? '') - Date.now();
      assert.ok(left > 23 * 3_600_000 && left <= 24 * 3_600_000, `${left} ms`);
      assert.match(reason ?? '', /^HTTP 429 from .*, asking to wait a day or longer; roster-sync waits a day at most$/);
    });
    assert.match(stderr, asked);
    assert.match(stderr, /to call the service now: roster-sync resume \w+ --now/);
    assert.match((await place.run('show', 'latest')).stdout, asked);
    assert.match((await place.run('doctor')).stdout, /remark +pace +the service is rate-limiting us until/);
    const cancelled = await place.run('cancel', 'latest');
    assert.match(cancelled.stdout, asked);
    assert.match(cancelled.stdout, /The next run waits until then too/);
  });

  it('is called with resume --now and --yes; nobody is called twice', async () => {
    await importThrottled();
    const refused = await place.run('resume', 'latest', '--now');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /To call it now without being asked, add --yes/);
    assert.equal(sandbox.calls.length, 1);
    const { ended, value } = await place.jsonAlone('resume', 'latest', '--now', '--yes');
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual([value.outcome.succeeded, value.calls], [4, 5]);
    assert.equal(repeatedCalls(sandbox.calls).length, 1, 'the one who was throttled');
    const { stdout } = await place.run('show', 'latest');
    assert.doesNotMatch(stdout, asked);
  });

  it('is called by the process that waits, when resume --now comes from a second terminal', async () => {
    scenes += 1;
    place.write('staff.csv', csvOf(4, { domain: `throttled${scenes}.example` }));
    sandbox.faults.add(endless);
    const running = await place.start(['import', 'staff.csv', '--yes']);
    await untilShown();
    const resumed = await place.run('resume', 'latest', '--now', '--yes');
    assert.equal(resumed.code, 0, resumed.stderr);
    const { code, stdout } = await running.ended;
    assert.equal(code, 0);
    assert.match(stdout, /Done +4 succeeded/);
  });
});
