import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { Client } from 'undici';
import { csvOf, envOf, eventually, openPlace, type Place, type RunJson } from '../support/cli.ts';
import { openSandbox } from '../support/sandbox.ts';

/** The socket of whoever owns the place's data directory. */
function socketOf({ data }: Place): string {
  const name = readdirSync(data).find((each) => /^owner-\w+\.sock$/.test(each));
  assert.ok(name, 'somebody owns the directory');
  return join(data, name);
}

const slow = { ROSTER_SYNC__DELIVERY__RATE__LIMIT: '8' };

suite('a second terminal beside a running import', () => {
  test('looks, pauses, resumes and cancels through the owner, with the output and exit codes of the first one', async (t) => {
    const sandbox = await openSandbox(t);
    const place = await openPlace({ ...envOf(sandbox), ...slow }, { here: true });
    place.write('people.csv', csvOf(600));
    place.write('others.csv', csvOf(2, { domain: 'other.example' }));
    const importing = await place.start(['import', 'people.csv', '--group-column', 'groups', '--yes']);
    await eventually('the first calls were made', () => sandbox.calls.length > 2);

    const runs = await place.json<{ runs: { run: string; status: string }[] }>('runs');
    assert.equal(runs.ended.code, 0, runs.ended.stderr);
    const run = runs.value.runs[0]?.run ?? '';
    assert.equal(runs.value.runs[0]?.status, 'delivering');
    const shown = await place.alone('show', 'latest');
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, new RegExp(run));
    const second = await place.run('import', 'others.csv', '--group', 'Staff', '--yes');
    assert.equal(second.code, 5);
    assert.match(second.stderr, /"import people\.csv" \(process \d+/);
    const alone = await place.run('approve', run, '--yes', '--no-wait');
    assert.equal(alone.code, 2, 'an import ends with its own run');
    assert.match(alone.stderr, /there are no other workers/);

    const path = socketOf(place);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(place.data).mode & 0o777, 0o700);
    const client = new Client('http://owner', { socketPath: path });
    const { statusCode, body } = await client.request({ path: '/api/v1/runs/latest', method: 'GET' });
    assert.equal(statusCode, 200);
    assert.equal(((await body.json()) as RunJson).run, run);
    const start = await client.request({
      ...{ path: '/api/v1/runs', method: 'POST', body: '{"source":"people"}' },
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(start.statusCode, 404, 'an import starts nothing beside itself');
    await client.close();

    const nothing = await place.run('retry', run);
    assert.equal(nothing.code, 2);
    assert.match(nothing.stderr, /nothing to retry\. `roster-sync resume/);
    const paused = await place.jsonAlone('pause', run);
    assert.equal(paused.ended.code, 0, paused.ended.stderr);
    assert.equal(paused.value.status, 'paused');
    const { code, stderr: said } = await importing.ended;
    assert.notEqual(code, 0, 'the import ends, because its run was paused');
    assert.doesNotMatch(said, /ledger\/:verb/, 'its output is not of what others looked at');
    const cancelled = await place.json('cancel', 'latest');
    assert.equal(cancelled.value.status, 'cancelled');
  });

  test('resumes another run, which the owner delivers, and continues it if the owner ends', async (t) => {
    const sandbox = await openSandbox(t);
    const place = await openPlace({ ...envOf(sandbox), ...slow }, { here: true });
    place.write('people.csv', csvOf(40));
    place.write('others.csv', csvOf(8, { domain: 'other.example' }));
    const first = await place.start(['import', 'people.csv', '--group-column', 'groups', '--yes']);
    await eventually('the first calls were made', () => sandbox.calls.length > 2);
    const [{ run } = { run: '' }] = await place.listRuns();
    assert.equal((await place.run('pause', run)).code, 0);
    await first.ended;

    const owner = await place.start(['import', 'others.csv', '--group', 'Staff', '--yes']);
    const before = sandbox.calls.length;
    await eventually('the owner delivers', () => sandbox.calls.length > before);
    const resumed = await place.json('resume', run);
    assert.equal(resumed.ended.code, 0, resumed.ended.stderr);
    assert.equal(resumed.value.status, 'finished');
    assert.equal(resumed.value.outcome.succeeded, 40);
    assert.equal((await owner.ended).code, 0);
    assert.equal(sandbox.calls.length, 48);
  });
});
