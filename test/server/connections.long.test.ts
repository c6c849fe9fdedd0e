import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { csvOf } from '../support/cli.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { connectRaw, problemIn, type RawConnection } from './raw-requests.ts';

/** More than the server keeps. */
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

  /** Opens connections one after the other, each with the beginning of a request, and asks for health all the while. */
  async function flood(beginning: string): Promise<{ slow: RawConnection[]; health: number[] }> {
    const slow: RawConnection[] = [];
    const health: number[] = [];
    for (let at = 0; at < many; at += 1) {
      const connection = connectRaw(server.url);
      connection.socket.write(beginning);
      slow.push(connection);
      if (at % 20 === 0) health.push((await server.ask('/healthz')).status, (await server.ask('/readyz')).status);
    }
    health.push((await server.ask('/healthz')).status, (await server.ask('/readyz')).status);
    return { slow, health };
  }
  const isWell = (health: readonly number[]): boolean =>
    health.length === 54 && health.every((status) => status === 200);

  test(
    'uploads without a token are answered and closed, however slowly they are sent',
    { timeout: 120_000 },
    async () => {
      const { slow, health } = await flood(head('/api/v1/runs/upload?source=staff'));
      assert.ok(isWell(health), String(health));
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

  for (const [what, beginning] of [
    ['half of a request', 'GET /healthz HTTP/1.1\r\n'],
    ['nothing', ''],
    ['the beginning of an event', head('/hooks/staff')],
  ] as const) {
    test(
      `who sends ${what} keeps nobody out, nor breaks off an upload with a token`,
      { timeout: 120_000 },
      async () => {
        const body = csvOf(3);
        const upload = connectRaw(server.url);
        upload.socket.write(
          'POST /api/v1/runs/upload?source=staff HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n' +
            `Authorization: Bearer ${token}\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
        );
        await upload.until(/100 Continue/);
        upload.socket.write(body.slice(0, 10));
        const { slow, health } = await flood(beginning);
        assert.ok(isWell(health), String(health));
        assert.equal((await server.ask('/api/v1/runs', { token })).status, 200);
        upload.socket.write(body.slice(10));
        await upload.until(/HTTP\/1\.1 20[01] [\s\S]*"status":/);
        const [oldest] = slow;
        await oldest?.closed;
        const { status, type, problem } = problemIn(oldest?.received() ?? '');
        assert.deepEqual([status, type, problem['code']], [503, 'application/problem+json', 'CROWDED']);
        for (const { socket } of [upload, ...slow]) socket.destroy();
      },
    );
  }
});
