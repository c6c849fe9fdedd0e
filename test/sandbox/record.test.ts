import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSandbox } from '../support/sandbox.ts';
import { call, insert, insertBody, insertPath, until } from './call.ts';

test('the record keeps each call with its time, person, body and result', async (t) => {
  const sandbox = await openSandbox(t, { faults: ['status=500,nth=2'] });
  const body = insertBody('Ann@example.com', ['Sales', 'Sweden']);
  const before = performance.now();
  await call(sandbox, `${insertPath}?a=1`, body);
  await call(sandbox, insertPath, body);
  await call(sandbox, '/elsewhere', 'not JSON', { method: 'PUT' });
  const [first, second, third] = sandbox.calls;
  assert.ok(first && second && third);
  assert.deepEqual([first.sequence, first.method, first.path, first.email], [1, 'POST', insertPath, 'Ann@example.com']);
  assert.deepEqual(first.body, body);
  assert.deepEqual([first.status, first.fault, first.inserts, first.warnings], [200, undefined, 2, 0]);
  assert.ok(
    before <= first.arrivedAt && first.arrivedAt <= (first.endedAt ?? 0) && (first.endedAt ?? 0) <= second.arrivedAt,
  );
  assert.ok(Math.abs(first.arrivedWall - Date.now()) < 60_000);
  assert.deepEqual([second.status, second.fault, second.inserts], [500, 'status=500,nth=2', 0]);
  assert.deepEqual([third.method, third.status, third.email, third.body], ['PUT', 404, undefined, undefined]);
});

test('each call records the calls in flight at its arrival, and the totals the most of them', async (t) => {
  const sandbox = await openSandbox(t, { faults: ['latency=forever,first=3'] });
  const leave = new AbortController();
  const waiting = [1, 2, 3].map((at) => {
    return call(sandbox, insertPath, insertBody(`p${at}@example.com`, ['Sales']), { signal: leave.signal });
  });
  await until(() => sandbox.users().length === 3);
  await insert(sandbox, 'ann@example.com', ['Sales']);
  assert.deepEqual(
    sandbox.calls.map(({ inFlight }) => inFlight),
    [1, 2, 3, 4],
  );
  assert.deepEqual([sandbox.stats().inFlight, sandbox.stats().mostInFlight], [3, 4]);
  leave.abort();
  await Promise.allSettled(waiting);
});

test('the totals are the sums over the record', async (t) => {
  const sandbox = await openSandbox(t, { faults: ['status=500,nth=2', 'reset=after,nth=4'] });
  for (const email of ['a@example.com', 'b@example.com', 'a@example.com'])
    await insert(sandbox, email, ['Sales', 'All']);
  await assert.rejects(insert(sandbox, 'd@example.com', ['Sales']));
  const { calls, inserts, warnings, statuses, faulted, users, groups } = sandbox.stats();
  assert.deepEqual(
    { calls, inserts, warnings, statuses, faulted },
    {
      calls: 4,
      inserts: 3,
      warnings: 2,
      statuses: { 200: 2, 500: 1, none: 1 },
      faulted: 2,
    },
  );
  assert.deepEqual([users, groups], [2, 2]);
  sandbox.clearCalls();
  assert.deepEqual([sandbox.calls.length, sandbox.stats().calls, sandbox.stats().users], [0, 0, 2]);
});

test('the record leaves out bodies, or all single calls, if it is asked to be small', async (t) => {
  const small = await openSandbox(t, { record: 'no-bodies' });
  await insert(small, 'ann@example.com', ['Sales']);
  assert.deepEqual([small.calls[0]?.email, small.calls[0]?.body], ['ann@example.com', undefined]);
  const least = await openSandbox(t, { record: 'totals' });
  await insert(least, 'ann@example.com', ['Sales']);
  assert.deepEqual([least.calls.length, least.stats().calls, least.stats().inserts], [0, 1, 1]);
});

test('the sandbox’s clock never moves back', async (t) => {
  const sandbox = await openSandbox(t, { now: () => 5000 });
  for (const milliseconds of [-1, Number.NaN, Infinity])
    assert.throws(() => sandbox.clock.advance(milliseconds), RangeError);
  assert.equal(sandbox.clock.now(), 5000);
});
