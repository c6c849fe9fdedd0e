import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { connect, expectKind, listenHttp, request, sendJson, success } from './local-server.ts';

test('a request whose connection was made too late is not written, and the connection serves the next one', async (t) => {
  let connections = 0;
  const server = createServer().on('connection', () => (connections += 1));
  const { base, arrivals } = await listenHttp(t, (response) => sendJson(response, success), server);
  const client = await connect(t, base, { concurrency: 1 });
  const late = expectKind(await client.insertGroups(request, { notAfter: performance.now() - 1 }), 'not-sent');
  assert.equal(late.late, true);
  assert.equal(arrivals.length, 0);
  expectKind(await client.insertGroups(request, { notAfter: performance.now() + 5000 }), 'accepted');
  assert.equal(arrivals.length, 1);
  assert.equal(connections, 1);
});

test('a connection that cannot be made is no lateness', async (t) => {
  const client = await connect(t, 'http://127.0.0.1:9');
  const answer = expectKind(await client.insertGroups(request, { notAfter: performance.now() - 1 }), 'not-sent');
  assert.equal(answer.late, undefined);
});
