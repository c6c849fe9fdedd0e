import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { suite, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { createLogger } from '../../src/process/logger.ts';
import { createBareApp } from '../../src/server/app.ts';
import { registerHealth } from '../../src/server/readiness.ts';

function createApp(parts: { notReady: () => Promise<string[]> }): FastifyInstance {
  const app = createBareApp(createLogger({ stream: { write: () => {} } }));
  registerHealth(app, parts);
  return app;
}

suite('the HTTP face', () => {
  test('is alive whatever else does not work', async () => {
    const app = createApp({ notReady: () => Promise.resolve(['the ledger does not answer']) });
    assert.equal((await app.inject('/healthz')).statusCode, 200);
    await app.close();
  });

  test('is ready once ledger and queue answer, and says what does not', async () => {
    let problems = ['the queue does not answer'];
    const app = createApp({ notReady: () => Promise.resolve(problems) });
    const before = await app.inject('/readyz');
    assert.equal(before.statusCode, 503);
    assert.deepEqual(before.json(), { status: 'not ready', problems });
    problems = [];
    const after = await app.inject('/readyz');
    assert.equal(after.statusCode, 200);
    assert.deepEqual(after.json(), { status: 'ready', problems });
    await app.close();
  });

  test('logs each request, also one whose client hung up before the answer', async () => {
    const lines: { status: number; route: string; msg: string }[] = [];
    const { promise: logged, resolve: done } = Promise.withResolvers<void>();
    const write = (line: string) => {
      lines.push(JSON.parse(line));
      if (lines.length === 2) done();
    };
    const app = createBareApp(createLogger({ stream: { write } }));
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
    app.get('/short', () => 'short');
    app.get('/long', () => (isAsked(), new Promise(() => {})));
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    await (await fetch(`http://127.0.0.1:${port}/short`)).text();
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /long HTTP/1.1\r\nHost: here\r\n\r\n');
    await asked;
    socket.destroy();
    await logged;
    assert.deepEqual(
      lines.map(({ status, route, msg }) => [status, route, msg]),
      [
        [200, '/short', 'answered'],
        [499, '/long', 'the client hung up'],
      ],
    );
    await app.close();
  });

  test('ends at once, whoever is still in the middle of a request', { timeout: 5000 }, async () => {
    const app = createApp({ notReady: () => Promise.resolve([]) });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    const [peer] = (await once(app.server, 'connection')) as [Socket];
    socket.write('GET /healthz HTTP/1.1\r\nHost: here\r\n');
    while (peer.bytesRead === 0) await new Promise(setImmediate);
    await Promise.all([app.close(), once(socket, 'close')]);
  });
});
