import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const program = join(import.meta.dirname, '../../bin/healthy.cjs');

test('the health check of the image asks the command that runs on its port, and leaves others alone', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-healthy-'));
  let status = 200;
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(status).end('{}');
  }).listen(0, '127.0.0.1');
  t.after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function check(...words: string[]): Promise<number | null> {
    const cmdline = join(folder, 'cmdline');
    writeFileSync(cmdline, ['node', '/app/bin/roster-sync.cjs', ...words, ''].join('\0'));
    const child = execFile(process.execPath, [program, cmdline]);
    const [code] = (await once(child, 'close')) as [number | null];
    return code;
  }
  assert.equal(await check('serve', '--host', '0.0.0.0', '--port', String(port)), 0);
  assert.equal(await check('worker', `--port=${port}`), 0);
  assert.equal(await check('sandbox', '--port', String(port)), 0);
  assert.deepEqual(asked, ['/readyz', '/readyz', '/_sandbox/stats']);
  status = 503;
  assert.equal(await check('serve', '--port', String(port)), 1);
  assert.equal(await check('worker', '--port', '1'), 1);
  assert.equal(await check('worker'), 0);
  assert.equal(await check('import', 'people.csv'), 0);
  assert.equal(await check('import', '--source', 'serve', 'people.csv', '--port', '1'), 0);
  assert.equal(asked.length, 4);
  assert.equal(await check('--config', '/roster-sync.yaml', '--quiet', 'serve', '--port', String(port)), 1);
  assert.equal(asked.length, 5);
});
