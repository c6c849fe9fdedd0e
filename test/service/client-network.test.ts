import assert from 'node:assert/strict';
import { createServer as createTlsServer } from 'node:tls';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import {
  connect,
  expectKind,
  listen,
  listenHttp,
  listenRaw,
  password,
  request,
  sendJson,
  success,
  token,
} from './local-server.ts';

const wellFormed = JSON.stringify(success);
const head = (status: string, length: number, more = ''): string =>
  `HTTP/1.1 ${status}\r\nContent-Length: ${length}\r\n${more}\r\n`;

/** Calls `done` when the whole of one request has come in on the socket. */
function onRequest(socket: Socket, done: (text: string) => void): void {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    const [headers = '', body] = text.split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(headers)?.[1]);
    if (body === undefined || body.length < length) return;
    const whole = text;
    text = '';
    done(whole);
  });
}

// Nothing was sent

test('a port where nobody listens: not sent, and the reason says so', async (t) => {
  const server = createServer();
  const port = await listen(t, server);
  const closed = Promise.withResolvers<void>();
  server.close(() => closed.resolve());
  await closed.promise;
  const answer = expectKind(await (await connect(t, `http://127.0.0.1:${port}`)).insertGroups(request), 'not-sent');
  assert.match(answer.reason, new RegExp(`nothing was sent to 127\\.0\\.0\\.1:${port}: .*ECONNREFUSED`));
  assert.equal(answer.nobodyThere, true);
});

test('all addresses of a host refuse: not sent, naming them', async (t) => {
  const server = createServer();
  const port = await listen(t, server);
  server.close();
  const answer = expectKind(await (await connect(t, `http://localhost:${port}`)).insertGroups(request), 'not-sent');
  assert.match(answer.reason, /ECONNREFUSED 127\.0\.0\.1/);
});

test('a host that does not exist: not sent', async (t) => {
  const client = await connect(t, 'https://service.invalid');
  const answer = expectKind(await client.insertGroups(request), 'not-sent');
  assert.match(answer.reason, /ENOTFOUND|EAI_AGAIN/);
});

test('https towards a server that speaks plain http: not sent', async (t) => {
  const { port, arrivals } = await listenHttp(t, (response) => sendJson(response, success));
  expectKind(await (await connect(t, `https://127.0.0.1:${port}`)).insertGroups(request), 'not-sent');
  assert.equal(arrivals.length, 0);
});

test('a TLS handshake that fails: not sent', async (t) => {
  const port = await listen(t, createTlsServer({}));
  const answer = expectKind(await (await connect(t, `https://127.0.0.1:${port}`)).insertGroups(request), 'not-sent');
  assert.match(answer.reason, /ssl|tls|alert/i);
  assert.equal(answer.nobodyThere, true);
});

test('a connection that is reset during the handshake: not sent', async (t) => {
  const base = await listenRaw(t, (socket) => socket.once('data', () => socket.resetAndDestroy()));
  const answer = expectKind(await (await connect(t, base.replace('http', 'https'))).insertGroups(request), 'not-sent');
  assert.equal(answer.nobodyThere, undefined, 'somebody is there, and is in trouble');
});

test('a handshake that never ends is given up at the deadline: not sent', async (t) => {
  const base = await listenRaw(t, (socket) => socket.resume());
  const client = await connect(t, base.replace('http', 'https'), { timeoutMs: 300 });
  const answer = expectKind(await client.insertGroups(request), 'not-sent');
  assert.match(answer.reason, /no answer within 0\.3 s|timeout/i);
  assert.equal(answer.nobodyThere, undefined);
});

test('a deadline that passes while waiting for a free connection: not sent, and never sent later', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response, arrival) => {
    if (arrival.body.includes('last@')) sendJson(response, success);
  });
  const client = await connect(t, base, { concurrency: 1, timeoutMs: 300 });
  const call = (email: string) => client.insertGroups({ ...request, user: { ...request.user, email } });
  const emails = Array.from({ length: 9 }, (_, at) => `person-${at}@example.com`);
  const answers = await Promise.all(emails.map(call));
  assert.equal(answers[0]?.kind, 'may-have-happened');
  // On a busy machine one that waits may just get the connection that another gives up: never all of them.
  const notSent = emails.filter((_, at) => answers[at]?.kind === 'not-sent');
  assert.ok(notSent.length > 0, JSON.stringify(answers));
  expectKind(await call('last@example.com'), 'accepted');
  for (const email of notSent) assert.ok(!arrivals.some(({ body }) => body.includes(email)));
});

