import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addGroups } from '../../../src/core/person/member.ts';

test('groups are united in order of first appearance', () => {
  const groups = ['b', 'a'];
  addGroups(groups, ['c', 'a', 'd', 'c']);
  assert.deepEqual(groups, ['b', 'a', 'c', 'd']);
});
