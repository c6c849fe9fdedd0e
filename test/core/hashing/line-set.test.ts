import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LineSet } from '../../../src/core/hashing/line-set.ts';

test('a set of lines has the lines that were added, and no other text', () => {
  const line = fc.string({ maxLength: 3 }).map((text) => text.replaceAll('\n', ''));
  fc.assert(
    fc.property(fc.array(fc.array(line, { minLength: 1 })), fc.array(line), (added, asked) => {
      const set = new LineSet();
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
  const set = new LineSet();
  const lines = Array.from({ length: 300_000 }, (_, at) => `person.${at}`);
  for (let at = 0; at < lines.length; at += 1000) set.addLines(lines.slice(at, at + 1000).join('\n'));
  for (const line of lines) assert.ok(set.has(line), line);
  for (const line of lines) assert.ok(!set.has(`${line}.`), line);
});
