import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { describe, it } from 'node:test';
import { proseOf, wordFaults } from './words.ts';

const root = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** Written by hand. docs/development/style.md quotes what to avoid, and docs/configuration.md is made from the texts of config. */
const pages = ['*.md', 'docs/{,guides/,development/}*.md', '{jobs,src/*,examples/*}/README.md']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((name) => !/^docs.(?:development.)?style\.md$/.test(name) && name !== 'docs/configuration.md');

/** All texts, comments and titles, help and examples; `words.ts` lists what to avoid, and this file quotes some of it. */
const code = globSync(
  [
    '{src,jobs,config,test,bench}/**/*.ts',
    '{config,examples,examples/*,src/data/{commands,sentences}}/*.yaml',
    'man/*',
  ],
  {
    cwd: root,
  },
)
  .map((name) => name.replaceAll(sep, '/'))
  .filter((name) => !name.startsWith('test/house/words'));

/** Pages to look things up in. */
const reference = new Set(
  'api commands configuration glossary interface library metrics presets sandbox webhook-systems'.split(' '),
);
const countWords = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

const widest = 120;

describe('words', () => {
  it('a phrase is found in any case and across a line break, with its line', () => {
    assert.deepEqual(wordFaults('a.md', 'One.\nIt is\nwaited. Mend it.'), [
      'a.md:2: "is waited", write: name who waits: "how long to wait"',
      'a.md:3: "mend", write: fix',
    ]);
    assert.deepEqual(wordFaults('a.ts', '/**\n * How long is\n * waited\n */'), [
      'a.ts:2: "is waited", write: name who waits: "how long to wait"',
    ]);
    assert.deepEqual(wordFaults('a.md', proseOf('```\nmend\n```\nrecommended')), []);
  });

  it('the pages follow docs/development/style.md', () => {
    const faults = pages.flatMap((name) => wordFaults(name, proseOf(read(name))));
    assert.equal(faults.join('\n'), '', 'docs/development/style.md says why');
  });

  it('the code that is checked follows docs/development/style.md', () => {
    assert.ok(code.length > 0);
    const faults = code.flatMap((name) => wordFaults(name, read(name)));
    assert.equal(faults.join('\n'), '', 'docs/development/style.md says why');
  });

  it('README.md has at most 800 words, and the pages for users 15,000 without reference and code', () => {
    assert.ok(countWords(read('README.md')) <= 800);
    const forUsers = ['docs/*.md', 'docs/guides/*.md']
      .flatMap((pattern) => globSync(pattern, { cwd: root }))
      .filter((name) => !reference.has(basename(name, '.md')));
    const words = forUsers.reduce((sum, name) => sum + countWords(proseOf(read(name))), 0);
    assert.ok(forUsers.length > 20 && words <= 15_000, `${words} words`);
  });

  it(`the lines of pages for users have at most ${widest} characters, except in tables and code`, () => {
    const generated = /^docs.(?:configuration|presets|metrics)\.md$/;
    const wide = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/{,guides/}*.md']
      .flatMap((pattern) => globSync(pattern, { cwd: root }))
      .filter((name) => !generated.test(name))
      .flatMap((name) =>
        proseOf(read(name))
          .split('\n')
          .flatMap((line, at) => (line.length > widest && !/^ *\|/.test(line) ? `${name}:${at + 1}: ${line}` : [])),
      );
    assert.deepEqual(wide, []);
  });
});
