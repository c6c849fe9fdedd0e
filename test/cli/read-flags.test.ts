import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '../../src/core/errors.ts';
import { readOptions } from '../../src/cli/frame/read-flags.ts';
import { openPlace } from '../support/cli.ts';

test('flags say how a roster is written', () => {
  assert.deepEqual(readOptions({}), {});
  assert.deepEqual(
    readOptions({ format: 'xlsx', encoding: 'utf-8', delimiter: 'tab', headerLine: '4', sheet: 'Staff', records: '' }),
    { format: 'xlsx', encoding: 'utf-8', delimiter: 'tab', headerLine: 4, sheet: 'Staff', records: '' },
  );
});

test('a format that is none, and a line that is no number, are refused', () => {
  assert.throws(
    () => readOptions({ format: 'xlsb' }),
    /--format xlsb: give one of csv, xlsx, ods, xls, html, json, ndjson, bundle/,
  );
  assert.throws(() => readOptions({ sheet: 'x', allSheets: true }), /leave one of them out/);
  for (const headerLine of ['0', '-1', '1.5', 'x', '']) {
    assert.throws(() => readOptions({ headerLine }), InputError);
  }
});

test('flags that do not apply to what is read are remarked on stderr, and the others are not', async () => {
  const place = await openPlace({}, { bare: true, here: true });
  place.write('x.csv', 'firstname;lastname;email;groups\nAnn;Ek;ann@x.example;A\n');
  place.write('roster-sync.yaml', 'sources: { staff: { file: ./x.csv } }\n');
  const flags = ['--sheet', 'x', '--delimiter', ';'];
  for (const [words, remark] of [
    [['import', 'x.csv', '--dry-run', ...flags], 'x.csv is read as csv, which ignores --sheet.\n'],
    [['inspect', 'x.csv', ...flags], 'x.csv is read as csv, which ignores --sheet.\n'],
    [
      ['inspect', 'staff', ...flags, '--group', 'B'],
      /^staff is a source .*: its settings apply, not --delimiter, --sheet\.$/m,
    ],
    [
      ['plan', 'staff', ...flags, '--group', 'B'],
      /^staff is a source .*: its settings apply, not --group, --delimiter, --sheet\.$/m,
    ],
    [['plan', 'x.csv', '--delimiter', ';', '--header-line', '1'], ''],
  ] as const) {
    const { code, stderr } = await place.run(...words);
    assert.equal(code, 0, stderr);
    if (typeof remark === 'string') assert.equal(stderr, remark, words.join(' '));
    else assert.match(stderr, remark, words.join(' '));
  }
});
