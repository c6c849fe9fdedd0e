import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { mostCallsInWindow, type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf, openPlace, type Place, type RunJson } from '../support/cli.ts';

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

/** Imports people of their own while the service answers as told; afterwards it answers well again. */
async function importWhile(people: number, fault: string, ...flags: string[]): Promise<RunJson & { file: string }> {
  scenes += 1;
  const file = `scene${scenes}.csv`;
  place.write(file, csvOf(people, { domain: `scene${scenes}.example` }));
  sandbox.faults.add(fault.replace('DOMAIN', `scene${scenes}.example`));
  const { value } = await place.json('import', file, '--yes', ...flags);
  sandbox.faults.clear();
  sandbox.clearCalls();
  return { ...value, file };
}

describe('retry', () => {
  it('retry calls only the people who failed, and finishes the run', async () => {
    const { run, outcome } = await importWhile(8, 'status=400,email=person3@DOMAIN');
    assert.equal(outcome.failed, 1);
    const retried = await place.jsonAlone('retry', run);
    assert.equal(retried.ended.code, 0, retried.ended.stderr);
    assert.deepEqual([retried.value.status, retried.value.outcome.succeeded], ['finished', 8]);
    assert.deepEqual(
      sandbox.calls.map(({ email }) => email),
      [`person3@scene${scenes}.example`],
    );
    const again = await place.run('retry', run);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /is finished: there is nothing to retry/);
  });

  it('sends what a run’s deadline left unsent, and is given time for it', async () => {
    place.env['ROSTER_SYNC__DELIVERY__DEADLINE'] = '8s';
    const ended = await importWhile(12, 'latency=10', '--rate', '1');
    delete place.env['ROSTER_SYNC__DELIVERY__DEADLINE'];
    assert.equal(ended.status, 'finished-with-failures');
    assert.ok(ended.outcome.cancelled > 0 && ended.outcome.failed === 0);
    const retried = await place.json('retry', ended.run, '--rate', '400');
    assert.equal(retried.ended.code, 0, retried.ended.stderr);
    assert.deepEqual([retried.value.outcome.succeeded, retried.value.calls], [12, 12]);
  });
});

