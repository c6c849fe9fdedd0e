import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
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

test('a connection is made ahead: the next call goes on it, and one in flight ends on its own', async (t) => {
  let connections = 0;
  const server = createServer().on('connection', () => (connections += 1));
  const { promise: held, resolve: hold } = Promise.withResolvers<ServerResponse>();
  const answer = (response: ServerResponse, { body }: { body: string }): void => {
    if (body.includes('slow@')) hold(response);
    else sendJson(response, success);
  };
  const { base, arrivals } = await listenHttp(t, answer, server);
  const client = await connect(t, base, { concurrency: 1 });
  const slow = client.insertGroups({ ...request, user: { ...request.user, email: 'slow@example.com' } });
  const response = await held;
  await client.connect();
  assert.equal(arrivals.length, 1);
  expectKind(await client.insertGroups(request, { notAfter: performance.now() + 5000 }), 'accepted');
  assert.equal(connections, 2);
  sendJson(response, success);
  expectKind(await slow, 'accepted');
});

test('where no connection can be made, the next call says why', async (t) => {
  const client = await connect(t, 'http://127.0.0.1:9');
  await client.connect();
  expectKind(await client.insertGroups(request), 'not-sent');
});
