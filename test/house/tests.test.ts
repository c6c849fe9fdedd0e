import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Nearest } from '../mutation/nearest.ts';

const root = join(import.meta.dirname, '../..');

test('test/README.md has a line for each folder of tests, and no other', () => {
  const page = readFileSync(join(root, 'test/README.md'), 'utf8');
  const lines = Array.from(page.matchAll(/^\| `([^`]+)` \| \S/gm), ([, folder]) => folder);
  const folders = readdirSync(join(root, 'test'), { withFileTypes: true }).flatMap((each) =>
    each.isDirectory() ? [each.name] : [],
  );
  assert.deepEqual(lines, folders.toSorted());
});

test('`npm run test:near` finds the tests of a folder, of a file, and of a part without any nearer ones', () => {
  const nearest = new Nearest(root);
  const has = (path: string, test: RegExp): boolean => nearest.near(path).some((found) => test.test(found));
  assert.ok(has('src/core/guards', /^test\/core\/.*guards\.test\.ts$/));
  assert.ok(has('src/ledger/moves/claim.ts', /^test\/contract\/ledger-delivering\.test\.ts$/));
  assert.ok(has('src/cli/commands', /^test\/cli\/approve\.test\.ts$/));
  assert.deepEqual(nearest.near('src/nothing'), []);
  assert.ok(has('src/library', /^test\/library\//));
});
