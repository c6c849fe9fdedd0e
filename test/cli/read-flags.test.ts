import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '../../src/core/errors.ts';
import { readOptions } from '../../src/cli/read-flags.ts';

test('flags say how a roster is written', () => {
  assert.deepEqual(readOptions({}), {});
  assert.deepEqual(
    readOptions({ format: 'xlsx', encoding: 'utf-8', delimiter: 'tab', headerLine: '4', sheet: 'Staff', records: '' }),
    { format: 'xlsx', encoding: 'utf-8', delimiter: 'tab', headerLine: 4, sheet: 'Staff', records: '' },
  );
});

test('a format that is none, and a line that is no number, are refused', () => {
  assert.throws(() => readOptions({ format: 'xls' }), /--format xls: give one of csv, xlsx, json, ndjson, bundle/);
  for (const headerLine of ['0', '-1', '1.5', 'x', '']) {
    assert.throws(() => readOptions({ headerLine }), InputError);
  }
});
