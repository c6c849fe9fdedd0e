import assert from 'node:assert/strict';
import { after, before, beforeEach, it } from 'node:test';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf, openPlace, type Place } from '../support/cli.ts';

let sandbox: Sandbox;
let place: Place;

before(async () => {
  sandbox = await startSandbox();
  place = await openPlace({ ...envOf(sandbox), ROSTER_SYNC__DELIVERY__CANARY: 'true' }, { here: true });
});
beforeEach(() => sandbox.clearCalls());
after(() => sandbox.close());

it('a run of 60 begins with one person of each set of groups, then a tenth, then all', async () => {
  place.write('calm.csv', csvOf(60, { domain: 'calm.example' }));
  const { ended, value } = await place.json('import', 'calm.csv', '--yes');
  assert.equal(ended.code, 0, ended.stderr);
  assert.deepEqual([value.status, value.outcome.succeeded, sandbox.calls.length], ['finished', 60, 60]);
  const sorted = sandbox.calls.toSorted((a, b) => a.arrivedAt - b.arrivedAt);
  const endOf = (from: number, to: number): number =>
    Math.max(...sorted.slice(from, to).map(({ endedAt }) => endedAt ?? 0));
  assert.ok((sorted[2]?.arrivedAt ?? 0) >= endOf(0, 2), 'the tenth begins after the first two');
  assert.ok((sorted[8]?.arrivedAt ?? 0) >= endOf(2, 8), 'the rest begins after the tenth');
});

it('a warning not seen before pauses it with the evidence; resume takes it as seen, and the next run is not paused', async () => {
  sandbox.assign({ firstname: 'First0', lastname: 'Last0', email: 'person0@odd.example' }, ['Staff']);
  place.write('odd.csv', csvOf(60, { domain: 'odd.example' }));
  const { ended, value } = await place.json('import', 'odd.csv', '--yes');
  assert.deepEqual([ended.code, value.status, sandbox.calls.length], [6, 'paused', 2], ended.stderr);
  assert.match(ended.stderr, /after the first 2 calls the answers hold something not seen before: 1 warning, once/);

  const night = await place.json('import', 'odd.csv', '--yes');
  assert.deepEqual([night.ended.code, night.value.status, sandbox.calls.length], [3, 'held', 2], night.ended.stderr);
  assert.match(
    night.ended.stderr.replaceAll(/\s+/g, ' '),
    new RegExp(
      `58 people of 60 .* are new\\. They wait in run ${value.run}, the first of this source, which was paused after 2`,
    ),
  );

  const resumed = await place.json('resume', value.run);
  assert.deepEqual([resumed.ended.code, resumed.value.status, sandbox.calls.length], [0, 'finished', 60]);

  sandbox.assign({ firstname: 'First0', lastname: 'Last0', email: 'person0@next.example' }, ['Staff']);
  place.write('next.csv', csvOf(60, { domain: 'next.example' }));
  const next = await place.json('import', 'next.csv', '--yes');
  assert.deepEqual([next.ended.code, next.value.status], [0, 'finished'], next.ended.stderr);
});

it('--no-canary sends all at once', async () => {
  sandbox.faults.add('status=418,email=person0@bold.example');
  place.write('bold.csv', csvOf(60, { domain: 'bold.example' }));
  const { ended, value } = await place.json('import', 'bold.csv', '--yes', '--no-canary');
  assert.deepEqual(
    [ended.code, value.status, value.outcome.succeeded],
    [4, 'finished-with-failures', 59],
    ended.stderr,
  );
});
