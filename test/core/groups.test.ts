import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addGroups, splitGroups } from '../../src/core/groups.ts';

test('a cell names several groups, parted by semicolons', () => {
  assert.deepEqual(splitGroups('Sales; Support;Nordics '), ['Sales', 'Support', 'Nordics']);
  assert.deepEqual(splitGroups('Hogwarts/Students; R&D, Berlin'), ['Hogwarts/Students', 'R&D, Berlin']);
});

test('empty and repeated groups of a cell are left out', () => {
  assert.deepEqual(splitGroups(''), []);
  assert.deepEqual(splitGroups(' ; ;\u200b'), []);
  assert.deepEqual(splitGroups('Sales;;Sales ;sales'), ['Sales', 'sales']);
});

test('two ways to write one character are one group', () => {
  assert.deepEqual(splitGroups('Fo\u0308rderung;F\u00f6rderung'), ['F\u00f6rderung']);
});

test('groups are united in order of first appearance', () => {
  const groups = ['b', 'a'];
  addGroups(groups, ['c', 'a', 'd', 'c']);
  assert.deepEqual(groups, ['b', 'a', 'c', 'd']);
});
