/**
 * How long the packed, compiled bin takes for `--version` and `--help`, as a ratio to `node -e 0` of the same Node.
 * Medians of alternating runs. Exits 1 when a ratio is above 3.
 *
 *   node bench/startup.ts [rounds]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './support/figure.ts';
import { installPackage, run } from './support/packed-bin.ts';

const most = 3;
const rounds = Number(process.argv[2] ?? 21);
const folder = mkdtempSync(join(tmpdir(), 'roster-sync-startup-'));

function measure(cases: Record<string, string[]>): Record<string, number> {
  const times = new Map(Object.keys(cases).map((name) => [name, [] as number[]]));
  // The first round fills the file system's cache and is not counted.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, args] of Object.entries(cases)) {
      const start = performance.now();
      run(process.execPath, args, folder);
      if (round > 0) times.get(name)?.push(performance.now() - start);
    }
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, median(all)]));
}

try {
  const bin = installPackage(folder);
  const { raw = Number.NaN, ...ours } = measure({
    raw: ['-e', '0'],
    '--version': [bin, '--version'],
    '--help': [bin, '--help'],
  });
  console.log(`node -e 0    ${raw.toFixed(1)} ms    Node ${process.versions.node}, median of ${rounds}`);
  for (const [name, time] of Object.entries(ours)) {
    const ratio = time / raw;
    console.log(`${name.padEnd(12)} ${time.toFixed(1)} ms    ratio ${ratio.toFixed(2)} (at most ${most})`);
    if (!(ratio <= most)) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
