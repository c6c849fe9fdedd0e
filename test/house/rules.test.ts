import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { decidingLines } from '../rules/deciding-lines.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const [kept = '', decided = ''] = read('docs/development/rules.md').split('## Lines that decide');
const rows = kept
  .split('\n')
  .map((line) => /^\| \*\*(R\d+)\*\* \|.*\| `([^`]+)` \| `([^`]+)` \|$/.exec(line))
  .filter((row) => row !== null)
  .map(([, rule = '', keeper = '', proof = '']) => ({ rule, keeper, proof }));

test('docs/development/rules.md names for each rule a file that keeps it, and a test that cites it', () => {
  assert.deepEqual(
    rows.map(({ rule }) => rule),
    Array.from({ length: 13 }, (_, at) => `R${at + 1}`),
  );
  for (const { rule, keeper, proof } of rows) {
    assert.ok(existsSync(join(root, keeper)), `${rule}: ${keeper}`);
    assert.match(read(proof), new RegExp(`\\b${rule}\\b`), `${rule}: ${proof}`);
  }
});

test('docs/development/rules.md quotes the lines that decide the rules: each stands in its file, once', () => {
  const shown = [...decided.matchAll(/^\| (?:\*\*(R\d+)\*\*)? *\| (.*) \| `([^`]+)` \| `([^`]+)` \| `([^`]+)` \|$/gm)];
  assert.deepEqual(
    shown.map(([, rule = '', decides, file, line, proof]) => [rule, decides, file, line, proof]),
    decidingLines.map(({ rule, decides, file, line, test: proof }) => [rule, decides, file, line, proof]),
  );
  const cited = new Set(decidingLines.map(({ rule }) => rule));
  assert.deepEqual(
    rows.map(({ rule }) => rule).filter((rule) => !cited.has(rule)),
    [],
  );
  const wrong = decidingLines.filter(({ file, line, find = line, becomes }) => {
    const occurs = (text: string): number => read(file).split(text).length - 1;
    return occurs(line) !== 1 || occurs(find) !== 1 || find === becomes;
  });
  assert.deepEqual(wrong, []);
  for (const { test: proof } of decidingLines) assert.ok(existsSync(join(root, proof)), proof);
});

test('every rule that is cited is in docs/development/rules.md', () => {
  const known = new Set(rows.map(({ rule }) => rule));
  const files = ['{src,jobs,config,test}/**/*.ts', 'docs/{,guides/,development/}*.md', '*.md'].flatMap((pattern) =>
    globSync(pattern, { cwd: root }),
  );
  const unknown = files.flatMap((file) =>
    [...read(file).matchAll(/\bR\d+\b/g)].filter(([rule]) => !known.has(rule)).map(([rule]) => `${file}: ${rule}`),
  );
  assert.deepEqual(unknown, []);
});
