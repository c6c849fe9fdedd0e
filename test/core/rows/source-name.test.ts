import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configuredSourceName, fileNameOf, sourceNameProblem } from '../../../src/core/rows/source.ts';

test('names as people give them to files and sources are taken', () => {
  for (const name of [
    'staff',
    'Staff list (2) - May, 2026',
    'Müller'.normalize('NFD'),
    '社員',
    "R&D + O'Neil",
    '2026.01',
  ]) {
    assert.equal(sourceNameProblem(name), undefined, name);
  }
});

test('what would be a way, a link or a formula is no name, nor what is empty or longer than 100 characters', () => {
  const bad = ['', '.', '..', '../staff', 'a/b', String.raw`a\b`, 'a\nb', 'a\0', ' a', 'a ', '=1+1', '-staff', '_a'];
  for (const name of [
    ...bad,
    '[a](http://evil.example)',
    '<b>',
    '*a*',
    'a|b',
    'a`b',
    'a:b',
    'a@b',
    '\u202Ea',
    'a'.repeat(101),
  ]) {
    assert.match(
      sourceNameProblem(name) ?? '',
      /cannot name a source: the name of a source begins with a letter/,
      name,
    );
  }
});

test('the config takes fewer: those that need no quotes anywhere', () => {
  for (const name of ['staff', 'staff-2.de_DE', '社員']) assert.ok(configuredSourceName.test(name), name);
  for (const name of ['..', 'a b', 'a(b)', 'a/b', '', 'a'.repeat(101)])
    assert.ok(!configuredSourceName.test(name), name);
});

test('no two sources share a file, also where case does not count and some names are devices', () => {
  const sources = [
    'staff',
    'Staff',
    'STAFF',
    'con',
    'nul',
    'a.b',
    'a-b',
    'a b',
    'staff.',
    'Ærø',
    'ærø',
    'com1',
    '人事',
  ];
  const names = sources.map(fileNameOf);
  assert.equal(names[0], 'staff');
  assert.equal(new Set(names.map((name) => name.toLowerCase())).size, sources.length, names.join(' '));
  for (const name of names) assert.match(name, /^(?!(?:con|nul|com1)$)[a-z0-9_-]+$/);
});
