import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginningAtEnd, findAll, Secret } from '../../../src/core/secrets/secret.ts';
import { isWeakSecret } from '../../../src/core/secrets/secret-forms.ts';
import { secretsOfHeader, secretsOfSecretUrl, secretsOfUrl } from '../../../src/core/secrets/secret-parts.ts';
import {
  hashToken,
  makeToken,
  matchesHash,
  readToken,
  tokenBytes,
  writeToken,
} from '../../../src/core/secrets/token.ts';
import { startOf, unescapeLevels } from '../../../src/core/secrets/unescape.ts';

const reveal = (secrets: readonly Secret[]): string[] => secrets.map((secret) => secret.reveal());

test('R12: of a header all of it is secret, and what may turn up alone; nothing of one that says no secret', () => {
  const of = (name: string, value: string): string[] => reveal(secretsOfHeader(name, new Secret(value)));
  assert.deepEqual(of('Authorization', ' Bearer abcdefgh '), ['Bearer abcdefgh', 'abcdefgh', 'abcdefgh']);
  assert.deepEqual(of('X-Key', 'abcdefgh'), ['abcdefgh']);
  assert.deepEqual(of('X-Key', 'abcdefg'), [], 'seven characters are rather a word');
  const token = 'Token token="12345678", id=abcdefgh';
  assert.deepEqual(of('X', token), [token, token.slice(6), '12345678', 'abcdefgh']);
  assert.deepEqual(of('Accept', 'abcdefgh'), []);
});

test('R12: of an address the password and each long value of its query are secret, and its path if all of it is', () => {
  assert.deepEqual(reveal(secretsOfUrl('https://a%40b:p%3a@x.example/?key=12345678&q=short')), [
    ...['p:', 'a@b:p:', '12345678'],
  ]);
  assert.deepEqual(reveal(secretsOfUrl('https://x.example/?key=1234567')), []);
  assert.deepEqual(reveal(secretsOfUrl('https://a:100%25%@x.example/')), ['100%25%', 'a:100%25%'], 'no encoding');
  assert.deepEqual([secretsOfUrl('no address'), secretsOfSecretUrl('no address')], [[], []]);
  const hook = 'https://x.example/in/abcdefghij/b?a=1';
  assert.deepEqual(reveal(secretsOfSecretUrl(hook)), [
    ...[hook, '/in/abcdefghij/b?a=1', '/in/abcdefghij/b', 'abcdefghij'],
  ]);
});

test('a token has an id of six bytes and a secret of 32, and is known by its hash', () => {
  const random = Buffer.from(Array.from({ length: tokenBytes }, (_, at) => at));
  const token = makeToken(random);
  assert.deepEqual([tokenBytes, token.id], [38, '000102030405']);
  assert.deepEqual(Buffer.from(token.secret, 'base64url'), random.subarray(6));
  assert.deepEqual(readToken(writeToken(token)), token);
  for (const text of ['', writeToken(token).slice(1), `${writeToken(token)}A`, writeToken({ ...token, id: 'x' })])
    assert.equal(readToken(text), undefined);
  const hash = hashToken(token.secret);
  assert.deepEqual(
    [matchesHash(token.secret, hash), matchesHash(`${token.secret}A`, hash), matchesHash(token.secret, '')],
    [true, false, false],
  );
});

test('a secret of fewer than eight characters, or one that many use, is weak', () => {
  for (const weak of ['', 'abcdefg', 'Password', '12345678', '123456789', '1234567890', '87654321', '11111111'])
    assert.ok(isWeakSecret(weak), weak);
  for (const weak of ['00000000', 'qwertyuiop', 'ROSTER-SYNC']) assert.ok(isWeakSecret(weak), weak);
  for (const strong of ['abcdefgx', '12345679', '1234567891', '00000001']) assert.ok(!isWeakSecret(strong), strong);
});

