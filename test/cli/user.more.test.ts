import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { suite, test } from 'node:test';
import { askSecret } from '../../src/cli/frame/ask.ts';
import { FakeStream } from '../report/fake-terminal.ts';
import { envOf, openPlace } from '../support/cli.ts';

suite('user', () => {
  test('an account is added with a password from standard input, listed without it, changed and removed', async () => {
    const place = await openPlace(envOf({ url: 'http://127.0.0.1:9', token: 'bm9ib2R5' }), { here: true });
    const add = async (name: string, password: string, role = 'viewer') => {
      const running = await place.start(['user', 'add', name, '--role', role], { stdin: 'pipe' });
      running.child.stdin?.end(password);
      return running.ended;
    };
    const short = await add('mette', 'short\n');
    assert.equal(short.code, 2);
    assert.match(short.stderr, /has 5 characters; it needs at least 12/);
    const made = await add('Mette Krogh', 'a long enough password\nmore');
    assert.equal(made.code, 0, made.stderr);
    assert.equal(made.stdout, 'Mette Krogh may sign in to the pages as viewer.\n');
    assert.equal((await place.run('user', 'role', 'mette krogh', 'approver')).code, 0);
    const listed = await place.json<{ users: Record<string, unknown>[] }>('user', 'list');
    assert.deepEqual(
      listed.value.users.map(({ name, role }) => [name, role]),
      [['Mette Krogh', 'approver']],
    );
    assert.doesNotMatch(listed.ended.stdout, /scrypt/);
    assert.match((await place.run('user', 'role', 'mette krogh', 'king')).stderr, /king is not a role/);
    assert.match((await place.run('user', 'sign-out', 'Mette Krogh')).stdout, /0 sessions were ended: Mette Krogh/);
    assert.equal((await place.run('user', 'remove', 'Mette Krogh')).code, 0);
    assert.match((await place.run('user', 'remove', 'Mette Krogh')).stderr, /There is no account Mette Krogh/);
  });

  test('what is typed at the question for a password is not shown', async () => {
    const input = new PassThrough();
    const output = new FakeStream({ isTTY: true });
    const asked = askSecret('Password:', { input, output });
    input.write('open sesame\n');
    assert.equal(await asked, 'open sesame');
    assert.equal(output.written, 'Password: \n');
    const interrupted = askSecret('Password:', { input, output });
    input.write('\u0003');
    assert.equal(await interrupted, undefined);
  });
});
