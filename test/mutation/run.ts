import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Chance } from '../simulation/world/chance.ts';
import { copyOf } from './copy.ts';
import { isOfDefault, whyEqual } from './equal.ts';
import { type Mutant, mutantsOf, mutate } from './mutants.ts';
import { most, Nearest } from './nearest.ts';
import { Reach, type ReachedBy, testFlags } from './reached.ts';

// Tries a sample of mutants, drawn by a seed, in a copy of the product:
// npm run mutate -- --sample 150 --seed 1 --only src/core/guards
const { values } = parseArgs({
  options: {
    ...{ sample: { type: 'string', default: '40' }, seed: { type: 'string', default: '1' } },
    // So many of each folder, and an end after so many minutes.
    ...{ each: { type: 'string' }, minutes: { type: 'string' } },
    only: { type: 'string', default: 'src/{core,ledger/moves}/**' },
    // Instead of the nearest: tests that are known to be about these files.
    tests: { type: 'string' },
  },
});
/** What happened to the mutants of a folder. */
interface Figures {
  mutants: number;
  killed: number;
  endless: number;
  /** Not counted: they change nothing. */
  equal: number;
}

const root = join(import.meta.dirname, '../..');
/** A mutant is endless if its tests take so many times as long as without it, and so many ms more. */
const longest = { times: 4, moreMs: 10_000 };

const pattern = /[*{]/.test(values.only) || values.only.endsWith('.ts') ? values.only : `${values.only}/**`;
const files = globSync(pattern, { cwd: root })
  .filter((file) => file.endsWith('.ts'))
  .toSorted();
const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')));
const shuffled = new Chance(Number(values.seed)).shuffled(all);
const byFolder = Object.values(Object.groupBy(shuffled, ({ file }) => dirname(file)));
const sample =
  values.each === undefined
    ? shuffled.slice(0, values.sample === 'all' ? all.length : Number(values.sample))
    : byFolder.flatMap((some = []) => some.slice(0, Number(values.each)));
const longestRunMs = values.minutes === undefined ? Infinity : Number(values.minutes) * 60_000;
const known = values.tests === undefined ? undefined : globSync(values.tests, { cwd: root }).toSorted();
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const copy = copyOf(root);
// Loading the tests and what they import takes longer than most of them.
const env = { ...process.env, NODE_COMPILE_CACHE: join(copy, '.compiled') };
const reach = new Reach(copy);
const nearest = new Nearest(root);
try {
  const began = performance.now();
  const figures = new Map<string, Figures>();
  for (const mutant of sample) {
    if (performance.now() - began > longestRunMs) break;
    const tests = (known ?? nearest.testsOf(mutant.file))
      .slice(0, isOfCore(mutant) ? most.near : most.nearElsewhere)
      .toSorted((one, other) => distance(mutant, one) - distance(mutant, other));
    const result = isEqual(mutant, true) ? 'equal' : tried(mutant, tests);
    const ended = result === 'never ran' && isEqual(mutant, false) ? 'equal' : result;
    const folder = dirname(mutant.file);
    const { mutants, killed, endless, equal } = figures.get(folder) ?? { mutants: 0, killed: 0, endless: 0, equal: 0 };
    figures.set(folder, {
      mutants: mutants + 1,
      killed: killed + Number(ended === 'killed'),
      endless: endless + Number(ended === 'endless'),
      equal: equal + Number(ended === 'equal'),
    });
    if (ended !== 'killed') say(describe(mutant, ended));
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  say(`\n${seconds} s, ${all.length} mutants in ${files.length} files, seed ${values.seed}`);
  for (const [folder, each] of figures) say(sayFigures(folder, each));
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** Outside of core, what a test runs of the code says little, and costs much: a statement is written whole. */
function isOfCore({ file }: Pick<Mutant, 'file'>): boolean {
  return file.startsWith('src/core/');
}

function isEqual(mutant: Mutant, isReached: boolean): boolean {
  const text = readFileSync(join(root, mutant.file), 'utf8');
  const line = text.split('\n')[mutant.line - 1] ?? '';
  return whyEqual(mutant, line) !== undefined || (!isReached && isOfDefault(mutant, text));
}

/** What the tests say to it, one after the other until one fails. */
function tried(mutant: Mutant, tests: readonly string[]): 'killed' | 'survived' | 'endless' | 'never ran' {
  const path = join(copy, mutant.file);
  const text = readFileSync(path, 'utf8');
  let isReached = false;
  for (const test of tests) {
    const reachedBy = isOfCore(mutant) ? reach.reaching(test, mutant) : reach.passing(test);
    if (!reachedBy) continue;
    isReached = true;
    writeFileSync(path, mutate(text, mutant));
    const { status, signal } = run(reachedBy);
    writeFileSync(path, text);
    if (status !== 0) return signal === 'SIGKILL' ? 'endless' : 'killed';
  }
  return isReached ? 'survived' : 'never ran';
}

/** What runs when a file is loaded runs in every test of anything: tests that import the file itself know more. */
function distance({ file }: Mutant, test: string): number {
  return isOfCore({ file }) ? Number(!nearest.isDirect(test, file)) : 0;
}

function run({ test, tookMs }: ReachedBy) {
  const reporter = join(copy, 'test/mutation/fail-fast.ts');
  const args = [...testFlags, `--test-reporter=${reporter}`, '--test-reporter-destination=stdout'];
  return spawnSync(process.execPath, [...args, test], {
    cwd: copy,
    stdio: 'ignore',
    timeout: Math.ceil(longest.moreMs + longest.times * tookMs),
    killSignal: 'SIGKILL',
    env,
  });
}

function sayFigures(folder: string, { mutants, killed, endless, equal }: Figures): string {
  const share = Math.round((1000 * (killed + endless)) / Math.max(1, mutants - equal)) / 10;
  const survived = mutants - killed - endless - equal;
  return [
    ...[folder, `${mutants} mutants`, `${killed} killed`, `${endless} by the time limit`, `${survived} survived`],
    ...[`${equal} change nothing`, `${share} %`],
  ].join('\t');
}

function describe({ file, line, was, is }: Mutant, ended: string): string {
  const text = readFileSync(join(root, file), 'utf8').split('\n')[line - 1]?.trim() ?? '';
  return `${ended}\t${file}:${line}\t${was} became ${is}\t${text.slice(0, 120)}`;
}
