import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextHash } from '../../../src/core/hashing/text-set.ts';
import { fileNameOf } from '../../../src/core/rows/source.ts';

const known = [
  [451_841_411, 1_217_125_560],
  [2_194_241_793, 1_344_023_463],
  [2_943_370_136, 3_620_083_073],
  [3_748_728_493, 4_155_741_034],
  [1_626_710_400, 749_030_013],
];

test('the hash of a text never changes: files of sources are named by it', () => {
  const hash = new TextHash();
  const hashes = ['', 'a', 'staff.', 'person@example.com', '人事'].map((text) => {
    hash.take(text);
    return [hash.high, hash.low];
  });
  assert.deepEqual(hashes, known);
  hash.take('xxperson@example.comyy', 2, 20);
  assert.deepEqual([hash.high, hash.low], known[3]);
  assert.equal(fileNameOf('staff.'), 'staff--af704398');
});
