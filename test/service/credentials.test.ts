import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { InputError } from '../../src/core/errors.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { readCredentials, type CredentialSettings } from '../../src/service/settings.ts';

async function tokenFile(t: TestContext, content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'roster-sync-token-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'token');
  await writeFile(file, content);
  return file;
}

for (const given of ['c3luYzpodW50ZXIyMg==', 'Basic c3luYzpodW50ZXIyMg==', ' basic  c3luYzpodW50ZXIyMg==\r\n']) {
  test(`a ready-made token ${JSON.stringify(given)} is taken without what was pasted around it`, async () => {
    const credentials = await readCredentials({ token: new Secret(given) });
    assert.equal(credentials.token.reveal(), 'c3luYzpodW50ZXIyMg==');
    assert.equal(credentials.setting, 'service.token');
    assert.equal(await credentials.renew(credentials.token), false);
  });
}

test('username and password are encoded as RFC 7617 says, in UTF-8', async () => {
  const credentials = await readCredentials({ username: 'test', password: new Secret('123£:') });
  assert.equal(Buffer.from(credentials.token.reveal(), 'base64').toString('utf8'), 'test:123£:');
  assert.match(credentials.setting, /service\.username and service\.password/);
});

test('an empty password is a password', async () => {
  const credentials = await readCredentials({ username: 'key', password: new Secret('') });
  assert.equal(credentials.token.reveal(), Buffer.from('key:').toString('base64'));
});

test('a token file may begin with a byte order mark and end in a newline', async (t) => {
  const credentials = await readCredentials({ tokenFile: await tokenFile(t, '\uFEFFQWxhZGRpbg==\n') });
  assert.equal(credentials.token.reveal(), 'QWxhZGRpbg==');
});

test('after a refusal the file is read again: the same token renews nothing, another one does', async (t) => {
  const file = await tokenFile(t, 'b2xkOm9sZA==\n');
  const credentials = await readCredentials({ tokenFile: file });
  const refused = credentials.token;
  assert.equal(await credentials.renew(refused), false);
  await writeFile(file, 'bmV3Om5ldw==\n');
  assert.deepEqual(await Promise.all([credentials.renew(refused), credentials.renew(refused)]), [true, true]);
  assert.equal(credentials.token.reveal(), 'bmV3Om5ldw==');
  await rm(file);
  assert.equal(await credentials.renew(refused), true, 'renewed since, whoever did it');
  assert.equal(await credentials.renew(credentials.token), false, 'a file that is gone renews nothing');
  assert.equal(credentials.token.reveal(), 'bmV3Om5ldw==');
  await writeFile(file, 'two words');
  assert.equal(await credentials.renew(credentials.token), false, 'a file without a token renews nothing');
});

const secret = (text: string): Secret => new Secret(text);
for (const [title, settings, says] of [
  ['nothing', {}, /No token: set service\.token/],
  ['a token and a file', { token: secret('aHVudGVyMjI='), tokenFile: 'x' }, /given twice/],
  ['a token and a username', { token: secret('aHVudGVyMjI='), username: 'sync' }, /given twice/],
  ['a username alone', { username: 'sync' }, /service\.password is not/],
  ['a password alone', { password: secret('hunter22') }, /service\.username is not/],
  ['an empty username', { username: '', password: secret('hunter22') }, /service\.username is not/],
  ['a colon in the username', { username: 'sy:nc', password: secret('hunter22') }, /colon/],
  ['a line end in the password', { username: 'sync', password: secret('hunter22\n') }, /line end/],
  ['an empty token', { token: secret(' \n') }, /empty/],
  ['only the scheme', { token: secret('Basic ') }, /empty|scheme/],
  ['a pair instead of a token', { token: secret('sync:hunter22') }, /service\.username and service\.password/],
  ['a line end within the token', { token: secret('hunter\r\nX-Evil:22') }, /service\.token/],
  ['a blank within the token', { token: secret('hunt er22') }, /service\.token.*blanks/],
  ['a token that is not ASCII', { token: secret('hünter22') }, /service\.token/],
  ['a control character', { token: secret('hunt\u0000er22') }, /service\.token/],
  ['padding in the middle', { token: secret('hunt=er22') }, /service\.token/],
] satisfies [string, CredentialSettings, RegExp][]) {
  test(`${title} is refused, naming the setting and never showing the secret`, async () => {
    await assert.rejects(readCredentials(settings), (error) => {
      assert.ok(error instanceof InputError);
      assert.match(error.message, says);
      assert.doesNotMatch(inspect(error, { depth: 9 }), /hunt|hünt|er22/);
      return true;
    });
  });
}

test('a token file that is missing, a folder, or holds no token is refused, naming it', async (t) => {
  await assert.rejects(readCredentials({ tokenFile: '/nowhere/token' }), /\/nowhere\/token.*cannot be read: ENOENT/);
  await assert.rejects(readCredentials({ tokenFile: tmpdir() }), /cannot be read: EISDIR/);
  await assert.rejects(readCredentials({ tokenFile: await tokenFile(t, '\n') }), /empty/);
  await assert.rejects(readCredentials({ tokenFile: await tokenFile(t, 'a\nb\n') }), /blanks, line ends/);
});
