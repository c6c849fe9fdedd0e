import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { openSandbox } from '../support/sandbox.ts';
import { analysisPath, call, insertBody, insertPath, type Called, type CallOptions, until } from './call.ts';

const groups = ['Sales', 'Sweden', 'Finance'];

const send = (sandbox: Sandbox, email = 'ann@example.com', options: CallOptions = {}): Promise<Called> =>
  call(sandbox, insertPath, insertBody(email, groups), options);

async function statuses(sandbox: Sandbox, count: number, email?: string): Promise<number[]> {
  const seen: number[] = [];
  for (let at = 0; at < count; at += 1) seen.push((await send(sandbox, email ?? `p${at}@example.com`)).status);
  return seen;
}

test('which calls: first, after, nth, every and probability count the calls that fit', async (t) => {
  const of = async (fault: string, count = 6): Promise<number[]> =>
    statuses(await openSandbox(t, { faults: [fault] }), count);
  assert.deepEqual(await of('status=500,first=2'), [500, 500, 200, 200, 200, 200]);
  assert.deepEqual(await of('status=401,after=4'), [200, 200, 200, 200, 401, 401]);
  assert.deepEqual(await of('status=500,nth=3'), [200, 200, 500, 200, 200, 200]);
  assert.deepEqual(await of('status=500,every=3'), [200, 200, 500, 200, 200, 500]);
  assert.deepEqual(await of('status=500,after=1,first=2'), [200, 500, 500, 200, 200, 200]);
  assert.deepEqual(await of('status=500,probability=0'), [200, 200, 200, 200, 200, 200]);
  const some = await of('status=500,probability=0.3', 100);
  const struck = some.filter((status) => status === 500).length;
  assert.ok(struck > 15 && struck < 45, `${struck} of 100 at 0.3`);
  assert.deepEqual(await of('status=500,probability=0.3', 100), some, 'the same calls every time');
});

test('which calls: one person however written, a domain, a group, a path', async (t) => {
  const sandbox = await openSandbox(t, {
    faults: [
      'status=403,email=Ann@example.com',
      'status=404,email=*@example.org',
      'status=409,group=Board',
      'status=500,path=analysis',
    ],
  });
  const statusOf = async (email: string, names = groups): Promise<number> =>
    (await call(sandbox, insertPath, insertBody(email, names))).status;
  assert.equal(await statusOf('ANN@EXAMPLE.COM'), 403);
  assert.equal(await statusOf('joann@example.com'), 200);
  assert.equal(await statusOf('bo@Example.org'), 404);
  assert.equal(await statusOf('bo@example.com', ['Sales', 'Board']), 409);
  assert.equal((await call(sandbox, analysisPath, {})).status, 500);
});

test('the first fault in the list answers, and every fault counts the calls that fit it', async (t) => {
  const sandbox = await openSandbox(t, { faults: ['status=503,first=1', 'status=500,first=2'] });
  assert.deepEqual(await statuses(sandbox, 3), [503, 500, 200]);
  assert.deepEqual(
    sandbox.faults.list().map(({ fitting, struck }) => [fitting, struck]),
    [
      [3, 1],
      [3, 1],
    ],
  );
});

test('a status fault does not make the insert, unless it says so', async (t) => {
  const sandbox = await openSandbox(t, {
    faults: ['status=500,nth=1', 'status=502,apply=yes,nth=2', 'status=202,nth=3'],
  });
  assert.equal((await send(sandbox)).status, 500);
  assert.equal(sandbox.users().length, 0);
  assert.equal((await send(sandbox)).status, 502);
  assert.equal(sandbox.users().length, 1);
  const accepted = await send(sandbox);
  assert.equal(accepted.status, 202);
  assert.equal(JSON.parse(accepted.text).data[0].warnings, 1);
});

