import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { InputError } from '../../src/core/errors.ts';
import { connectSandbox } from '../../src/sandbox/index.ts';
import { openSandbox } from '../support/sandbox.ts';
import { call, insert, insertBody, insertPath } from './call.ts';

test('from another process everything can be inspected as from this one', async (t) => {
  const sandbox = await openSandbox(t, { prefix: '/api' });
  const remote = connectSandbox(sandbox.url);
  await insert(sandbox, 'ann@example.com', ['Sales', 'Sweden']);
  await insert(sandbox, 'bo@example.com', ['Sales']);
  assert.deepEqual(await remote.calls(), sandbox.calls);
  assert.deepEqual(await remote.calls(2), sandbox.calls.slice(1));
  assert.deepEqual(await remote.stats(), sandbox.stats());
  assert.deepEqual(await remote.users(), sandbox.users());
  assert.deepEqual(await remote.groups(), sandbox.groups());
  assert.deepEqual((await remote.outbox()).pending, sandbox.outbox.pending());
  assert.equal(sandbox.stats().calls, 2, 'control calls are not recorded');
  await remote.clearCalls();
  assert.equal(sandbox.calls.length, 0);
});

test('the clock is moved, users are assigned and faults set from another process', async (t) => {
  const sandbox = await openSandbox(t);
  const remote = connectSandbox(sandbox.url);
  await remote.assign([{ firstname: 'Ann', lastname: 'Example', email: 'ann@example.com', groups: ['Board'] }]);
  assert.deepEqual(sandbox.user('ann@example.com')?.manual, ['Board']);
  await insert(sandbox, 'bo@example.com', ['Sales']);
  const { now } = await remote.outbox();
  assert.ok((await remote.advance(300_000)) >= now + 300_000);
  assert.deepEqual(
    (await remote.outbox()).sent.map(({ email }) => email),
    ['bo@example.com'],
  );
  await remote.addFaults('status=500', { latency: 1 });
  assert.equal((await call(sandbox, insertPath, insertBody('ann@example.com', ['Sales']))).status, 500);
  assert.deepEqual(
    sandbox.faults.list().map(({ struck }) => struck),
    [1, 1],
  );
  await remote.clearFaults();
  assert.equal((await call(sandbox, insertPath, insertBody('ann@example.com', ['Sales']))).status, 200);
});

test('an invalid control call is refused with a reason', async (t) => {
  const sandbox = await openSandbox(t);
  const remote = connectSandbox(sandbox.url);
  const isInputError =
    (pattern: RegExp) =>
    (error: unknown): boolean =>
      error instanceof InputError && pattern.test(error.message);
  await assert.rejects(remote.advance(-1), isInputError(/advanceMs/));
  await assert.rejects(remote.addFaults('status=1'), isInputError(/status is a whole number/));
  const nameless: object = { email: 'ann@example.com' };
  await assert.rejects(remote.assign([nameless as never]), isInputError(/a user has firstname/));
  assert.equal(sandbox.users().length, 0);
  const unknown = await fetch(new URL('/_sandbox/nothing', sandbox.url));
  assert.equal(unknown.status, 404);
});

test('a web page cannot reach the control routes, by its origin or by a name of its own', async (t) => {
  const sandbox = await openSandbox(t);
  const statusWith = (headers: Record<string, string>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request(`${sandbox.url}/_sandbox/calls`, { headers, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      sent.end();
    });
  assert.equal(await statusWith({}), 200);
  assert.equal(await statusWith({ origin: 'https://example.com' }), 403);
  assert.equal(await statusWith({ host: 'rebound.example.com' }), 403);
});

test('beyond loopback there are no control routes', async (t) => {
  const sandbox = await openSandbox(t, { host: '0.0.0.0' });
  const response = await fetch(`http://127.0.0.1:${sandbox.port}/_sandbox/stats`);
  assert.equal(response.status, 404);
  await response.text();
});
