import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TextSet } from '../../../src/core/hashing/text-set.ts';

test('a set of lines has the lines that were added, and no other text', () => {
  const line = fc.string({ maxLength: 3 }).map((text) => text.replaceAll('\n', ''));
  fc.assert(
    fc.property(fc.array(fc.array(line, { minLength: 1 })), fc.array(line), (added, asked) => {
      const set = new TextSet();
      for (const lines of added) set.addLines(lines.join('\n'));
      const known = new Set(added.flat());
      for (const text of [...known, ...asked]) {
        assert.equal(set.has(text), known.has(text), JSON.stringify(text));
        const first = text.slice(0, 1);
        assert.equal(set.has(`${first}.`, first.length, text.slice(1)), known.has(text), JSON.stringify(text));
      }
    }),
  );
});

test('of many lines that are alike none is taken for another', () => {
  const set = new TextSet();
  const lines = Array.from({ length: 300_000 }, (_, at) => `person.${at}`);
  for (let at = 0; at < lines.length; at += 1000) set.addLines(lines.slice(at, at + 1000).join('\n'));
  for (const line of lines) assert.ok(set.has(line), line);
  for (const line of lines) assert.ok(!set.has(`${line}.`), line);
});

test('a set of texts knows which came before', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (texts) => {
      const keys = new TextSet();
      const known = new Set<string>();
      for (const text of texts) {
        assert.equal(keys.add(text), !known.has(text), JSON.stringify(text));
        known.add(text);
      }
    }),
  );
});

test('of many texts that are alike hardly one is taken for another, and none that came before is taken for new', () => {
  const keys = new TextSet();
  let taken = 0;
  for (let at = 0; at < 200_000; at += 1) if (!keys.add(`person.${at}@example.com`)) taken += 1;
  assert.equal(taken, 0, 'taken for another');
  for (let at = 0; at < 200_000; at += 1) assert.equal(keys.add(`person.${at}@example.com`), false);
});

test('a set that grew has just the lines that were added', () => {
  for (const count of [0, 10, 50_000]) {
    const set = new TextSet();
    if (count > 0) set.addLines(Array.from({ length: count }, (_, at) => `line ${at}`).join('\n'));
    for (let at = 0; at < count; at += 1) assert.ok(set.has(`line ${at}`));
    assert.deepEqual([set.has(`line ${count}`), set.has('')], [false, false]);
    set.addLines('end\n');
    assert.deepEqual([set.has('end'), set.has('')], [true, true], 'a line end begins another line, an empty one');
  }
});
