import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, expectKind, listenHttp, request, sendJson, success, token } from './local-server.ts';

test('the body is exactly the fields of the interface, whatever else the caller holds', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response) => sendJson(response, success));
  const client = await connect(t, base);
  const user = { ...request.user, telephone: '+46 8 555 0101', employeeId: '7', line: 12 };
  const wide = { ...request, user, invite: false, forceSync: true, run: '7f3a' };
  await client.insertGroups(wide);
  await client.insertGroups(request);
  assert.deepEqual(
    arrivals.map(({ body }) => JSON.parse(body) as unknown),
    [
      {
        groups: ['New starters', 'Finance'],
        user: { ...request.user, telephone: '+46 8 555 0101' },
        invite: false,
        forceSync: true,
      },
      request,
    ],
  );
});

test('a call is a POST of JSON in UTF-8 with the Basic token and our name', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response) => sendJson(response, success));
  await (await connect(t, base)).insertGroups(request);
  const [arrival] = arrivals;
  assert.equal(arrival?.method, 'POST');
  assert.equal(arrival?.path, '/v1/groups/insert');
  const { authorization, 'content-type': type, 'user-agent': agent, 'content-length': length } = arrival?.headers ?? {};
  assert.deepEqual(
    { authorization, type, agent, length },
    {
      authorization: `Basic ${token}`,
      type: 'application/json',
      agent: 'roster-sync/0.0.0-test',
      length: String(Buffer.byteLength(arrival?.body ?? '')),
    },
  );
});

for (const [base, prefix] of [
  ['', ''],
  ['/', ''],
  ['/api/x', '/api/x'],
  ['/api/x/', '/api/x'],
] as const) {
  test(`below a base URL that ends in ${JSON.stringify(base)} the paths are ${prefix}/v1/…`, async (t) => {
    const server = await listenHttp(t, (response) => sendJson(response, success));
    const client = await connect(t, `${server.base}${base}`);
    assert.equal(client.address, `${server.base}${prefix}`);
    await client.insertGroups(request);
    await client.probe();
    assert.deepEqual(
      server.arrivals.map(({ path }) => path),
      [`${prefix}/v1/groups/insert`, `${prefix}/v1/logs/story-question-analysis`],
    );
  });
}

test('a probe asks for one story and sends no person', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response) => sendJson(response, { ...success, data: [] }));
  await (await connect(t, base)).probe();
  const body = JSON.parse(arrivals[0]?.body ?? '') as Record<string, unknown>;
  assert.deepEqual(Object.keys(body), ['story']);
  assert.match(String(body['story']), /00000000-0000-0000-0000-000000000000/);
});

test('a call without groups is never made', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response) => sendJson(response, success));
  const client = await connect(t, base);
  await assert.rejects(client.insertGroups({ ...request, groups: [] }), RangeError);
  assert.equal(arrivals.length, 0);
});

test('no more calls are under way than the concurrency, each connection carries one at a time and is used again', async (t) => {
  let open = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const { base } = await listenHttp(t, (response) => {
    most = Math.max(most, (open += 1));
    waiting.push(() => {
      open -= 1;
      sendJson(response, success);
    });
    if (waiting.length === 3) for (const answer of waiting.splice(0)) answer();
  });
  const client = await connect(t, base, { concurrency: 3 });
  const answers = await Promise.all(Array.from({ length: 12 }, () => client.insertGroups(request)));
  for (const answer of answers) expectKind(answer, 'accepted');
  assert.equal(most, 3);
});

test('closing waits for the calls in flight, and later ones are not sent', async (t) => {
  const arrived = Promise.withResolvers<() => void>();
  const { base, arrivals } = await listenHttp(t, (response) => arrived.resolve(() => sendJson(response, success)));
  const client = await connect(t, base);
  const call = client.insertGroups(request);
  const answerNow = await arrived.promise;
  const closed = client.close();
  const late = expectKind(await client.insertGroups(request), 'not-sent');
  assert.match(late.reason, /closed/);
  answerNow();
  expectKind(await call, 'accepted');
  await closed;
  assert.equal(arrivals.length, 1);
});
