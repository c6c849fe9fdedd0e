import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeeper } from '../../../src/core/rows/flatten.ts';

test('levels are counted, and brackets in texts are none', () => {
  assert.equal(isDeeper('[[1]]', 2), false);
  assert.equal(isDeeper('[[1]]', 1), true);
  assert.equal(isDeeper('[{"a":[]},[]]', 3), false);
  assert.equal(isDeeper('[{},{},[],[]]', 2), false);
  assert.equal(isDeeper('{"[[[[":"]]]\\"[[[[\\\\"}', 1), false);
  assert.equal(isDeeper('"\\', 0), false);
  assert.equal(isDeeper(`${'['.repeat(64)}${']'.repeat(64)}`), false);
  assert.equal(isDeeper('['.repeat(65)), true);
});
