import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { envOf, openPlace } from '../support/cli.ts';

suite('token', () => {
  test('is shown once when it is made, listed without its secret, and good for nothing once revoked', async () => {
    const place = await openPlace(envOf({ url: 'http://127.0.0.1:9', token: 'bm9ib2R5' }), { here: true });
    const flags = ['--name', 'nightly-ci', '--scope', 'read,run', '--expires', '90d'];
    const made = await place.alone('token', 'create', ...flags);
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /^rstk_[0-9a-f]{12}_[\w-]{43}\n$/);
    const token = made.stdout.trim();
    const asJson = await place.json<{ token: string }>('token', 'create', '--name', 'with-json');
    assert.match(asJson.value.token, /^rstk_/);
    assert.ok(!asJson.ended.stderr.includes(asJson.value.token.split('_').slice(2).join('_')), asJson.ended.stderr);
    const listed = await place.json<{ tokens: Record<string, unknown>[] }>('token', 'list');
    const secret = token.split('_').slice(2).join('_');
    assert.ok(!(listed.ended.stdout + listed.ended.stderr).includes(secret));
    assert.deepEqual(listed.value.tokens.find(({ name }) => name === 'nightly-ci')?.['scopes'], ['read', 'run']);
    const days =
      (Date.parse(String(listed.value.tokens.find(({ name }) => name === 'nightly-ci')?.['expiresAt'])) - Date.now()) /
      86_400_000;
    assert.ok(days > 89.9 && days < 90.1);
    const twice = await place.run('token', 'create', '--name', 'nightly-ci');
    assert.equal(twice.code, 2);
    assert.match(twice.stderr, /token revoke nightly-ci/);
    const several = ['--scope', 'read', '--scope', 'run,approve'];
    assert.equal((await place.run('token', 'create', '--name', 'several', ...several)).code, 0);
    const { tokens } = (await place.json<typeof listed.value>('token', 'list')).value;
    const scopesOf = (token: string) => tokens.find(({ name }) => name === token)?.['scopes'];
    assert.deepEqual([scopesOf('several'), scopesOf('with-json')], [['read', 'run', 'approve'], ['read']]);
    const wrong = await place.run('token', 'create', '--name', 'x', '--scope', 'everything');
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /read, run, approve/);
    assert.equal((await place.run('token', 'revoke', 'nightly-ci')).code, 0);
    const after = await place.run('token', 'list');
    assert.match(after.stdout, /nightly-ci +read,run +revoked/);
  });
});
