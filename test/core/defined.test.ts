import assert from 'node:assert/strict';
import { it } from 'node:test';
import { defined } from '../../src/core/defined.ts';

it('leaves out the fields that are undefined, and no others', () => {
  assert.deepEqual(Object.entries(defined({ a: undefined, b: null, c: '', d: 0, e: false })), [
    ['b', null],
    ['c', ''],
    ['d', 0],
    ['e', false],
  ]);
});
