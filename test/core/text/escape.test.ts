import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { escapeJson, escapeText } from '../../../src/core/text/format.ts';

/** Written apart from the code under test: everything that moves the cursor, the direction, or cannot be seen. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const dangerous = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/;
const evil = fc.constantFrom('\u001b[2J', '\u202e', '\u2066', '\n', '\r', '\u009b', '\u200f', '\ud800', '\u{e0041}');
const text = fc.array(fc.oneof(fc.string({ unit: 'binary' }), evil)).map((parts) => parts.join(''));

test('no text, whatever is in it, keeps a control, bidirectional or invisible character', () => {
  fc.assert(
    fc.property(text, (given) => {
      const shown = escapeText(given);
      assert.doesNotMatch(shown, dangerous);
      assert.ok(shown.isWellFormed());
    }),
  );
});

test('escaping twice is escaping once', () => {
  fc.assert(fc.property(text, (given) => assert.equal(escapeText(escapeText(given)), escapeText(given))));
});

test('names of all countries stay as they are', () => {
  for (const name of [
    'Åse Lindqvist',
    '山田 太郎',
    'محمد',
    'می‌خواهم',
    "O'Neil",
    'Zoë\u0301',
    '👩‍💻',
    String.raw`CORP\ada`,
  ]) {
    assert.equal(escapeText(name), name);
  }
});

test('an escape sequence, a line break and a turned direction become visible', () => {
  assert.equal(escapeText('a\u001b[31mb'), String.raw`a\u001b[31mb`);
  assert.equal(escapeText('one\r\ntwo\t3'), String.raw`one\r\ntwo\t3`);
  assert.equal(escapeText('gro\u202eup'), String.raw`gro\u202eup`);
  assert.equal(escapeText('\u{e0041}'), String.raw`\udb40\udc41`);
});

test('an escaped JSON text is safe to print and holds the same value', () => {
  fc.assert(
    fc.property(text, (given) => {
      const json = escapeJson(JSON.stringify({ [given]: given }, null, 2));
      assert.doesNotMatch(json.replaceAll('\n', ''), dangerous);
      assert.deepEqual(JSON.parse(json), { [given]: given });
    }),
  );
});