test('a call that was stopped before it began: not sent', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response) => sendJson(response, success));
  const client = await connect(t, base);
  const answer = expectKind(await client.insertGroups(request, { signal: AbortSignal.abort() }), 'not-sent');
  assert.match(answer.reason, /stopped/);
  expectKind(await client.insertGroups(request, { signal: new AbortController().signal }), 'accepted');
  assert.equal(arrivals.length, 1);
});

test('a kept connection that the service has closed meanwhile is noticed, and another is made', async (t) => {
  const gone: Promise<void>[] = [];
  const base = await listenRaw(t, (socket) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gone.push(promise);
    socket.on('close', () => resolve());
    onRequest(socket, () =>
      socket.end(head('200 OK', Buffer.byteLength(wellFormed), 'Connection: keep-alive\r\n') + wellFormed),
    );
  });
  const client = await connect(t, base);
  for (let call = 0; call < 3; call += 1) {
    expectKind(await client.insertGroups(request), 'accepted');
    await gone[call];
  }
  assert.equal(gone.length, 3);
});

// It may have happened

test('a reset after the request was read: may have happened', async (t) => {
  const base = await listenRaw(t, (socket) => onRequest(socket, () => socket.resetAndDestroy()));
  const answer = expectKind(await (await connect(t, base)).insertGroups(request), 'may-have-happened');
  assert.match(answer.reason, /no answer from 127\.0\.0\.1:\d+: .*(ECONNRESET|UND_ERR_SOCKET)/);
  assert.equal(answer.response, undefined);
});

test('a reset at the first byte of the request: may have happened, because nobody can tell', async (t) => {
  const base = await listenRaw(t, (socket) => socket.once('data', () => socket.resetAndDestroy()));
  expectKind(await (await connect(t, base)).insertGroups(request), 'may-have-happened');
});

test('a connection that is closed without an answer: may have happened, once', async (t) => {
  let requests = 0;
  const base = await listenRaw(t, (socket) =>
    onRequest(socket, () => {
      requests += 1;
      socket.end();
    }),
  );
  expectKind(await (await connect(t, base)).insertGroups(request), 'may-have-happened');
  assert.equal(requests, 1, 'nothing is repeated');
});

test('a kept connection that is closed when the next request comes: may have happened', async (t) => {
  let requests = 0;
  const base = await listenRaw(t, (socket) =>
    onRequest(socket, () => {
      requests += 1;
      if (requests === 2) socket.destroy();
      else socket.write(head('200 OK', Buffer.byteLength(wellFormed)) + wellFormed);
    }),
  );
  const client = await connect(t, base);
  expectKind(await client.insertGroups(request), 'accepted');
  expectKind(await client.insertGroups(request), 'may-have-happened');
  expectKind(await client.insertGroups(request), 'accepted');
  assert.equal(requests, 3);
});

test('a deadline without an answer: may have happened, and the connection is given up', async (t) => {
  const closed = Promise.withResolvers<void>();
  const base = await listenRaw(t, (socket) => socket.resume().on('close', () => closed.resolve()));
  const answer = expectKind(
    await (await connect(t, base, { timeoutMs: 200 })).insertGroups(request),
    'may-have-happened',
  );
  assert.match(answer.reason, /no answer within 0\.2 s/);
  await closed.promise;
});

test('a slow trickle does not outlive the deadline: may have happened, with what came', async (t) => {
  const base = await listenRaw(t, (socket) =>
    onRequest(socket, () => {
      socket.write(head('200 OK', Buffer.byteLength(wellFormed)));
      const bytes = Buffer.from(wellFormed);
      let sent = 0;
      const drip = setInterval(() => socket.write(bytes.subarray(sent, (sent += 1))), 20);
      socket.on('close', () => clearInterval(drip));
    }),
  );
  const answer = expectKind(
    await (await connect(t, base, { timeoutMs: 400 })).insertGroups(request),
    'may-have-happened',
  );
  const came = answer.response?.body ?? '';
  assert.ok(came.length > 0 && wellFormed.startsWith(came), came);
  assert.equal(answer.response?.bodyCut, true);
});

