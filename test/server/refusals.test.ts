import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createLogger } from '../../src/process/logger.ts';
import { createBareApp } from '../../src/server/app.ts';
import { awaitAnswer, hurry } from '../../src/server/bodies.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { connectRaw, problemIn } from './raw-requests.ts';

const quiet = createLogger({ stream: { write: () => {} } });

suite('every refusal of the server', () => {
  let server: ApiServer;
  let token: string;
  before(async () => {
    server = await startApiServer('server: { uploadLimit: 20kB }\n');
    token = await server.token('nightly-ci', ['read', 'run', 'approve']);
  });
  after(() => server.close());

  /** Writes a request as it is, and gives what came back until the connection was closed. */
  async function send(text: string): Promise<string> {
    const { socket, received, closed } = connectRaw(server.url);
    socket.write(text);
    await closed;
    return received();
  }

  const host = 'Host: localhost\r\n';
  const refusals: [what: string, request: () => string, status: number, code: string][] = [
    [
      'an address that is not well-formed',
      () => `GET /api/v1/runs/%zz HTTP/1.1\r\n${host}\r\n`,
      400,
      'FST_ERR_BAD_URL',
    ],
    [
      'a part of a path that is too long',
      () => `GET /api/v1/runs/${'a'.repeat(500)} HTTP/1.1\r\n${host}\r\n`,
      414,
      'FST_ERR_MAX_PARAM_LENGTH',
    ],
    [
      'headers that are too large',
      () => `GET /healthz HTTP/1.1\r\n${host}a: ${'b'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS',
    ],
    ['an address that is too large', () => `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, 431, 'HEADERS'],
    ['what is no HTTP', () => 'Good day\r\n\r\n', 400, 'NO_HTTP'],
    ['headers that do not come in time', () => 'GET /healthz HTTP/1.1\r\nHost:', 408, 'TOO_SLOW'],
    ['another host', () => 'GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n', 403, 'FOREIGN_HOST'],
    [
      'another origin',
      () => `GET /metrics HTTP/1.1\r\n${host}Origin: https://evil.example\r\n\r\n`,
      403,
      'FOREIGN_HOST',
    ],
    ['another port', () => `GET /metrics HTTP/1.1\r\n${host}Origin: http://localhost:1\r\n\r\n`, 403, 'FOREIGN_HOST'],
    ['nobody’s request', () => `GET /api/v1/runs HTTP/1.1\r\n${host}\r\n`, 401, 'UNAUTHORIZED'],
    ['what is not there', () => `GET /nothing HTTP/1.1\r\n${host}\r\n`, 404, 'NOT_FOUND'],
    [
      'a webhook that is not there',
      () => `POST /hooks/nothing HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
      404,
      'NOT_FOUND',
    ],
    [
      'a body that is announced as too large',
      () =>
        `POST /api/v1/runs HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n`,
      413,
      'FST_ERR_CTP_BODY_TOO_LARGE',
    ],
    [
      'a file that is announced as too large',
      () =>
        `POST /api/v1/runs/upload?source=staff HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\nContent-Length: 99999999\r\n\r\n`,
      413,
      'TOO_LARGE',
    ],
    [
      'a file that turns out to be too large',
      () =>
        `POST /api/v1/runs/upload?source=staff HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n` +
        `fffff\r\n${'a'.repeat(0xfffff)}\r\n`,
      413,
      'TOO_LARGE',
    ],
  ];
  for (const [what, request, status, code] of refusals) {
    test(`is a problem, and closes the connection: ${what}`, { timeout: 120_000 }, async () => {
      const answer = problemIn(await send(request()));
      assert.deepEqual([answer.status, answer.type], [status, 'application/problem+json']);
      assert.deepEqual([answer.problem['status'], answer.problem['code']], [status, code]);
      assert.match(String(answer.problem['instance']), /^[0-9a-f-]{36}$/);
      assert.equal(typeof answer.problem['title'], 'string');
      assert.notEqual(answer.problem['title'], 'Something unexpected happened');
    });
  }

  test('reaches a client that is still sending', { timeout: 120_000 }, async () => {
    const megabytes = Buffer.alloc(8_000_000, 'a');
    for (const good of [undefined, token]) {
      const { status, json } = await server.ask('/api/v1/runs/upload?source=staff', {
        ...{ method: 'POST', body: megabytes, headers: { 'content-type': 'text/csv' } },
        ...(good && { token: good }),
      });
      assert.deepEqual([status, json.code], good ? [413, 'TOO_LARGE'] : [401, 'UNAUTHORIZED']);
    }
  });

  test('leaves the connection to whoever is known and has sent all of it', async () => {
    const { socket, until } = connectRaw(server.url);
    const ask = `GET /api/v1/runs/ffff HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\n\r\n`;
    socket.write(ask);
    await until(/"code":"NOT_FOUND".*\}/);
    socket.write(ask);
    await until(/NOT_FOUND[\s\S]*NOT_FOUND/);
    socket.destroy();
  });
});

test('a body that does not come in time is a problem', async (t) => {
  const app = createBareApp(quiet);
  hurry(app, 50);
  app.post('/here', () => 'never');
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  const { socket, received, closed } = connectRaw(url);
  socket.write(
    'POST /here HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  );
  await closed;
  const { status, type, problem } = problemIn(received());
  assert.deepEqual([status, type, problem['code']], [408, 'application/problem+json', 'TOO_SLOW']);
});

test('a request that comes while the server ends is a problem', async (t) => {
  const app = createBareApp(quiet);
  app.get('/here', () => 'never');
  const ending = new Promise<void>((resolve) => {
    app.addHook('preClose', async () => resolve());
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  const connected = once(app.server, 'connection') as Promise<[Socket]>;
  const { socket, received, closed } = connectRaw(url);
  socket.write('GET /here HTTP/1.1\r\n');
  const [peer] = await connected;
  while (peer.bytesRead === 0) await new Promise(setImmediate);
  const closing = app.close();
  await ending;
  socket.write('Host: localhost\r\n\r\n');
  await Promise.all([closed, closing]);
  const { status, type, problem } = problemIn(received());
  assert.deepEqual([status, type, problem['code']], [503, 'application/problem+json', 'CLOSING']);
});

test('an authenticated client may wait any time for an answer, but not for sending its request', async (t) => {
  const app = createBareApp(quiet, { connectionTimeout: 60_000 });
  const waits: (number | undefined)[] = [];
  app.get('/here', (request) => {
    waits.push(request.raw.socket.timeout);
    awaitAnswer(request);
    waits.push(request.raw.socket.timeout);
    return 'done';
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  const { socket, until } = connectRaw(url);
  const ask = 'GET /here HTTP/1.1\r\nHost: localhost\r\n\r\n';
  socket.write(ask);
  await until(/done/);
  socket.write(ask);
  await until(/done[\s\S]*done/);
  assert.deepEqual(waits, [60_000, 0, 60_000, 0]);
});
