import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError, StorageError } from '../../../src/core/errors.ts';
import { cannotListen, isLoopback, temporaryFailure } from '../../../src/core/host/this-machine.ts';

const failure = (code: string): Error => Object.assign(new Error(`${code}: failed`), { code });

test('a server that cannot listen says where, why and what to do', () => {
  const said = (cause: unknown) => cannotListen('the sandbox', { host: '::1', port: 80 }, cause);
  const where = 'the sandbox cannot listen on ::1, port 80';
  const { message, next } = said(failure('EACCES'));
  assert.deepEqual(next, [{ setting: 'server.port' }]);
  assert.equal(message, `${where}: this user may not. Ports below 1024 often need root: choose a higher port.`);
  assert.match(said(failure('EADDRINUSE')).message, /Choose another port \(0 is any free one\), or end/);
  for (const code of ['EADDRNOTAVAIL', 'ENOTFOUND'])
    assert.match(said(failure(code)).message, /; 0\.0\.0\.0 is all of them\.$/);
  assert.ok(said(failure('ENOTFOUND')) instanceof InputError);
  assert.ok(said(failure('EIO')) instanceof StorageError);
  assert.deepEqual([said(failure('EIO')).message, said('odd').message], [`${where}: EIO: failed.`, `${where}: odd.`]);
});

test('what cannot be kept in the folder for temporary files says why, by the code of the system', () => {
  const said = (cause: unknown): string => temporaryFailure('The page', '/tmp', cause).message;
  assert.match(said(failure('ENOSPC')), /^The page cannot be kept in .*, \/tmp: its disk is full \(ENOSPC\)\. Make/);
  assert.match(said(failure('EIO')), /, \/tmp: EIO\. Make room/);
  for (const cause of [new Error('x'), 'x', undefined]) assert.match(said(cause), /, \/tmp: unknown error\. Make room/);
});

test('this machine is localhost, 127.0.0.0/8 or [::1]', () => {
  for (const name of ['localhost', '127.0.0.1', '127.9.9.9', '[::1]']) assert.ok(isLoopback(name), name);
  for (const name of ['example.com', '128.0.0.1', '127.0.0.1.example', '::1']) assert.ok(!isLoopback(name), name);
});