test('escapes are undone level by level, six times, and each unit knows where it began', () => {
  const undone = (text: string): string => unescapeLevels(text)[1]?.text ?? 'as it is';
  assert.equal(undone('\\n\\r\\t\\b\\f\\"\\/'), '\n\r\t\b\f"/');
  assert.equal(undone('x%e2%82%acy%f0%9f%98%80%c3%a9%e9+'), 'x€y\u{1f600}éé ');
  assert.equal(undone('%c1%c2%80%df%bf%e0%a0%80%ef%bf%bf%f4%8f%bf%bf%f5'), 'Á\u0080\u07ff\u0800\uffff\u{10ffff}õ');
  assert.equal(undone('%c1%bf%f5%80%80%80'), 'Á¿õ\u0080\u0080\u0080', 'bytes that begin nothing in UTF-8');
  assert.equal(undone('%e2%82x%e2%e2'), 'â\u0082xââ', 'Latin-1 where it is no UTF-8');
  assert.equal(undone('%f4%90%80%80'), 'ô', 'beyond the last character');
  assert.equal(undone('\\u00e9\\x41\\u00g1\\'), 'éA\\u00g1\\');
  assert.equal(undone('&amp;&#65;&#x1F600;&lt;&#1114111;'), '&A\u{1f600}<\u{10ffff}');
  for (const text of ['&#1114112;', '%', '%4', '%g0', '%0g', '&none;', '&#123456789;', 'plain'])
    assert.equal(undone(text), 'as it is', text);
  let nested = 'é';
  for (let level = 0; level < 8; level++) nested = encodeURIComponent(nested);
  assert.equal(unescapeLevels(nested).length, 7);
  const level = unescapeLevels('a%2541b')[2];
  assert.ok(level);
  assert.deepEqual([level.text, ...[0, 1, 2, 3].map((at) => startOf(level, at))], ['aAb', 0, 1, 6, 7]);
});

test('a weak secret counts where it is a whole value: alone, in quotes and no key, or after = or :', () => {
  const found = (text: string, isWeak = true): number[] => [...findAll(text, 'pass', isWeak)];
  for (const text of ['pass', '"pass"', "'pass'", '=pass', ':pass&x', '«pass»', '=pass}', ' "pass" ,', '=pass x'])
    assert.equal(found(text).length, 1, text);
  for (const text of ['xpass', 'passx', '"pass" : 1', '"passx"', '=passx', ' pass', 'pass ', '"pass\'', '"pass'])
    assert.equal(found(text).length, 0, text);
  const key = (spaces: number): string => `"pass"${' '.repeat(spaces)}:`;
  assert.deepEqual([found(key(9)).length, found(key(10)).length], [0, 1]);
  assert.deepEqual([found('passpass', false), found('xpass', false)], [[0, 4], [1]]);
});

test('a text that was cut ends in the beginning of a secret from four characters on, whatever is left of the next', () => {
  const begins = (text: string, form = 'abcdéfgh'): number | undefined => beginningAtEnd({ text }, form);
  assert.deepEqual(
    [begins('xxabcd'), begins('xxabc'), begins('abcdéfgh'), begins('')],
    [2, undefined, undefined, undefined],
  );
  assert.deepEqual([begins('xababcd', 'ababcdef'), begins('xabababc', 'ababcdef')], [1, 3]);
  for (const cut of ['%', '%4', '\\', '\\u', '\\u00e', '\\x4', '&', '&#', '&#x41', '&#X12345678', '&quot', '&abcde'])
    assert.equal(begins(`x abcd${cut}`), 2, cut);
  for (const more of ['\\u00e41', '&#x123456789', '&abcdef', '%41', 'x'])
    assert.equal(begins(`x abcd${more}`), undefined, more);
  for (const half of ['\ufffd', '\ud800', '\udfff', '\ufffd\ufffd\ufffd\ufffd'])
    assert.equal(begins(`abcd${half}`), 0, JSON.stringify(half));
  for (const whole of ['\ud7ff', '\ue000', '\ufffc', '\ufffd'.repeat(5)])
    assert.equal(begins(`abcd${whole}`), undefined, JSON.stringify(whole));
});