describe('resume', () => {
  it('uses the settings stored with the run, whatever the config says now', async () => {
    const { run, status } = await importWhile(12, 'status=401,after=2', '--force-sync', '--no-invite');
    assert.equal(status, 'halted');
    const { ended } = await place.json('resume', run.slice(0, 6));
    assert.equal(ended.code, 0, ended.stderr);
    const settings = sandbox.calls.map(({ body }) => body as { forceSync: boolean; invite: boolean });
    assert.ok(settings.length >= 10 && settings.every(({ forceSync, invite }) => forceSync && !invite));
  });

  it('refuses a run that is finished, unknown, or meant by nothing: exit 2', async () => {
    const { run } = await importWhile(1, 'latency=1');
    for (const [named, message] of [
      [run, /is finished: there is nothing to resume/],
      ['00000000zz', /There is no run 00000000zz\. `roster-sync runs` lists them/],
    ] as const) {
      const { code, stderr } = await place.run('resume', named);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
    assert.equal(sandbox.calls.length, 0);
  });

  it('R11: a run is bound to its service: with another address set, it refuses and sends nothing', async () => {
    const { run } = await importWhile(12, 'status=401,after=2');
    const other = await startSandbox();
    place.env['ROSTER_SYNC_BASE_URL'] = other.url;
    const refused = await place.run('resume', run);
    place.env['ROSTER_SYNC_BASE_URL'] = sandbox.url;
    await other.close();
    assert.equal(refused.code, 2);
    assert.ok(refused.stderr.includes(sandbox.url) && refused.stderr.includes(other.url), refused.stderr);
    assert.deepEqual([other.calls.length, sandbox.calls.length], [0, 0]);
    assert.equal((await place.json('resume', run)).ended.code, 0);
  });
});

describe('the pace of a resumed run', () => {
  it('R4: never exceeds the configured rate, whatever was stored with the run; --rate may lower it', async () => {
    delete place.env['ROSTER_SYNC__DELIVERY__RATE__LIMIT'];
    const { run } = await importWhile(14, 'status=401,after=2', '--rate', '400');
    place.env['ROSTER_SYNC__DELIVERY__RATE__LIMIT'] = '10';
    const { ended } = await place.jsonAlone('resume', run);
    place.env['ROSTER_SYNC__DELIVERY__RATE__LIMIT'] = '500';
    assert.equal(ended.code, 0, ended.stderr);
    // The first call pays for opening the connection, and so arrives closer to the next one than it left.
    assert.ok(mostCallsInWindow(sandbox.calls.slice(1), 1000) <= 10);
  });

  it('R4: keeps a further window that was set while the run stood still', async () => {
    place.env['ROSTER_SYNC__DELIVERY__RATE__LIMIT'] = '100';
    const { run } = await importWhile(14, 'status=401,after=2');
    place.env['ROSTER_SYNC__DELIVERY__RATE__AND'] = '5/2s';
    const { ended } = await place.jsonAlone('resume', run);
    delete place.env['ROSTER_SYNC__DELIVERY__RATE__AND'];
    place.env['ROSTER_SYNC__DELIVERY__RATE__LIMIT'] = '500';
    assert.equal(ended.code, 0, ended.stderr);
    assert.ok(mostCallsInWindow(sandbox.calls.slice(1), 2000) <= 5);
  });
});

describe('cancel', () => {
  it('ends a run: what it has not sent is not sent any more, and the next import sends it', async () => {
    const { run, file, outcome } = await importWhile(12, 'status=401,after=2');
    const cancelled = await place.jsonAlone('cancel', run);
    assert.equal(cancelled.ended.code, 0, cancelled.ended.stderr);
    assert.deepEqual(
      [cancelled.value.status, cancelled.value.outcome.cancelled],
      ['cancelled', 12 - outcome.succeeded],
    );
    const { code, stderr } = await place.run('resume', run);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /is cancelled: there is nothing to resume/);
    assert.equal(sandbox.calls.length, 0);
    const again = await place.json('import', file, '--yes');
    assert.deepEqual([again.value.plan.new, again.value.plan.unchanged], [12 - outcome.succeeded, outcome.succeeded]);
  });
});

describe('show', () => {
  it('shows what the service really said wherever it was not a plain success', async () => {
    const { run } = await importWhile(4, 'status=400,email=person2@DOMAIN');
    const { code, stdout } = await place.run('show', run);
    assert.equal(code, 0);
    assert.match(stdout, /person2@scene\d+\.example, call 1: rejected 400 \{"status":"error"/);
    assert.match(stdout, /1 failed: HTTP 400.*\n.*roster-sync retry/);
  });

  it('writes the rejected rows in the form of their roster, ready to be corrected and imported', async () => {
    place.write('rejects.csv', 'firstname;lastname;email;groups\r\nAnn;"Lee; Jr";;A\r\nBo;Ek;bo@rejects.example;A\r\n');
    const { value } = await place.json('import', 'rejects.csv', '--yes');
    const { code, stderr } = await place.run('show', value.run, '--rejects', 'again.csv');
    assert.equal(code, 0, stderr);
    const text = place.read('again.csv');
    assert.match(text, /^firstname;lastname;email;groups;_line;_reason;_run\r\nAnn;"Lee; Jr";;A;2;/);
    place.write('again.csv', text.replace('"Lee; Jr";;', '"Lee; Jr";ann@rejects.example;'));
    sandbox.clearCalls();
    const kept = ['--allow-value', 'Lee; Jr'];
    const corrected = await place.json('import', 'again.csv', '--source', 'rejects', ...kept, '--yes');
    assert.equal(corrected.ended.code, 0, corrected.ended.stderr);
    assert.deepEqual(
      sandbox.calls.map(({ body }) => body),
      [
        {
          groups: ['A'],
          user: { firstname: 'Ann', lastname: 'Lee; Jr', email: 'ann@rejects.example' },
          invite: true,
          forceSync: false,
        },
      ],
    );
  });
});