test('Retry-After comes in seconds, as an HTTP-date not earlier than asked, or not at all', async (t) => {
  const sandbox = await openSandbox(t, {
    faults: ['status=429,retry-after=2,nth=1', 'status=503,retry-after=date+30,nth=2', 'status=429,nth=3'],
  });
  assert.equal((await send(sandbox)).headers['retry-after'], '2');
  const before = Date.now();
  const date = String((await send(sandbox)).headers['retry-after']);
  assert.match(date, /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/);
  assert.ok(Date.parse(date) >= before + 30_000 && Date.parse(date) < Date.now() + 31_000);
  assert.equal((await send(sandbox)).headers['retry-after'], undefined);
});

test('a reset before reading leaves nothing behind, after reading the insert is made or not as it says', async (t) => {
  const sandbox = await openSandbox(t, {
    faults: ['reset=before,nth=1', 'reset=after,apply=no,nth=1', 'reset=after,nth=2'],
  });
  for (const users of [0, 0, 1]) {
    await assert.rejects(send(sandbox), (error: NodeJS.ErrnoException) => error.code === 'ECONNRESET');
    assert.equal(sandbox.users().length, users);
  }
  assert.equal((await send(sandbox)).status, 200);
  assert.deepEqual(
    sandbox.calls.map(({ status, fault }) => [status, fault]),
    [
      [undefined, 'reset=before,nth=1'],
      [undefined, 'reset=after,apply=no,nth=1'],
      [undefined, 'reset=after,nth=2'],
      [200, undefined],
    ],
  );
  assert.equal(sandbox.stats().inserts, 3, 'what was made is counted although nobody was told');
});

test('latency makes the answer late, not the insert, and adds up', async (t) => {
  const sandbox = await openSandbox(t, { faults: ['latency=30', 'latency=20-25', 'status=500,nth=2'] });
  assert.equal((await send(sandbox)).status, 200);
  assert.equal((await send(sandbox)).status, 500);
  for (const { arrivedAt, endedAt = 0 } of sandbox.calls)
    assert.ok(endedAt - arrivedAt >= 49, `${endedAt - arrivedAt} ms`);
});

test('an answer that never comes ends when the client leaves, the insert made', async (t) => {
  const sandbox = await openSandbox(t, { faults: ['latency=forever'] });
  const leave = new AbortController();
  const waiting = send(sandbox, 'ann@example.com', { signal: leave.signal });
  await until(() => sandbox.users().length > 0);
  assert.equal(sandbox.stats().inFlight, 1);
  leave.abort();
  await assert.rejects(waiting);
  await until(() => sandbox.stats().inFlight === 0);
  assert.ok(sandbox.calls[0]?.endedAt);
});

test('a body fault replaces the answer with HTML, text, nothing, or too much', async (t) => {
  const sandbox = await openSandbox(t, {
    faults: ['body=html,nth=1', 'body=text,nth=2', 'body=empty,nth=3', 'body=huge,apply=no,nth=4'],
  });
  const html = await send(sandbox);
  assert.deepEqual([html.status, html.headers['content-type']], [200, 'text/html']);
  assert.match(html.text, /^<!doctype html>/);
  assert.equal(sandbox.users().length, 1, 'the insert is made');
  assert.equal((await send(sandbox)).text, 'something went wrong');
  assert.equal((await send(sandbox)).text, '');
  assert.ok((await send(sandbox, 'bo@example.com')).text.length > 16 * 1024 * 1024);
  assert.equal(sandbox.users().length, 1, 'with apply=no it is not');
});

test('the Authorization header comes back in body and header, with any status', async (t) => {
  const sandbox = await openSandbox(t, { faults: ['body=echo,nth=1', 'body=echo,status=401,nth=2'] });
  for (const status of [200, 401]) {
    const answer = await send(sandbox);
    assert.equal(answer.status, status);
    assert.ok(answer.text.includes(`Basic ${sandbox.token}`));
    assert.equal(answer.headers['x-debug-authorization'], `Basic ${sandbox.token}`);
  }
});