test('a trickle of headers does not outlive the deadline either', async (t) => {
  const base = await listenRaw(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Endless: ');
    const drip = setInterval(() => socket.write('x'), 20);
    socket.on('close', () => clearInterval(drip)).resume();
  });
  const answer = expectKind(
    await (await connect(t, base, { timeoutMs: 300 })).insertGroups(request),
    'may-have-happened',
  );
  assert.match(answer.reason, /no answer within 0\.3 s/);
});

for (const [title, end] of [
  ['is reset', (socket: Socket) => socket.resetAndDestroy()],
  ['is closed', (socket: Socket) => socket.end()],
] as const) {
  for (const [form, begin] of [
    ['of known length', `${head('200 OK', 500)}{"sta`],
    ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"sta\r\n'],
  ] as const) {
    test(`a success ${form} breaks off because the connection ${title}: may have happened, with what came`, async (t) => {
      const base = await listenRaw(t, (socket) => {
        // A reset overtakes what was not read yet, so it waits until the client has read.
        const onRead = (): void => void end(socket);
        subscribe('undici:request:bodyChunkReceived', onRead);
        t.after(() => unsubscribe('undici:request:bodyChunkReceived', onRead));
        onRequest(socket, () => socket.write(begin));
      });
      const answer = expectKind(await (await connect(t, base)).insertGroups(request), 'may-have-happened');
      assert.equal(answer.response?.httpStatus, 200);
      assert.equal(answer.response?.body, '{"sta');
      assert.equal(answer.response?.bodyCut, true);
    });
  }
}

for (const [status, kind] of [
  ['401 Unauthorized', 'refused'],
  ['422 Unprocessable', 'rejected'],
  ['500 Oops', 'broken'],
] as const) {
  test(`HTTP ${status} says what happened although its body broke off: ${kind}`, async (t) => {
    const base = await listenRaw(t, (socket) => onRequest(socket, () => socket.end(`${head(status, 500)}{"err`)));
    const answer = expectKind(await (await connect(t, base)).insertGroups(request), kind);
    assert.equal(answer.response.body, '{"err');
    assert.equal(answer.response.bodyCut, true);
  });
}

test('something that is not HTTP: may have happened', async (t) => {
  const base = await listenRaw(t, (socket) => onRequest(socket, () => socket.end('SSH-2.0-OpenSSH_9.2\r\n')));
  expectKind(await (await connect(t, base)).insertGroups(request), 'may-have-happened');
});

test('an informational response is passed over', async (t) => {
  const base = await listenRaw(t, (socket) =>
    onRequest(socket, () =>
      socket.write(
        `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${head('200 OK', Buffer.byteLength(wellFormed))}${wellFormed}`,
      ),
    ),
  );
  expectKind(await (await connect(t, base)).insertGroups(request), 'accepted');
});

test('a call that is stopped in flight: may have happened, and the connection is given up', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const base = await listenRaw(t, (socket) => {
    socket.on('close', () => closed.resolve());
    onRequest(socket, () => arrived.resolve());
  });
  const client = await connect(t, base);
  const stop = new AbortController();
  const call = client.insertGroups(request, { signal: stop.signal });
  await arrived.promise;
  stop.abort();
  assert.match(expectKind(await call, 'may-have-happened').reason, /stopped/);
  await closed.promise;
});

test('an echo of the token that breaks off in its middle leaves none of it', async (t) => {
  const base = await listenRaw(t, (socket) =>
    onRequest(socket, () => socket.end(`${head('200 OK', 500)}{"you sent":"Basic ${token.slice(0, 14)}`)),
  );
  const answer = expectKind(await (await connect(t, base)).insertGroups(request), 'may-have-happened');
  assert.equal(answer.response?.body, '{"you sent":"Basic ***');
  assert.ok(!JSON.stringify(answer).includes(password));
});
