import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { KeySet } from '../../../src/core/hashing/key-set.ts';

test('a set of keys knows which came before', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (texts) => {
      const keys = new KeySet();
      const known = new Set<string>();
      for (const text of texts) {
        assert.equal(keys.add(text), !known.has(text), JSON.stringify(text));
        known.add(text);
      }
    }),
  );
});

test('of many texts that are alike hardly one is taken for another, and none that came before is taken for new', () => {
  const keys = new KeySet();
  let taken = 0;
  for (let at = 0; at < 200_000; at += 1) if (!keys.add(`person.${at}@example.com`)) taken += 1;
  assert.ok(taken <= 2, `${taken} taken for another`);
  for (let at = 0; at < 200_000; at += 1) assert.equal(keys.add(`person.${at}@example.com`), false);
});
