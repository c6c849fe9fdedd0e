import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, extname, relative, resolve } from 'node:path';
import { loadConfig } from '../../config/load.ts';
import { writeConfig } from '../../config/source-block.ts';
import { InputError } from '../core/errors.ts';
import { escapeText } from '../core/escape.ts';
import { renderInspection } from '../report/render-inspection.ts';
import type { ColumnOptions } from './import.ts';
import { inspect } from './inspect.ts';
import { type GlobalOptions, openOutput } from './session.ts';

/** The flags of `init`. */
export interface InitOptions extends GlobalOptions, ColumnOptions {}

/** `roster-sync init [file]`: writes a config, with a source for the file. It never overwrites one. */
export async function initConfig(file: string | undefined, options: InitOptions): Promise<number> {
  const output = openOutput(options);
  const path = options.config ?? 'roster-sync.yaml';
  if (existsSync(path)) throw alreadyThere(path);
  if (file === '-') throw new InputError('Standard input cannot be a source that is read again: name a file.');
  const config = loadConfig({ environment: {} });
  const inspection = file === undefined ? undefined : await inspect(file, options, { config, output });
  const source =
    file === undefined || !inspection
      ? undefined
      : { name: nameOf(file), file: pathFrom(path, file), block: inspection.block };
  await writeNew(path, writeConfig(source));
  if (inspection) {
    output.print(renderInspection({ ...inspection, block: [] }, output.style, { verbose: options.verbose ?? false }));
    output.print('');
  }
  const lacking = inspection?.problem === undefined ? 'L' : 'It is not complete: put in what is not settled yet. L';
  const next = source
    ? `${lacking}ook at it, then \`roster-sync sync ${source.name} --dry-run\` shows what would be sent.`
    : 'Set the service in it; `roster-sync inspect FILE` proposes a source for a file.';
  output.print(`${escapeText(path)} was written. ${next}`);
  if (options.json) output.json({ file: path, ...(source && { source: source.name }) });
  return 0;
}

/** A file's name as that of a source: letters, digits, and - _ . */
function nameOf(file: string): string {
  const unpacked = file.replace(/\.gz$/i, '');
  const name = basename(unpacked, extname(unpacked))
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+/u, '');
  return name === '' ? 'staff' : name;
}

/** A file as seen from the folder of the config. */
function pathFrom(config: string, file: string): string {
  const path = relative(dirname(resolve(config)), resolve(file)).replaceAll('\\', '/');
  return path.startsWith('.') || path.startsWith('/') ? path : `./${path}`;
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'EEXIST') throw alreadyThere(path);
    throw new InputError(`${path} cannot be written (${code}).`, { cause: error });
  }
}

function alreadyThere(path: string): InputError {
  return new InputError(
    `${path} is there already, and init never overwrites: \`roster-sync inspect FILE\` prints what to put into it.`,
  );
}