test('the answer cut short: half a JSON text, half a body, a body that stalls', async (t) => {
  const sandbox = await openSandbox(t, {
    faults: ['body=half-json,nth=1', 'body=truncated,nth=2', 'body=stalled,nth=3'],
  });
  const half = await send(sandbox);
  assert.equal(half.status, 200);
  assert.equal(Number(half.headers['content-length']), Buffer.byteLength(half.text));
  assert.throws(() => JSON.parse(half.text));
  let responses = 0;
  const onResponse = (): void => void (responses += 1);
  await assert.rejects(send(sandbox, 'bo@example.com', { onResponse }));
  assert.equal(responses, 1, 'the head of the truncated answer arrives');
  const leave = new AbortController();
  await assert.rejects(send(sandbox, 'cy@example.com', { onResponse: () => leave.abort(), signal: leave.signal }));
  assert.equal(sandbox.users().length, 3, 'all three inserts are made');
  await until(() => sandbox.stats().inFlight === 0);
});

test('a trickle brings the whole answer byte by byte', async (t) => {
  const sandbox = await openSandbox(t, { faults: ['body=trickle,interval=1'] });
  const { text } = await send(sandbox);
  assert.equal(JSON.parse(text).data.length, 3);
  const [recorded] = sandbox.calls;
  assert.ok((recorded?.endedAt ?? 0) - (recorded?.arrivedAt ?? 0) > text.length * 0.8);
});

test('each wrong shape is the one its name says', async (t) => {
  const sandbox = await openSandbox(t);
  const shaped = async (body: string): Promise<unknown> => {
    sandbox.faults.clear();
    sandbox.faults.add(`body=${body}`);
    const { status, text } = await send(sandbox, `${body}@example.com`);
    assert.equal(status, 200, body);
    return JSON.parse(text, (key, value: unknown) => (['hash', 'response_time'].includes(key) ? key : value));
  };
  const item = (group: string): object => ({ group, status: 'success', inserts: 1, warnings: 0 });
  const data = groups.map(item);
  const envelope = { status: 'success', data, hash: 'hash', response_time: 'response_time' };
  assert.deepEqual(await shaped('not-success'), { ...envelope, status: 'error' });
  assert.deepEqual(await shaped('missing'), { ...envelope, data: data.slice(0, 2) });
  assert.deepEqual(await shaped('reordered'), { ...envelope, data: data.toReversed() });
  assert.deepEqual(await shaped('no-data'), { status: 'success', hash: 'hash', response_time: 'response_time' });
  assert.deepEqual(await shaped('no-hash'), { status: 'success', data, response_time: 'response_time' });
  assert.deepEqual(await shaped('bare-array'), data);
  assert.equal(await shaped('null'), null);
  const texts = data.map((one) => ({ ...one, inserts: '1', warnings: '0' }));
  assert.deepEqual(await shaped('string-counts'), { ...envelope, data: texts });
});

test('a failed group is reported with another status and is not filled', async (t) => {
  const sandbox = await openSandbox(t, {
    faults: ['body=group-failed,group=Sweden,first=1', 'body=group-failed,first=1'],
  });
  const failed = (answer: Called): string[] =>
    (JSON.parse(answer.text).data as { group: string; status: string }[]).flatMap(({ group, status }) =>
      status === 'success' ? [] : [group],
    );
  assert.deepEqual(failed(await send(sandbox)), ['Sweden']);
  assert.deepEqual(sandbox.user('ann@example.com')?.groups, ['Sales', 'Finance']);
  assert.deepEqual(failed(await send(sandbox, 'bo@example.com')), []);
});

test('a wrong token is refused whatever shape the answer is to have', async (t) => {
  const sandbox = await openSandbox(t, { faults: ['body=missing'] });
  assert.equal((await send(sandbox, 'ann@example.com', { authorization: null })).status, 401);
  assert.equal(sandbox.users().length, 0);
});
