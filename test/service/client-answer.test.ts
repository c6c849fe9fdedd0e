import assert from 'node:assert/strict';
import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ServerResponse } from 'node:http';
import { readCredentials } from '../../src/service/settings.ts';
import { connect, expectKind, listenHttp, password, request, sendJson, success, token } from './local-server.ts';

test('an answer of the documented shape is accepted, with its results in the order that they came', async (t) => {
  const { base } = await listenHttp(t, (response) =>
    sendJson(response, { ...success, data: success.data.toReversed() }, 200, {
      'X-Request-Id': 'r-1',
      'X-Powered-By': 'tests',
      'RateLimit-Reset': '5',
      'X-RateLimit-Remaining': '9',
    }),
  );
  const answer = expectKind(await (await connect(t, base)).insertGroups(request), 'accepted');
  assert.deepEqual(answer.results, success.data.toReversed());
  assert.equal(answer.hash, success.hash);
  assert.equal(answer.responseTime, success.response_time);
  assert.equal(answer.response.httpStatus, 200);
  assert.deepEqual(JSON.parse(answer.response.body), { ...success, data: success.data.toReversed() });
  assert.equal(answer.response.bodyCut, false);
  assert.equal(answer.response.headers['x-request-id'], 'r-1');
  assert.equal(answer.response.headers['ratelimit-reset'], '5');
  assert.equal(answer.response.headers['x-ratelimit-remaining'], '9');
  assert.equal(answer.response.headers['content-type'], 'application/json');
  assert.match(answer.response.headers['date'] ?? '', /GMT$/);
  assert.equal(answer.response.headers['x-powered-by'], undefined, 'what does not help is not kept');
});

test('fields nobody has documented are kept, and a byte order mark and status 201 do no harm', async (t) => {
  const data = success.data.map((item) => ({ ...item, note: 'new' }));
  const { base } = await listenHttp(t, (response) =>
    response.writeHead(201).end(`\uFEFF${JSON.stringify({ ...success, data, extra: 1 })}`),
  );
  const answer = expectKind(await (await connect(t, base)).insertGroups(request), 'accepted');
  assert.deepEqual(answer.results, data);
});

const cutShort = JSON.stringify(success).slice(0, -20);
const strange: Record<string, (response: ServerResponse) => void> = {
  'a status other than success': (response) => sendJson(response, { ...success, status: 'queued' }),
  'a status of another case': (response) => sendJson(response, { ...success, status: 'Success' }),
  'no status': (response) => sendJson(response, { ...success, status: undefined }),
  'no hash': (response) => sendJson(response, { ...success, hash: undefined }),
  'results that are no list': (response) => sendJson(response, { ...success, data: {} }),
  'a result without inserts': (response) =>
    sendJson(response, { ...success, data: [{ group: 'Finance', status: 'success', warnings: 0 }] }),
  'counts as text': (response) => sendJson(response, { ...success, data: [{ ...success.data[0], inserts: '1' }] }),
  'an error with status 200': (response) => sendJson(response, { error: 'no' }),
  null: (response) => sendJson(response, null),
  HTML: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>'),
  'JSON that is cut short, in a complete response': (response) => response.writeHead(200).end(cutShort),
  'JSON that is cut short, up to the close of the connection': (response) => {
    response.shouldKeepAlive = false;
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200).end(cutShort);
  },
  'an empty body': (response) => response.writeHead(200).end(),
  'no content': (response) => response.writeHead(204).end(),
  'bytes that are no text': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from([0x1f, 0x8b, 0, 255])),
  'a status of the 600s': (response) => sendJson(response, success, 799),
};
for (const [title, send] of Object.entries(strange)) {
  test(`${title}: unrecognised, and the raw answer is kept`, async (t) => {
    const { base, arrivals } = await listenHttp(t, (response) => send(response));
    const answer = expectKind(await (await connect(t, base)).insertGroups(request), 'unrecognised');
    assert.match(answer.reason, /^HTTP \d{3} from 127\.0\.0\.1:\d+, (but|which)/);
    assert.equal(typeof answer.response.body, 'string');
    assert.equal(arrivals.length, 1, 'nothing is repeated');
  });
}

