import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '../../src/core/errors.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { openSandbox } from '../support/sandbox.ts';
import { analysisPath, call, insertBody, insertPath, until } from './call.ts';

const body = insertBody('ann@example.com', ['Sales']);

test('both operations require the Basic token, and a call without it changes nothing', async (t) => {
  const sandbox = await openSandbox(t, { token: Buffer.from('me:secret').toString('base64') });
  for (const authorization of [
    null,
    '',
    'Basic',
    'Basic d3Jvbmc=',
    `Bearer ${sandbox.token}`,
    `Basic ${sandbox.token}x`,
  ]) {
    for (const path of [insertPath, analysisPath]) {
      const answer = await call(sandbox, path, path === insertPath ? body : {}, { authorization });
      assert.equal(answer.status, 401, `${authorization}`);
      assert.match(String(answer.headers['www-authenticate']), /^Basic /);
      assert.equal(JSON.parse(answer.text).status, 'error');
    }
  }
  assert.equal(sandbox.users().length, 0);
  assert.equal((await call(sandbox, insertPath, body, { authorization: `basic ${sandbox.token}` })).status, 200);
});

test('other methods, paths, content types and sizes are refused', async (t) => {
  const sandbox = await openSandbox(t, { maxBodyBytes: 1000 });
  const get = await call(sandbox, insertPath, '', { method: 'GET' });
  assert.deepEqual([get.status, get.headers['allow']], [405, 'POST']);
  assert.equal((await call(sandbox, '/v2/groups/insert', body)).status, 404);
  assert.equal((await call(sandbox, '/v1/groups/insert/', body)).status, 404);
  assert.equal((await call(sandbox, insertPath, body, { headers: { 'content-type': 'text/plain' } })).status, 415);
  assert.equal(
    (await call(sandbox, insertPath, body, { headers: { 'content-type': 'application/json; charset=utf-8' } })).status,
    200,
  );
  assert.equal((await call(sandbox, insertPath, insertBody('ann@example.com', ['x'.repeat(1000)]))).status, 413);
});

test('with a prefix the operations exist only below it', async (t) => {
  const sandbox = await openSandbox(t, { prefix: '/tenant/api' });
  assert.match(sandbox.url, /\/tenant\/api$/);
  assert.equal((await call(sandbox, insertPath, body)).status, 200);
  const outside = await fetch(new URL(insertPath, sandbox.url), { method: 'POST', body: '{}' });
  assert.equal(outside.status, 404);
});

test('a port that is taken is an InputError naming it', async (t) => {
  const { port } = await openSandbox(t);
  await assert.rejects(startSandbox({ port }), (error) => {
    return error instanceof InputError && error.message.includes(`port ${port}`);
  });
});

test('closing ends calls that would never be answered, and a second close returns the same promise', async (t) => {
  const sandbox = await openSandbox(t, { faults: ['latency=forever'] });
  const arrived = call(sandbox, insertPath, body);
  await until(() => sandbox.user('ann@example.com') !== undefined);
  const closing = sandbox.close();
  assert.equal(sandbox.close(), closing);
  await assert.rejects(arrived);
  await closing;
});
