// `config` and `init`: shows the settings in force, secrets masked; writes a config, with a source for a file.
import { existsSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { describeConfig, loadConfig } from '../../../config/load.ts';
import { datedLines, writeConfig } from '../../../config/source-block.ts';
import { timezoneOf } from '../../roster/configured-source.ts';
import { defined } from '../../core/defined.ts';
import { codeOf, InputError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/format.ts';
import { renderInspection } from '../../report/terminal/render-inspection.ts';
import { datedFiles, seriesOf } from '../../roster/files/passing-files.ts';
import { packageRoot } from '../../process/version.ts';
import type { Options } from '../options.ts';
import { inspect, pathFrom } from './inspect.ts';
import { type GlobalOptions, openOutput, openSession } from '../frame/session.ts';

/** It never overwrites one. */
export async function initConfig(file: string | undefined, options: Options<'init'>): Promise<number> {
  const output = openOutput(options);
  const path = options.config ?? 'roster-sync.yaml';
  if (existsSync(path)) throw alreadyThere(path);
  if (file === '-') throw new InputError('Standard input cannot be a source that is read again: name a file.');
  const config = loadConfig({ environment: {}, withoutFile: true });
  const folder = dirname(resolve(path));
  const dated = file === undefined ? undefined : await datedFiles(file);
  const read = dated?.newest ?? file;
  const inspection = read === undefined ? undefined : await inspect(read, options, { config, output, folder });
  const block = [...(dated ? datedLines(dated.gap) : []), ...(inspection?.block ?? [])];
  const named = dated?.pattern ?? file;
  const source = named === undefined ? undefined : { name: nameOf(named), file: pathFrom(folder, named), block };
  await writeNew(path, writeConfig(source, { schema: await schemaBeside(path), timezone: timezoneOf(undefined) }));
  if (inspection) {
    output.print(renderInspection({ ...inspection, block: [] }, output.style, { verbose: options.verbose ?? false }));
    output.print('');
  }
  if (dated) output.print(`Each night it reads the newest of ${dated.files} files: ${escapeText(dated.pattern)}`);
  const lacking = inspection?.problem === undefined ? 'L' : 'It is not complete: fill in what is not settled yet. L';
  const next = source
    ? `${lacking}ook at it, then \`roster-sync sync ${source.name} --dry-run\` shows what would be sent.`
    : 'Set the service in it; `roster-sync inspect FILE` proposes a source for a file.';
  output.print(`${escapeText(path)} was written. ${next}`);
  if (options.json) output.json('init', { file: path, ...defined({ source: source?.name }) });
  return 0;
}

function nameOf(file: string): string {
  const unpacked = file.replace(/\.gz$/i, '').replace(/[-_.]?\*/, '');
  const words = seriesOf(basename(unpacked, extname(unpacked))).match(/[\p{L}\p{N}][\p{L}\p{N}._]*/gu) ?? [];
  return words.join('-') || 'staff';
}

const schemaName = 'roster-sync.schema.json';

/**
 * So that editors find it on every machine. Undefined if this installation has none, or another file has that name.
 */
async function schemaBeside(config: string): Promise<string | undefined> {
  const schema = join(packageRoot(), 'config', schemaName);
  if (!existsSync(schema)) return undefined;
  const beside = join(dirname(resolve(config)), schemaName);
  if (!existsSync(beside)) await copyFile(schema, beside);
  else if (!(await readFile(beside)).equals(await readFile(schema))) return undefined;
  return `./${schemaName}`;
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') throw alreadyThere(path);
    throw new InputError(`${path} cannot be written (${code}).`, { cause: error });
  }
}

function alreadyThere(path: string): InputError {
  return new InputError(
    `${path} exists already, and init never overwrites a file. \`roster-sync inspect FILE\` prints what to put into it.`,
  );
}

export async function showConfig(options: GlobalOptions): Promise<number> {
  const { config, output } = openSession(options);
  output.print(describeConfig(config));
  output.print(
    config.file === undefined
      ? 'No config file was found here or in the folders above.'
      : `The config file is ${config.file}.`,
  );
  if (options.json) output.json('config', { file: config.file ?? null, settings: config.settings });
  return 0;
}
