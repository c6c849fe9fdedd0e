import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { Metered } from './meter.ts';

/** What a metered process did; `wholeMs` from its start to its end, seen from outside. */
export interface Run extends Metered {
  wholeMs: number;
}

/** Runs a Node program with the meter; throws with its output when it fails. */
export async function runMetered(args: readonly string[], environment: Record<string, string> = {}): Promise<Run> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(ROSTER_SYNC|REDIS_URL|DATABASE_URL)/.test(name));
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', join(import.meta.dirname, 'meter.ts'), ...args], {
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [stderr, figures, [code]] = await Promise.all([
    text(child.stderr as Readable),
    text(child.stdio[3] as Readable),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${stderr}`);
  return { ...(JSON.parse(figures) as Metered), wholeMs: performance.now() - started };
}