for (const [status, kind] of [
  [400, 'rejected'],
  [404, 'rejected'],
  [405, 'rejected'],
  [409, 'rejected'],
  [422, 'rejected'],
  [300, 'rejected'],
  [304, 'rejected'],
  [500, 'broken'],
  [501, 'broken'],
  [502, 'may-have-happened'],
  [504, 'may-have-happened'],
  [505, 'broken'],
  [520, 'may-have-happened'],
  [524, 'may-have-happened'],
  [429, 'throttled'],
  [503, 'throttled'],
  [401, 'refused'],
  [403, 'refused'],
] as const) {
  test(`HTTP ${status} is ${kind}, even with the body of a success`, async (t) => {
    const { base, arrivals } = await listenHttp(t, (response) => sendJson(response, success, status));
    const answer = expectKind(await (await connect(t, base)).insertGroups(request), kind);
    assert.equal(answer.response?.httpStatus, status);
    assert.equal(answer.response.body, status === 304 ? '' : JSON.stringify(success));
    assert.match(answer.reason, new RegExp(`127\\.0\\.0\\.1.*${status}|${status}.*127\\.0\\.0\\.1`));
    assert.equal(arrivals.length, 1, 'nothing is repeated');
  });
}

test('redirects are not followed, and the reason says where to', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response) =>
    response.writeHead(307, { location: '/elsewhere' }).end(),
  );
  const answer = expectKind(await (await connect(t, base)).insertGroups(request), 'rejected');
  assert.match(answer.reason, /HTTP 307 .* redirecting to \/elsewhere/);
  assert.equal(arrivals.length, 1);
});

const inSixSeconds = 'Sun, 01 Mar 2026 12:00:10 GMT';
for (const [title, headers, waitMs] of [
  ['in seconds', { 'retry-after': '7' }, 7_000],
  [
    'as a date, by the clock of the service',
    { 'retry-after': inSixSeconds, date: 'Sun, 01 Mar 2026 12:00:04 GMT' },
    6_000,
  ],
  ['negative, so not at all', { 'retry-after': '-7' }, undefined],
  ['as garbage, so not at all', { 'retry-after': 'later' }, undefined],
  ['not at all', {}, undefined],
] as const) {
  test(`a wait named ${title} is passed on as it is meant`, async (t) => {
    const { base } = await listenHttp(t, (response) => sendJson(response, {}, 429, headers));
    const client = await connect(t, base, { now: () => Date.UTC(1999, 0) });
    assert.equal(expectKind(await client.insertGroups(request), 'throttled').waitMs, waitMs);
  });
}

test('where the service sends no date, the date of the wait is judged by our clock', async (t) => {
  const { base } = await listenHttp(t, (response) => {
    response.sendDate = false;
    response.writeHead(503, { 'retry-after': inSixSeconds }).end();
  });
  const client = await connect(t, base, { now: () => Date.UTC(2026, 2, 1, 12, 0, 1) });
  assert.equal(expectKind(await client.insertGroups(request), 'throttled').waitMs, 9_000);
});

test('of several waits the longest counts', async (t) => {
  const { base } = await listenHttp(t, (response) =>
    response.setHeader('retry-after', ['3', 'x', '20', '5']).writeHead(503).end(),
  );
  assert.equal(expectKind(await (await connect(t, base)).insertGroups(request), 'throttled').waitMs, 20_000);
});

test('after a 401 the token file is read again, and the next call uses what it holds', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'roster-sync-token-'));
  t.after(() => rm(folder, { recursive: true }));
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, 'b2xkOm9sZHBhc3M=');
  const { base } = await listenHttp(t, (response, { headers }) =>
    headers.authorization === 'Basic bmV3Om5ld3Bhc3M=' ? sendJson(response, success) : sendJson(response, headers, 401),
  );
  const client = await connect(t, base, { credentials: await readCredentials({ tokenFile }) });
  const first = expectKind(await client.insertGroups(request), 'refused');
  assert.equal(first.renewed, false);
  assert.match(first.reason, /service\.tokenFile/);
  await writeFile(tokenFile, 'bmV3Om5ld3Bhc3M=\n');
  const two = await Promise.all([client.insertGroups(request), client.insertGroups(request)]);
  assert.deepEqual(
    two.map((answer) => expectKind(answer, 'refused').renewed),
    [true, true],
  );
  expectKind(await client.insertGroups(request), 'accepted');
});

test('a 403 reads no token again', async (t) => {
  const { base } = await listenHttp(t, (response) => sendJson(response, {}, 403));
  const credentials = {
    ...(await readCredentials({ tokenFile: await file(t) })),
    renew: () => Promise.reject(new Error('read')),
  };
  assert.equal(
    expectKind(await (await connect(t, base, { credentials })).insertGroups(request), 'refused').renewed,
    false,
  );
});

