import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Chance } from '../simulation/world/chance.ts';
import { type Mutant, mutantsOf, mutate } from './mutants.ts';
import { Nearest } from './nearest.ts';
import { Reach, testFlags } from './reached.ts';

// Tries a sample of mutants, drawn by a seed, in a copy of the product:
// npm run mutate -- --sample 150 --seed 1 --only src/core/guards
const { values } = parseArgs({
  options: {
    ...{ sample: { type: 'string', default: '40' }, seed: { type: 'string', default: '1' } },
    only: { type: 'string', default: 'src/{core,ledger/moves}/**' },
    // Instead of the nearest: tests that are known to be about these files.
    tests: { type: 'string' },
  },
});
const root = join(import.meta.dirname, '../..');
/** Of the tests that import a file, the number of the nearest that are measured, and of those that run the mutant. */
const most = { near: 12, tried: 8 };
const longestMs = 60_000;
/** Words of headings in each language are data, and `mapping` has tests that read them all. */
const data = /^src\/core\/headings\/(?!read|heading)/;

const pattern = /[*{]/.test(values.only) || values.only.endsWith('.ts') ? values.only : `${values.only}/**`;
const files = globSync(pattern, { cwd: root })
  .filter((file) => file.endsWith('.ts') && !data.test(file))
  .toSorted();
const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')));
const sample = new Chance(Number(values.seed)).shuffled(all).slice(0, Number(values.sample));
const known = values.tests === undefined ? undefined : globSync(values.tests, { cwd: root }).toSorted();
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const copy = realpathSync(mkdtempSync(join(tmpdir(), 'roster-sync-mutants-')));
try {
  for (const part of ['src', 'jobs', 'config', 'test', 'examples', 'docs', 'package.json', 'tsconfig.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const reach = new Reach(copy);
  const nearest = new Nearest(root);
  const began = performance.now();
  let killed = 0;
  let endless = 0;
  for (const mutant of sample) {
    const near = known ?? nearest.testsOf(mutant.file).slice(0, most.near);
    const tests = reach.testsOf(mutant, near).slice(0, most.tried);
    const ended = tests.length === 0 ? 'never ran' : tried(mutant, tests);
    if (ended === 'killed') killed += 1;
    else if (ended === 'endless') endless += 1;
    if (ended !== 'killed') say(describe(mutant, ended));
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  const share = Math.round((1000 * (killed + endless)) / sample.length) / 10;
  say(
    `${killed + endless} of ${sample.length} killed (${share} %; ${endless} by the time limit) in ${seconds} s, of ${all.length} mutants in ${files.length} files; seed ${values.seed}`,
  );
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** What the tests say to it: one that fails is enough. */
function tried(mutant: Mutant, tests: readonly string[]): 'killed' | 'survived' | 'endless' {
  const path = join(copy, mutant.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, mutate(text, mutant));
  const reporter = join(copy, 'test/mutation/fail-fast.ts');
  const args = [...testFlags, `--test-reporter=${reporter}`, '--test-reporter-destination=stdout', ...tests];
  const { status, signal } = spawnSync(process.execPath, args, {
    cwd: copy,
    stdio: 'ignore',
    timeout: longestMs,
    killSignal: 'SIGKILL',
  });
  writeFileSync(path, text);
  return status === 0 ? 'survived' : signal === 'SIGKILL' ? 'endless' : 'killed';
}

function describe({ file, line, was, is }: Mutant, ended: string): string {
  const text = readFileSync(join(root, file), 'utf8').split('\n')[line - 1]?.trim() ?? '';
  return `${ended}\t${file}:${line}\t${was} became ${is}\t${text.slice(0, 120)}`;
}
