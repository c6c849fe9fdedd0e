import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  addressFault,
  addressIn,
  isEmailAddress,
  guardCell,
  hasTextMark,
  namesInOneCell,
} from '../../../src/core/cells/read-cell.ts';
import { isPlaceholder } from '../../../src/core/cells/placeholders.ts';
import { isRejectColumn, isRejectsHeader } from '../../../src/core/rows/row.ts';
import { configuredSourceName, fileNameOf, sourceNameProblem } from '../../../src/core/rows/source.ts';

suite('an address in a cell', () => {
  test('stands alone, in a link, or in angle brackets; with a second one in it the cell stays as it is', () => {
    const found: Record<string, string> = {
      'ann@example.com': 'ann@example.com',
      'mailto:ann@example.com': 'ann@example.com',
      'smtp:ann@old.example;SMTP:ann@example.com;x500:/o=Ours/cn=ann': 'ann@example.com',
      'smtp:ann@old.example': 'smtp:ann@old.example',
      'MAILTO:ann@example.com?subject=hi': 'ann@example.com',
      'Ann Ek <ann@example.com>': 'ann@example.com',
      '< mailto:ann@example.com >': 'ann@example.com',
      'bo@example.com <ann@example.com>': 'bo@example.com <ann@example.com>',
      'Ann <ann>': 'Ann <ann>',
      'mailto:ann': 'mailto:ann',
      'abcdef:ann@example.com': 'abcdef:ann@example.com',
    };
    for (const [text, address] of Object.entries(found)) assert.equal(addressIn(text), address, text);
  });

  test('has 254 characters at most, and 63 in each part of its domain', () => {
    const of = (before: number, label: number): string => `${'a'.repeat(before)}@${'b'.repeat(label)}.example.com`;
    assert.deepEqual([isEmailAddress(of(5, 63)), isEmailAddress(of(5, 64))], [true, false]);
    assert.equal(addressFault(of(5, 63)), undefined);
    assert.match(addressFault(of(5, 64)) ?? '', / is not an e-mail address$/);
    const long = (length: number): string => of(length - 13 - 10, 10).replace('@', '@');
    assert.equal(long(254).length, 254);
    assert.deepEqual([isEmailAddress(long(254)), isEmailAddress(long(255))], [true, false]);
    assert.equal(addressFault(long(254)), undefined);
    assert.match(addressFault(long(255)) ?? '', / is not an e-mail address$/);
    const umlauts = (label: number): string => `a@${'\u00e4'.repeat(label)}.example.com`;
    assert.deepEqual([isEmailAddress(umlauts(63)), isEmailAddress(umlauts(64))], [true, false]);
    for (const text of ['a b@example.com', 'a@b@example.com', 'a@example', 'a@example.com;', 'a@-x.com', 'a@x.1'])
      assert.equal(isEmailAddress(text), false, text);
  });
});

suite('a cell of a file that may be read again', () => {
  test('gets an apostrophe where a spreadsheet would run it, or take one away', () => {
    for (const cell of [
      '=1',
      '+1',
      '-1',
      '@x',
      '\tx',
      '\rx',
      '\nx',
      '\uff1d1',
      '\uff0b1',
      '\uff0d1',
      '\uff20',
      "'=1",
      "'x",
      "'",
    ])
      assert.equal(guardCell(cell), `'${cell}`, JSON.stringify(cell));
    for (const cell of ['', 'x=1', '1-2', "'t Hart", "'s-Gravenhage", "'N Blom", "x'"])
      assert.equal(guardCell(cell), cell);
    assert.deepEqual(["'x", "'t Hart", 'x', '', "'tx", "''"].map(hasTextMark), [true, false, false, false, true, true]);
  });

  test('names in one cell are separated by semicolons, and none of them has one', () => {
    const renamed = new Set<string>();
    assert.equal(namesInOneCell(['A', 'B; C;', 'D'], renamed), 'A;B, C,;D');
    assert.deepEqual([...renamed], ['B; C;']);
  });

  test('columns of rejects are known by their names, a file of rejects by having all of them', () => {
    assert.deepEqual(['_line', ' _reason ', '_run', 'line', '_Line'].map(isRejectColumn), [
      true,
      true,
      true,
      false,
      false,
    ]);
    assert.equal(isRejectsHeader(['a', '_line', '_reason', ' _run ']), true);
    assert.equal(isRejectsHeader(['a', '_line', '_reason']), false);
  });
});

suite('the bounds of names and of placeholders', () => {
  test('the name of a source has a hundred characters at most', () => {
    assert.deepEqual(
      [sourceNameProblem('a'.repeat(100)), configuredSourceName.test('a'.repeat(100))],
      [undefined, true],
    );
    assert.match(sourceNameProblem('a'.repeat(101)) ?? '', /^"a{100}" cannot name a source.*at most 100 characters$/);
    assert.equal(configuredSourceName.test('a'.repeat(101)), false);
  });

  test('the files of a source that is not plainly written are named by a hash of eight digits', () => {
    assert.match(fileNameOf('A B'), /^a-b-[0-9a-f]{8}$/);
    assert.match(fileNameOf('con'), /^con-[0-9a-f]{8}$/);
    for (let at = 0; at < 64; at += 1) assert.match(fileNameOf(`S ${at}`), /^s-\d+-[0-9a-f]{8}$/);
    assert.deepEqual(['com', 'com12', 'a_b-1'].map(fileNameOf), ['com', 'com12', 'a_b-1']);
  });

  test('a word stands for no value as a whole, in any case, in its brackets; as a name only if nobody is called so', () => {
    for (const text of [
      'n/a',
      'N/A',
      '0',
      '-',
      '--',
      '########',
      '#REF!',
      '#\u00bfNOMBRE?',
      '#n/a',
      '(blank)',
      '<NULL>',
      '[ leer ]',
      '{void}',
      '...',
      '\u00bf',
      '\u4e0d\u660e',
      // Next to the letters and digits by their number.
      ...['/', ':', '@', '[', '`', '{', '\u2000'],
    ])
      assert.ok(isPlaceholder(text) && isPlaceholder(text, 'name'), text);
    for (const text of [
      '',
      'n/a x',
      '00',
      'a',
      'REF!',
      '(blank]',
      '(blank',
      '#REF',
      '#R!',
      '#ref!',
      '\u2605',
      '(Ann)',
      'Null-Ann',
      '-a-',
      'leer',
      'void',
      `#${'A'.repeat(21)}!`,
    ])
      assert.ok(!isPlaceholder(text), text);
    assert.deepEqual([isPlaceholder('#AA!'), isPlaceholder(`#${'A'.repeat(18)}!`)], [true, true]);
    for (const text of ['na', 'Nil', 'BLANK', '\u041f\u0443\u0441\u0442\u043e'])
      assert.deepEqual([isPlaceholder(text), isPlaceholder(text, 'name')], [true, false], text);
    assert.ok(isPlaceholder('-'.repeat(500)));
  });
});
