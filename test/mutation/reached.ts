import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './mutants.ts';

/** What test files run of a source file. */
interface Reached {
  test: string;
  /** How long the test file takes, ms. */
  tookMs: number;
  /** By source file: pieces that never ran, innermost last. */
  files: Map<string, Piece[]>;
}
interface Piece {
  from: number;
  to: number;
  ran: boolean;
}
type Coverage = {
  result: { url: string; functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[] }[];
};

/** The flags with which tests run here: in one process, on the embedded ledger only. */
export const testFlags = [
  '--test',
  '--test-isolation=none',
  '--test-skip-pattern=/on Redis and PostgreSQL/',
  '--test-timeout=120000',
];

/** Tests of one file take longer only if they hang, ms. */
const longestMs = 240_000;

/** A test that runs a mutant, and how long it takes without one, ms. */
export type ReachedBy = Pick<Reached, 'test' | 'tookMs'>;

/** Knows which tests run which code, by running each of them once (V8's coverage). */
export class Reach {
  readonly #all = new Map<string, Reached>();
  readonly #root: string;

  /** @param root where the product is copied to */
  constructor(root: string) {
    this.#root = root;
  }

  /** A test that passes without any mutant; undefined of one that fails. */
  passing(test: string): ReachedBy | undefined {
    const known = this.#known(test, false);
    return known.tookMs > 0 ? known : undefined;
  }

  #known(test: string, isCovered: boolean): Reached {
    const known = this.#all.get(test) ?? this.#measure(test, isCovered);
    this.#all.set(test, known);
    return known;
  }

  /** What a test file runs; nothing if it fails without any mutant. */
  #measure(test: string, isCovered: boolean): Reached {
    const root = this.#root;
    const folder = mkdtempSync(join(tmpdir(), 'coverage-'));
    try {
      const began = performance.now();
      const env = { ...process.env, ...(isCovered && { NODE_V8_COVERAGE: folder }) };
      const { status } = spawnSync(process.execPath, [...testFlags, test], {
        cwd: root,
        stdio: 'ignore',
        timeout: longestMs,
        killSignal: 'SIGKILL',
        env,
      });
      if (status !== 0) {
        process.stdout.write(`left out, it fails without a mutant\t${test}\n`);
        return { test, tookMs: 0, files: new Map() };
      }
      const files = new Map<string, Piece[]>();
      for (const file of readdirSync(folder)) {
        const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Coverage;
        for (const { url, functions } of result) {
          if (!url.startsWith('file:') || !url.includes('/src/')) continue;
          const path = fileURLToPath(url).slice(root.length + 1);
          const pieces = functions.flatMap(({ ranges }) =>
            ranges.map(({ startOffset: from, endOffset: to, count }) => ({ from, to, ran: count > 0 })),
          );
          files.set(path, [...(files.get(path) ?? []), ...pieces]);
        }
      }
      return { test, tookMs: performance.now() - began, files };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** A test that runs a place; undefined of one that does not. */
  reaching(test: string, { file, at: operator, was }: Mutant): ReachedBy | undefined {
    // What stands behind such an operator may never run although the operator does.
    const at = /^(?:&&|\|\||\?\?)$/.test(was) ? operator - 2 : operator;
    const known = this.#known(test, true);
    const around = (known.files.get(file) ?? []).filter(({ from, to }) => from <= at && at < to);
    // The innermost piece decides.
    const innermost = around.toSorted((one, other) => one.to - one.from - (other.to - other.from))[0];
    return innermost?.ran === true ? known : undefined;
  }
}
