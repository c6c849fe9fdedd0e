import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

test('`npm run test:all` runs every test file, and each once', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { test: string; 'test:all': string; 'test:long': string };
  };
  assert.equal(scripts['test:all'], 'npm test && npm run test:long');
  const asked = [...`${scripts.test} ${scripts['test:long']}`.matchAll(/"(test\/[^"]+)"/g)].flatMap(
    ([, pattern = '']) => globSync(pattern, { cwd: root }),
  );
  const imported = asked
    .filter((file) => file.startsWith('test/at-once/'))
    .map((file) => /importTests\('(.*)'\)/.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? '')
    .flatMap((pattern) => globSync(`test/${pattern}`, { cwd: root }));
  assert.deepEqual([...asked, ...imported].toSorted(), globSync('test/**/*.test.ts', { cwd: root }).toSorted());
});
