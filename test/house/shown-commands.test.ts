import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { wordsOf } from '../support/guide.ts';
import { problemOf } from './shown-command.ts';

const root = join(import.meta.dirname, '../..');
const patterns = ['README.md', 'SECURITY.md', 'docs/**/*.md', 'examples/**/*.{md,yaml,service}', 'config/*.yaml'];

const ofPages = /^```.*?^```/gms;
/** In code of a line, and on lines of code as a reader would paste them. */
const inLine = /`(?:npx )?roster-sync((?: [^`]+)?)`/g;
const onLines = /^ *(?:\$ |[A-Z_]+=\S+ |ExecStart=\/usr\/bin\/)?(?:npx )?roster-sync((?: [^`\n|>;#&]+)?)/gm;

test('every command shown in the documentation and the examples exists, with its flags', () => {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }));
  let count = 0;
  const wrong = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8').replaceAll(/\\\n\s*/g, '');
    const code = file.endsWith('.md') ? [...text.matchAll(ofPages)].join('\n') : text;
    return [...text.replaceAll(ofPages, '').matchAll(inLine), ...code.matchAll(onLines)].flatMap(([, line = '']) => {
      count += 1;
      const problem = problemOf(wordsOf(line.replace(/ {2,}.*/, '')));
      return problem === undefined ? [] : [`${file}: roster-sync${line}: ${problem}`];
    });
  });
  assert.deepEqual(wrong, []);
  assert.ok(count > 150, `${count} are found`);
});
