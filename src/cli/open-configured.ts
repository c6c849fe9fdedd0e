import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/load.ts';
import type { SourceConfig } from '../../config/source-schema.ts';
import { InputError } from '../core/errors.ts';
import { pathsAsked, type MappingOptions } from '../core/mapping.ts';
import { isRejectsHeader } from '../core/row.ts';
import type { Validators } from '../core/source.ts';
import type { FetchedRoster } from '../roster/fetch/open-http.ts';
import { openSource } from '../roster/open-source.ts';
import { readVersion } from '../version.ts';
import { configured } from './mapping-of.ts';
import type { Output } from './output.ts';

/** The source of a name. Throws an `InputError` that lists those there are. */
export function requireSource(config: Config, name: string): SourceConfig {
  const source = configured(config, name);
  if (source) return source;
  const names = Object.keys(config.sources);
  const known =
    names.length > 0
      ? `${names.length === 1 ? 'There is' : 'There are'} ${names.join(', ')}.`
      : 'None is set; `roster-sync init FILE` writes one.';
  throw new InputError(`There is no source ${name} in ${config.file ?? 'the settings'}. ${known}`);
}

/** What opening a source of the config works with. */
interface OpenConfigured {
  config: Config;
  output: Output;
  signal: AbortSignal;
  /** What its server said of the roster that was read last; where that still holds, `SourceUnchanged` is thrown. */
  validators?: Validators;
}

/** Opens a source of the config. A file of rejects in its place is refused: it holds only a few of the people. */
export async function openConfigured(
  name: string,
  source: SourceConfig,
  columns: MappingOptions,
  { config, output, signal, validators }: OpenConfigured,
): Promise<FetchedRoster> {
  const { read } = source;
  const paths = pathsAsked(columns);
  const roster = await openSource(source, {
    name,
    open: { ...read, ...(paths.length > 0 && { paths }) },
    environment: config.proxyEnvironment,
    userAgent: `roster-sync/${readVersion()}`,
    now: () => new Date(),
    random: Math.random,
    wait: (ms, stop) => sleep(ms, undefined, stop ? { signal: stop } : {}),
    signal,
    ...(validators && { validators }),
    onWait: (what, ms) => output.note(`${what} (${Math.ceil(ms / 1000)} s)`),
  });
  if (!isRejectsHeader(roster.form.header)) return roster;
  await roster.close();
  throw new InputError(
    `${roster.form.file} is a file of rejects, not a roster of ${name}: it holds only rows that are to be corrected. ` +
      `Once they are, \`roster-sync import\` takes it; keep it where no source looks for its files. Nothing was sent.`,
  );
}
