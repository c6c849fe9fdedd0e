import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, suite, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { createLogger } from '../../src/process/logger.ts';
import { sendBytes } from '../../src/server/api/mount.ts';
import { createBareApp } from '../../src/server/app.ts';
import { connectRaw } from './raw-requests.ts';

/** The longest that a client may take nothing, ms. */
const stallMs = 500;

suite('a download', () => {
  let app: FastifyInstance;
  let url: string;
  let isLeft = Promise.withResolvers<void>();
  before(async () => {
    app = createBareApp(createLogger({ stream: { write: () => {} } }), { connectionTimeout: stallMs });
    /** Far more than the buffers of a connection hold. */
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield 'x'.repeat(1024 * 1024);
      } finally {
        isLeft.resolve();
      }
    }
    async function* slow(): AsyncGenerator<string> {
      for (const part of ['one', 'two']) {
        yield part.padEnd(64 * 1024, '.');
        await pause(3 * stallMs);
      }
    }
    const file = { name: 'people.csv', type: 'text/csv' };
    app.get('/endless', async (request, reply) => sendBytes(request, reply, { ...file, parts: endless() }));
    app.get('/slow', async (request, reply) => sendBytes(request, reply, { ...file, parts: slow() }));
    url = await app.listen({ host: '127.0.0.1', port: 0 });
  });
  after(() => app.close());

  test('whose client takes nothing ends, and what makes it is left', { timeout: 20_000 }, async () => {
    isLeft = Promise.withResolvers<void>();
    const { socket, until, closed } = connectRaw(url);
    socket.write('GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(/x/);
    socket.pause();
    await isLeft.promise;
    socket.resume();
    await closed;
  });

  test('whose pieces take long to be made goes on', async () => {
    const answer = await fetch(`${url}/slow`);
    assert.equal((await answer.text()).length, 2 * 64 * 1024);
  });
});
