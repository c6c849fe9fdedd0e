import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'roster-sync-demo-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A folder of its own for what the demo leaves in the folder for temporary files: nothing. */
function temporaryFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

function startDemo(checkout: string, cwd: string, env: Record<string, string | undefined>) {
  const main = join(checkout, 'bin/roster-sync.cjs');
  return spawn(process.execPath, [main, 'demo'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function runDemo(checkout: string, cwd: string, env: Record<string, string | undefined>) {
  const child = startDemo(checkout, cwd, env);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number | null, stdout, stderr };
}

/** Whatever is set for our own commands points here, where nobody may ever call. */
async function openForbidden() {
  let calls = 0;
  const server = createServer((socket) => {
    calls += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { at: `127.0.0.1:${port}`, port: String(port), calls: () => calls, close: () => server.close() };
}

describe('the demo', () => {
  it('does the main job whatever is set around it, calls nobody else, and leaves nothing', async (test) => {
    const forbidden = await openForbidden();
    test.after(forbidden.close);
    const temporary = temporaryFolder('tmp');
    const cwd = temporaryFolder('cwd');
    writeFileSync(join(cwd, 'roster-sync.yaml'), 'delivery: { rate: nonsense }\nunknown: [');
    const { code, stdout, stderr } = await runDemo(root, cwd, {
      ...process.env,
      TMPDIR: temporary,
      ROSTER_SYNC_CONFIG: join(cwd, 'roster-sync.yaml'),
      ROSTER_SYNC_BASE_URL: `http://${forbidden.at}`,
      ROSTER_SYNC_TOKEN: 'not a token',
      ROSTER_SYNC_DATA_DIR: '/dev/null/nowhere',
      ROSTER_SYNC__DELIVERY__RATE: '1/1h',
      ROSTER_SYNC__DELIVERY__INVITE: 'false',
      ROSTER_SYNC__NO_SUCH_SETTING: 'x',
      DATABASE_URL: `postgres://${forbidden.at}/x`,
      REDIS_URL: `redis://${forbidden.at}`,
      HTTP_PROXY: `http://${forbidden.at}`,
      https_proxy: `http://${forbidden.at}`,
      PGHOST: '127.0.0.1',
      PGPORT: forbidden.port,
      PGUSER: 'nobody',
      PGDATABASE: 'none',
      PGOPTIONS: '-c search_path=nowhere',
      PGSSLMODE: 'require',
    });
    assert.equal(code, 0, stdout + stderr);
    assert.equal(forbidden.calls(), 0);
    assert.deepEqual(readdirSync(temporary), []);
    assert.deepEqual(readdirSync(cwd), ['roster-sync.yaml']);

    assert.match(stdout, /^SANDBOX http:\/\/127\.0\.0\.1:\d+ - made-up people; nothing leaves this machine/);
    assert.match(stdout, /^Read {3}207 rows = 201 used \+ 6 rejected -> 200 people \(1 on two rows\)/m);
    assert.match(stdout, /^Plan {3}200 new, .* up to 200 invitations; forceSync off/m);
    assert.match(stdout, /^Done {3}200 succeeded, 0 partial, 0 failed, 0 unknown; 599 inserts, 2 warnings {2,}run /m);
    assert.match(stdout, /^New starters +200 +200 +0 +0$/m);
    assert.match(stdout, /^Sales +41 +39 +2 +0$/m);
    assert.match(stdout, /^Rejects: {2}6 rows -> /m);
    assert.match(stdout, /200 unchanged, nothing sent \(the sandbox counted none\)/);
    assert.match(stdout, /198 invitations \(2 people were already there\), none twice/);
    assert.match(stdout, /^\$ who answered "Fire safety"\? {2}61 of 200 \(31 %\), least: Sales 9 of 41$/m);
    assert.match(stdout, /npx roster-sync import YOUR\.csv --group Test --dry-run\n$/);
    assert.match(stderr, /^Send {3}\[#+\] 200\/200 /m);
  });

  it('takes its temporary folder along when it is interrupted', async () => {
    const temporary = temporaryFolder('tmp3');
    const child = startDemo(root, folder, { ...process.env, TMPDIR: temporary });
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('Plan ')) child.kill('SIGTERM');
    });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    assert.equal(code, 130, stderr);
    assert.match(stderr, /The demo was interrupted; nothing was kept\.\n$/);
    assert.deepEqual(readdirSync(temporary), []);
  });
});
