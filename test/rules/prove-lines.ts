// Shows that a test fails where a line that decides a rule decides otherwise.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { copyOf } from '../mutation/copy.ts';
import { testFlags } from '../mutation/reached.ts';
import { decidingLines, type DecidingLine } from './deciding-lines.ts';

const copy = copyOf(join(import.meta.dirname, '../..'));
after(() => rmSync(copy, { recursive: true, force: true }));

/** Changes the lines of one of three parts of the tests, one after the other. Each part is a file: one alone takes minutes. */
export function proveLines(part: 0 | 1 | 2): void {
  const tests = [...Map.groupBy(decidingLines, ({ test: file }) => file)];
  for (const [file, ofFile] of tests.filter((_, index) => index % 3 === part)) proveLinesOf(file, ofFile);
}

/** How a test ended, by the beginning of its title. */
type Ends = { title: string; end: 'passed' | 'failed' | 'skipped' }[];

/** Has the named tests of a file run in the copy, each on the embedded ledger only. */
function run(file: string, titles: readonly string[]): Ends {
  const named = titles.map((title) => `--test-name-pattern=${title.replaceAll(/[.*+?()[\]]/g, String.raw`\$&`)}`);
  // A test that finds itself within another one runs nothing.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(copy, '.compiled'), NODE_TEST_CONTEXT: undefined };
  const args = [...testFlags, '--test-reporter=tap', ...named, file];
  const { stdout } = spawnSync(process.execPath, args, { cwd: copy, env, encoding: 'utf8' });
  return [...stdout.matchAll(/^ *(not )?ok \d+ - (.*?)( # SKIP.*)?$/gm)].flatMap(([, not, title = '', skipped]) =>
    titles
      .filter((each) => title.replaceAll('\\', '').startsWith(each))
      .map((each) => ({ title: each, end: skipped ? 'skipped' : not ? 'failed' : 'passed' })),
  );
}

function proveLinesOf(file: string, lines: readonly DecidingLine[]): void {
  suite(`${file} fails where another thing is decided:`, () => {
    const titles = lines.map(({ title }) => title);
    let usual: Ends = [];
    before(() => {
      usual = run(file, titles);
    });

    for (const line of lines) {
      test(line.decides, (t) => {
        const ends = usual.filter(({ title }) => title === line.title).map(({ end }) => end);
        assert.ok(ends.length > 0, `there is no test "${line.title}"`);
        assert.ok(!ends.includes('failed'), 'it passes without the change');
        if (!ends.includes('passed')) return t.skip('what it needs is not installed');
        assert.ok(changed(line, () => run(file, [line.title])).some(({ end }) => end === 'failed'));
      });
    }
  });
}

/** What is so while a line decides otherwise. */
function changed({ file, line, find = line, becomes }: DecidingLine, ask: () => Ends): Ends {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(find, () => becomes),
  );
  try {
    return ask();
  } finally {
    writeFileSync(path, text);
  }
}
