import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Chance } from '../simulation/world/chance.ts';
import { readCorpus, writeCorpus } from './fuzz/corpus.ts';
import { Coverage } from './fuzz/coverage.ts';
import { Search } from './fuzz/search.ts';
import { tryOne } from './fuzz/try.ts';
import { Watchdog } from './fuzz/watchdog.ts';

/** How long and what to search. */
export interface FuzzOptions {
  /** Of processor time, for all parsers together. */
  minutes: number;
  seed: number;
  /** Only parsers whose name begins like this. */
  parser?: string;
  /** Keep what was found for the next search. */
  keep?: boolean;
  /** Called every five minutes. */
  report?: (searches: readonly Search[]) => void;
  signal?: AbortSignal;
}

const sliceMs = 2_000;
const reportMs = 300_000;
/** Of each parser, so many inputs of so many bytes are kept in the repository. */
const kept = { inputs: 60, bytes: 3_000 };

/** Reads spoilt inputs with every parser, in turn, until the time is over. What goes wrong is written to files as well. */
export async function fuzz({ minutes, seed, parser = '', keep, report, signal }: FuzzOptions): Promise<Search[]> {
  const failures = join(tmpdir(), 'roster-sync-fuzz');
  mkdirSync(failures, { recursive: true });
  const [before, temporary] = [process.env['TMPDIR'], mkdtempSync(join(tmpdir(), 'fuzz-'))];
  process.env['TMPDIR'] = temporary;
  // Before the parsers are loaded: only then is counted what runs of them.
  const coverage = new Coverage();
  const watchdog = new Watchdog(join(failures, 'endless.bin'));
  const { fuzzTargets } = await import('./fuzz/targets.ts');
  const tools = { coverage, watchdog, temporary, chance: new Chance(seed) };
  const searches = fuzzTargets
    .filter(({ name }) => name.startsWith(parser))
    .map((target) => new Search(target, readCorpus(target.name), tools));
  try {
    for (const search of searches) await search.begin();
    const each = (minutes * 60_000) / searches.length;
    let reported = performance.now();
    for (let round = 0; round * sliceMs < each; round += 1) {
      for (const search of searches) if (!signal?.aborted) await search.run(Math.min(sliceMs, each - round * sliceMs));
      if (performance.now() - reported < reportMs) continue;
      reported = performance.now();
      report?.(searches);
    }
    if (keep) for (const search of searches) writeCorpus(search.target.name, await search.distil(kept));
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(temporary, { recursive: true, force: true });
    await watchdog.stop();
  }
  for (const { target, faults } of searches) {
    let number = 0;
    for (const { input } of faults.values())
      writeFileSync(join(failures, `${target.name}-${seed}-${(number += 1)}.bin`), input);
  }
  return searches;
}

/** What was wrong, with the inputs; undefined if nothing was. */
export function faultsOf(searches: readonly Search[]): string | undefined {
  const faults = searches.flatMap(({ target, faults: found }) =>
    Array.from(
      found.values(),
      ({ input, wrong }) => `${target.name}: ${wrong}\nthe input, in Base64: ${input.toString('base64')}`,
    ),
  );
  return faults.length === 0 ? undefined : faults.join('\n\n');
}

/** A line for each parser. */
export function figuresOf(searches: readonly Search[]): string {
  const lines = searches.map(({ target, processorMs, inputs, kept: { length }, faults }) =>
    [
      target.name.padEnd(20),
      `${(processorMs / 60_000).toFixed(2)} min`,
      inputs,
      `${length} kept`,
      `${faults.size} wrong`,
    ].join('\t'),
  );
  return `${lines.join('\n')}\n`;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      ...{
        minutes: { type: 'string', default: '60' },
        seed: { type: 'string' },
        parser: { type: 'string', default: '' },
      },
      ...{ keep: { type: 'boolean', default: false }, input: { type: 'string' } },
    },
  });
  if (values.input === undefined) {
    const stopped = new AbortController();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopped.abort());
    const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000_000));
    process.stdout.write(`seed ${seed}\n`);
    const searches = await fuzz({
      ...{ seed, minutes: Number(values.minutes), parser: values.parser, keep: values.keep, signal: stopped.signal },
      report: (all) => process.stdout.write(`${figuresOf(all)}${faultsOf(all) ?? ''}\n`),
    });
    const wrong = faultsOf(searches);
    process.stdout.write(`${figuresOf(searches)}${wrong ?? 'nothing was wrong'}\n`);
    process.exitCode = wrong === undefined ? 0 : 1;
  } else {
    const { fuzzTargets } = await import('./fuzz/targets.ts');
    const input = readFileSync(values.input);
    for (const target of fuzzTargets.filter(({ name }) => name.startsWith(values.parser)))
      process.stdout.write(`${target.name}: ${(await tryOne(target, input)) ?? 'nothing was wrong'}\n`);
  }
}
