import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { suite, test } from 'node:test';
import { cannotListen } from '../../src/core/host/this-machine.ts';
import { envOf, openPlace } from '../support/cli.ts';
import { openSandbox } from '../support/sandbox.ts';

suite('serve and sandbox, where nobody can listen', () => {
  test('name host and port, why, and the next step, with exit 2 and no stack', async (t) => {
    const taken = createServer().listen(0, '127.0.0.1');
    t.after(() => taken.close());
    await once(taken, 'listening');
    const port = String((taken.address() as AddressInfo).port);
    const place = await openPlace(envOf(await openSandbox(t)), { here: true });
    const served = await place.run('serve', '--port', port);
    assert.equal(served.code, 2);
    assert.match(served.stderr, new RegExp(`^serve cannot listen on 127.0.0.1, port ${port}: .*--port.*\n$`));
    const sandbox = await place.run('sandbox', '--port', port);
    assert.equal(sandbox.code, 2);
    assert.match(sandbox.stderr, new RegExp(`^the sandbox cannot listen on 127.0.0.1, port ${port}: .*--port.*\n$`));
    const elsewhere = await place.run('serve', '--host', '192.0.2.1', '--port', '0');
    assert.equal(elsewhere.code, 2);
    assert.match(elsewhere.stderr, /^serve cannot listen on 192\.0\.2\.1, port 0: this machine does not have .*\n$/);
  });

  test('serve does not stay without a worker where no other process can deliver', async (t) => {
    const place = await openPlace(envOf(await openSandbox(t)), { here: true });
    const { code, stderr } = await place.run('serve', '--port', '0', '--no-worker');
    assert.equal(code, 2);
    assert.match(stderr, /there are no other workers: leave out --no-worker/);
  });

  test('say that a low port needs root', () => {
    const error = cannotListen('serve', { host: '::', port: 80 }, Object.assign(new Error('no'), { code: 'EACCES' }));
    assert.equal(error.exitCode, 2);
    assert.match(error.message, /may not.*root.*choose a higher port/);
  });
});
