import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';

const program = join(import.meta.dirname, '../../bin/healthy.cjs');

test('the health check of containers succeeds while the address answers well', async (t) => {
  let status = 200;
  const server = createServer((_, response) => response.writeHead(status).end('{}')).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function check(asked: number): Promise<number | null> {
    const child = execFile(process.execPath, [program, `http://127.0.0.1:${asked}/readyz`]);
    const [code] = (await once(child, 'close')) as [number | null];
    return code;
  }
  assert.equal(await check(port), 0);
  status = 503;
  assert.equal(await check(port), 1);
  assert.equal(await check(1), 1);
});
