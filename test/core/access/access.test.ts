import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import {
  pathOfOurs,
  accountKey,
  accountName,
  isSamePerson,
  nameWithId,
  roleIn,
  scopesOf,
} from '../../../src/core/access/roles.ts';
import {
  hashPassword,
  matchesPassword,
  dummyPassword,
  readPassword,
  saltBytes,
} from '../../../src/core/access/password.ts';

suite('accounts', () => {
  test('each role may do what the one before may, and more', () => {
    assert.deepEqual(scopesOf('viewer'), ['read']);
    assert.deepEqual(scopesOf('operator'), ['read', 'run']);
    assert.deepEqual(scopesOf('approver'), ['read', 'run', 'approve']);
    assert.deepEqual(scopesOf('admin'), ['read', 'run', 'approve', 'access']);
    assert.throws(() => roleIn('king'), /king is not a role: write viewer, operator, approver or admin\./);
  });

  test('a name is found whatever its capital letters and encoding', () => {
    assert.equal(accountKey(' Zoe\u0308 KROGH'), accountKey('Zo\u00eb Krogh'));
    for (const name of ['', ' ', '<b>', 'a'.repeat(65), 'Mette (mette@example.com)', 'a\nb']) {
      assert.throws(() => accountName(name), /cannot be the name of an account/, name);
    }
    for (const name of [
      "O'Neill, no".slice(0, 7),
      'mette@example.com',
      'Jürgen-Uwe',
      '小林 さくら',
      'a',
      'a'.repeat(64),
    ])
      assert.equal(accountName(name), name);
    assert.throws(() => accountName('<b>'), /"<b>" cannot be the name of an account: write at most 64 letters/);
  });

  test('a person stays the same person under another name', () => {
    const mette = nameWithId('Mette Krogh', 'mette@example.com');
    assert.equal(mette, 'Mette Krogh (mette@example.com)');
    assert.ok(isSamePerson(mette, nameWithId('Mette Holm', 'Mette@example.com')));
    assert.ok(!isSamePerson(mette, nameWithId('Mette Krogh', 'other@example.com')));
    assert.equal(nameWithId('Eve (mette@example.com)', 'eve@example.com'), 'Eve mette@example.com (eve@example.com)');
    assert.equal(nameWithId('', 'eve@example.com'), 'eve@example.com');
    assert.equal(nameWithId('a'.repeat(201), 'e'), `${'a'.repeat(200)} (e)`);
  });

  test('a password matches its own hash only, in any encoding of its letters', async () => {
    const kept = await hashPassword(readPassword('Mit A\u030a geht das'), randomBytes(saltBytes));
    assert.match(kept, /^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    assert.ok(await matchesPassword('Mit \u00c5 geht das', kept));
    assert.ok(!(await matchesPassword('Mit A geht das', kept)));
    for (const password of ['', 'anything at all']) assert.ok(!(await matchesPassword(password, dummyPassword)));
    for (const length of [12, 200]) assert.equal(readPassword('å'.repeat(length)).length, length);
    assert.throws(() => readPassword('short'), /has 5 characters; it needs at least 12/);
    assert.throws(() => readPassword('a'.repeat(201)), /has 201 characters; it may have at most 200/);
  });

  test('a hash of another kind matches nothing', async () => {
    const [, ...rest] = (await hashPassword('a password of ours', randomBytes(saltBytes))).split('$');
    assert.ok(await matchesPassword('a password of ours', ['scrypt', ...rest].join('$')));
    assert.ok(!(await matchesPassword('a password of ours', ['bcrypt', ...rest].join('$'))));
  });

  test('only a path of ours is a way back', () => {
    assert.equal(pathOfOurs('/runs/1?show=new#x'), '/runs/1?show=new');
    const elsewhere = ['/..//evil.example/x', '/./\\evil.example', '/.//evil.example', '/a/..//\\evil.example/x'];
    for (const text of elsewhere) assert.match(pathOfOurs(text), /^\/evil\.example/, text);
    const signs = fc.constantFrom('/', '\\', '.', '..', '%2e', '%2f', '\t', '@', ':', '?', '#', 'evil.example', 'runs');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(signs).map((parts) => parts.join('')),
          fc.webUrl(),
          fc.string(),
        ),
        (text) => {
          const path = pathOfOurs(text);
          const url = new URL(path, 'https://roster.example');
          return (
            url.origin === 'https://roster.example' && url.pathname + url.search === path && pathOfOurs(path) === path
          );
        },
      ),
      { numRuns: 2000, examples: elsewhere.map((text) => [text]) },
    );
    for (const text of ['', 'runs', '//evil.example', '/\\evil.example', 'https://evil.example/', '/\t/evil.example']) {
      assert.equal(pathOfOurs(text), '/', text);
    }
    assert.equal(pathOfOurs(`/${'a'.repeat(1999)}`).length, 2000);
    assert.equal(pathOfOurs(`/${'a'.repeat(2000)}`), '/');
  });
});
