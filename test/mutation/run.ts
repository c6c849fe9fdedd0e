import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chance } from '../simulation/world/chance.ts';
import { mutantsOf, mutate } from './mutants.ts';
import { targets } from './targets.ts';

// Tries a sample of mutants, drawn by a seed, in a copy of the product: `npm run mutate -- COUNT [SEED] [WORD]`.
const [count = '40', seed = '1', word = ''] = process.argv.slice(2);
const root = join(import.meta.dirname, '../..');
const longestMs = 180_000;

const folder = mkdtempSync(join(tmpdir(), 'roster-sync-mutants-'));
try {
  for (const part of ['src', 'jobs', 'config', 'test', 'examples', 'docs', 'package.json', 'tsconfig.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const all = Object.keys(targets)
    .filter((file) => file.includes(word))
    .flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')));
  const sample = new Chance(Number(seed)).shuffled(all).slice(0, Number(count));
  let killed = 0;
  for (const mutant of sample) {
    const path = join(folder, mutant.file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, mutate(text, mutant));
    const { status } = spawnSync(
      process.execPath,
      ['--test', '--test-timeout=120000', ...(targets[mutant.file] ?? [])],
      {
        cwd: folder,
        stdio: 'ignore',
        timeout: longestMs,
      },
    );
    writeFileSync(path, text);
    if (status !== 0) killed += 1;
    else {
      const line = text.split('\n')[mutant.line - 1]?.trim() ?? '';
      process.stdout.write(
        `survived\t${mutant.file}:${mutant.line}\t${mutant.was} became ${mutant.is}\t${line.slice(0, 120)}\n`,
      );
    }
  }
  process.stdout.write(
    `${killed} of ${sample.length} killed (${Math.round((100 * killed) / sample.length)} %), of ${all.length} mutants; seed ${seed}\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