async function file(t: { after: (done: () => Promise<void>) => void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'roster-sync-token-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'token'), token);
  return join(folder, 'token');
}

test('the first 64 KiB of a body are kept, in whole characters', async (t) => {
  const { base } = await listenHttp(t, (response) => response.writeHead(500).end(`x${'é'.repeat(50_000)}`));
  const { response } = expectKind(await (await connect(t, base)).insertGroups(request), 'broken');
  assert.equal(response.body, `x${'é'.repeat(32_767)}`);
  assert.equal(response.bodyCut, true);
});

test('a long answer is parsed whole, although not all of it is kept', async (t) => {
  const data = Array.from({ length: 2_000 }, (_, at) => ({
    group: `Group ${at}`,
    status: 'success',
    inserts: 1,
    warnings: 0,
  }));
  const { base } = await listenHttp(t, (response) => sendJson(response, { ...success, data }));
  const answer = expectKind(await (await connect(t, base)).insertGroups(request), 'accepted');
  assert.equal(answer.results.length, 2_000);
  assert.equal(answer.response.bodyCut, true);
});

for (const [status, kind] of [
  [200, 'unrecognised'],
  [500, 'broken'],
  [404, 'rejected'],
] as const) {
  test(`a body over the cap is not read on: HTTP ${status} is ${kind}`, async (t) => {
    const { base } = await listenHttp(t, (response) => {
      response.writeHead(status);
      const more = (): boolean => response.destroyed || (response.write(Buffer.alloc(65_536, 'x')) && more());
      response.on('drain', more);
      more();
    });
    const client = await connect(t, base, { maxResponseBytes: 200_000 });
    const answer = expectKind(await client.insertGroups(request), kind);
    assert.equal(answer.response.body, 'x'.repeat(65_536));
    assert.equal(answer.response.bodyCut, true);
    if (status === 200) assert.match(answer.reason, /longer than 200000 bytes/);
  });
}

test('the answer to a probe has no results, and a body of another shape is unrecognised there too', async (t) => {
  const { base } = await listenHttp(t, (response, _, count) =>
    sendJson(response, { ...success, data: count === 1 ? [] : success.data }),
  );
  const client = await connect(t, base);
  assert.deepEqual(expectKind(await client.probe(), 'accepted').results, []);
  expectKind(await client.probe(), 'unrecognised');
});

test('what the service echoes of the token is masked everywhere, whatever the answer', async (t) => {
  const echoes = [200, 201, 302, 400, 401, 403, 418, 429, 500, 503];
  const { base } = await listenHttp(t, (response, { headers }, count) => {
    const echo = `${headers.authorization} sync:${password} ${encodeURIComponent(`sync:${password}`)} ${password}`;
    const inHeader = Buffer.from(echo).toString('latin1');
    const status = echoes[count - 1] ?? 200;
    const body =
      count === 1
        ? { ...success, status: echo }
        : { ...success, data: [{ ...success.data[0], group: echo, by: [{ [echo]: echo }] }] };
    sendJson(response, body, status, { 'x-request-id': inHeader, location: inHeader, server: inHeader });
  });
  const client = await connect(t, base);
  for (const status of echoes) {
    const answer = await client.insertGroups(request);
    assert.ok('response' in answer && answer.response?.httpStatus === status);
    assert.equal(answer.kind === 'accepted', status === 201);
    const shown = JSON.stringify(answer);
    assert.match(shown, /\*\*\*/);
    for (const secret of [token, password, 'ss+w', 'ss%2Bw', 'o<r>d', 'c3lu'])
      assert.ok(!shown.includes(secret), `${status}: ${secret} in ${shown}`);
  }
});

test('a group of the request keeps its name although it looks like the password', async (t) => {
  const { base } = await listenHttp(t, (response) =>
    sendJson(response, { ...success, data: [{ ...success.data[0], group: 'Finance' }] }),
  );
  const { Secret } = await import('../../src/core/secrets/secret.ts');
  const credentials = await readCredentials({ username: 'sync', password: new Secret('Finance') });
  const answer = expectKind(await (await connect(t, base, { credentials })).insertGroups(request), 'accepted');
  assert.equal(answer.results[0]?.group, 'Finance');
  assert.ok(!answer.response.body.includes('Finance'));
});
