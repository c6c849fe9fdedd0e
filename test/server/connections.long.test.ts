import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { csvOf } from '../support/cli.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { connectRaw, problemIn, type RawConnection } from './raw-requests.ts';

/** More than the server accepts. */
const many = 520;

suite('room for connections', () => {
  let server: ApiServer;
  let token: string;
  before(async () => {
    server = await startApiServer();
    token = await server.token('nightly-ci', ['read', 'run', 'approve']);
  });
  after(() => server.close());

  const head = (path: string, credentials = ''): string =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${credentials}Content-Length: 100000\r\n\r\n`;

  /** Opens connections one after the other, each with the beginning of a request. */
  function open(howMany: number, beginning: string): RawConnection[] {
    return Array.from({ length: howMany }, () => {
      const connection = connectRaw(server.url);
      connection.socket.write(beginning);
      return connection;
    });
  }

  test(
    'uploads without a token are answered and closed, however slowly they are sent, and keep nobody out',
    { timeout: 120_000 },
    async () => {
      const slow = open(400, head('/api/v1/runs/upload?source=staff'));
      for (const path of ['/healthz', '/readyz']) assert.equal((await server.ask(path)).status, 200);
      // They go on, a byte at a time, until they are closed: by the server, since they never end by themselves.
      const dripping = setInterval(() => {
        for (const { socket } of slow) if (socket.writable) socket.write('a');
      }, 100);
      await Promise.all(slow.map(({ closed }) => closed));
      clearInterval(dripping);
      const statuses = slow.map(({ received }) => problemIn(received()).status);
      assert.deepEqual(new Set(statuses), new Set([401, 429]));
    },
  );

  for (const [what, beginning, answer] of [
    ['half of a request', 'GET /healthz HTTP/1.1\r\n', /^(?:$|HTTP\/1\.1 408 )/],
    ['nothing', '', /^(?:$|HTTP\/1\.1 408 )/],
    ['the beginning of an event', head('/hooks/staff'), /^(?:$|HTTP\/1\.1 (?:408|404) )/],
  ] as const) {
    test(`who sends ${what} is cut off soon, and breaks off no upload with a token`, { timeout: 120_000 }, async () => {
      const body = csvOf(3);
      const upload = connectRaw(server.url);
      upload.socket.write(
        'POST /api/v1/runs/upload?source=staff HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n' +
          `Authorization: Bearer ${token}\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      await upload.until(/100 Continue/);
      upload.socket.write(body.slice(0, 10));
      const slow = open(many, beginning);
      await Promise.all(slow.map(({ closed }) => closed));
      for (const { received } of slow) assert.match(received(), answer);
      assert.ok(
        slow.some(({ received }) => received() !== ''),
        'the first ones are told why',
      );
      assert.ok(
        slow.some(({ received }) => received() === ''),
        'more than the limit are closed as they come',
      );
      for (const path of ['/healthz', '/readyz']) assert.equal((await server.ask(path)).status, 200);
      upload.socket.write(body.slice(10));
      await upload.until(/HTTP\/1\.1 20[01] [\s\S]*"status":/);
      upload.socket.destroy();
    });
  }
});
