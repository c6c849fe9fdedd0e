// Reads what is data: a folder of YAML files for each kind, which the package has as one JSON file.
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import type * as Yaml from 'yaml';

const here = import.meta.dirname;
const isPacked = import.meta.filename.endsWith('.js');
const cache = join(here, '../../node_modules/.cache/roster-sync/data');

/** How the files of a kind become what is used; without it, they are used as they are, by their names. */
export interface Compiled<File, Value> {
  by: (files: Readonly<Record<string, File>>) => Value;
  /** The files of the code that does it: what was compiled by others is compiled anew. */
  code: readonly string[];
}

/** A package has it compiled; a checkout compiles it after a change, and keeps it under `node_modules/.cache`. */
export function dataOf<File, Value = Readonly<Record<string, File>>>(
  folder: string,
  compiled?: Compiled<File, Value>,
): () => Value {
  let value: Value | undefined;
  return () => (value ??= isPacked ? (readJson(join(here, `${folder}.json`)) as Value) : readKept(folder, compiled));
}

export function readFiles<File>(folder: string): Record<string, File> {
  const { parse } = createRequire(import.meta.url)('yaml') as typeof Yaml;
  return Object.fromEntries(
    filesOf(folder).map((file) => {
      try {
        return [nameOf(file), parse(readFileSync(file, 'utf8')) as File];
      } catch (error) {
        throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
    }),
  );
}

const nameOf = (file: string): string => basename(file, '.yaml');

function filesOf(folder: string): string[] {
  const names = readdirSync(join(here, folder)).filter((name) => name.endsWith('.yaml'));
  return names.map((name) => join(here, folder, name)).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function readKept<File, Value>(folder: string, compiled?: Compiled<File, Value>): Value {
  const made = [...filesOf(folder), ...(compiled?.code ?? [])].map((file) => {
    const { mtimeMs, size } = statSync(file);
    return `${file} ${mtimeMs} ${size}`;
  });
  const kept = join(cache, `${folder}.json`);
  try {
    const known = readJson(kept) as { made: string[]; value: Value };
    if (known.made.join('\n') === made.join('\n')) return known.value;
  } catch {
    // There is none yet, or a broken one.
  }
  const files = readFiles<File>(folder);
  const value = compiled ? compiled.by(files) : (files as Value);
  try {
    mkdirSync(cache, { recursive: true });
    writeFileSync(`${kept}.${process.pid}`, JSON.stringify({ made, value }));
    renameSync(`${kept}.${process.pid}`, kept);
  } catch {
    // Where nothing can be written, it is compiled each time.
  }
  return value;
}
