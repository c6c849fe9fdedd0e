import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PlantedFault, plantedFaults } from './faults.ts';

// Puts each fault into a copy of the product, and lets the simulation search for it: `node test/simulation/planted/run.ts [SECONDS] [WORD] [PART] [PARTS]`.
const root = join(import.meta.dirname, '../../..');
const [seconds = '60', only = ''] = process.argv.slice(2);
const copied = ['src', 'jobs', 'config', 'test/simulation', 'package.json', 'tsconfig.json'];

function plant(folder: string, { name, file, find, replace }: PlantedFault): () => void {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(find).length !== 2) throw new Error(`${name}: it does not fit ${file} any more`);
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  return () => writeFileSync(path, text);
}

const folder = mkdtempSync(join(tmpdir(), 'roster-sync-planted-'));
let found = 0;
const wanted = plantedFaults.filter(
  ({ name }, at) => name.includes(only) && at % Number(process.argv[5] ?? 1) === Number(process.argv[4] ?? 0),
);
try {
  for (const part of copied) cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const fault of wanted) {
    const takeOut = plant(folder, fault);
    const answer = execFileSync(process.execPath, [join(folder, 'test/simulation/planted/hunt.ts'), seconds], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    takeOut();
    const { seeds, ms, said } = JSON.parse(answer.trim().split('\n').at(-1) ?? '{}') as {
      seeds: number;
      ms: number;
      said?: string;
    };
    if (said !== undefined) found += 1;
    process.stdout.write(
      `${said === undefined ? 'NOT FOUND' : 'found'}\t${seeds} seeds\t${(ms / 1000).toFixed(0)} s\t${fault.name}\t${said ?? ''}\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${found} of ${wanted.length} found\n`);
process.exitCode = found >= wanted.length * 0.9 ? 0 : 1;
