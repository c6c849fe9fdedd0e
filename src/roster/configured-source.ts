// Checks a source of the config, and opens it: a place, or a system through its preset, with its mapping rules.
import { setTimeout as sleep } from 'node:timers/promises';
import { refusal, InputError } from '../core/errors.ts';
import type { Config } from '../../config/load.ts';
import type { Validators } from '../core/rows/source.ts';
import { places, placesOf, kindOf, secretsOfSource, type SourceLocation, loadKeys } from './places.ts';
import type { SourceConfig } from '../../config/source-schema.ts';
import { defined } from '../core/defined.ts';
import { type MappingOptions, columnsToRead } from '../core/mapping/mapping-options.ts';
import { type MappingRules, columnsAsked } from '../core/mapping/mapping-rules.ts';
import { isRejectsHeader } from '../core/rows/row.ts';
import type { FetchedRoster, HttpSource, SourceDeps } from './roster-file.ts';
import { findPreset, pushedRules, rulesFor, fillRequest, onlyOf } from './presets/presets.ts';
import { readVersion } from '../process/version.ts';
import { type Redact, redactError } from '../core/secrets/secret.ts';
import type { Preset } from './presets/preset-schema.ts';

export function configured(config: Config, source: string | undefined): SourceConfig | undefined {
  return source !== undefined && Object.hasOwn(config.sources, source) ? config.sources[source] : undefined;
}

/** From where a source of the config is read, in a few words; empty where nothing says it. */
export function placeOf(source: SourceConfig): string {
  const { file, scim, preset } = source;
  const [place] = placesOf(source);
  const where = place === undefined ? scim && 'SCIM' : (file ?? places[place].title);
  return [preset && `preset ${preset}`, where].filter((part) => part !== undefined).join(', ');
}

/** Whether there is anything to read of a source besides its events. */
export function hasRoster(source: SourceConfig): boolean {
  return placesOf(source).length > 0 || (source.preset ?? source.scim) !== undefined;
}

/** The time zone in which days of a source are judged: that of its schedule, else of this machine. */
export function timezoneOf(source: SourceConfig | undefined): string {
  return source?.schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The source of a name. Throws an `InputError` that lists those there are. */
export function requireSource(config: Config, name: string): SourceConfig {
  const source = configured(config, name);
  if (source) return source;
  const names = Object.keys(config.sources);
  const known =
    names.length > 0 ? `${names.length === 1 ? 'There is' : 'There are'} ${names.join(', ')}.` : 'None is set.';
  throw new InputError(`There is no source ${name} in ${config.file ?? 'the settings'}. ${known}`, {
    next: names.length > 0 ? [] : [{ act: 'sources.init' }],
  });
}

/**
 * What is wrong with sources of the config, that nobody can read them ever: the source, and a line that begins with where
 * it is set. One that says how people become members but not where they are is for imports and events, unless a time is
 * due for it.
 */
export function sourceProblems({ sources, settings }: Config): { source: string; problem: string }[] {
  return Object.entries(sources).flatMap(([source, its]) => {
    try {
      settleSource(its, {
        mayLack: its.scim !== undefined || (its.schedule === undefined && Object.keys(its).length > 0),
      });
      return [];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const name = `sources.${source}`;
      const place = settings.find((setting) => setting.name === name)?.from ?? 'settings';
      return [{ source, problem: `${place}: ${name}: ${error.message.replaceAll(/\n */g, '; ')}` }];
    }
  });
}

/** Throws an `InputError` with all that is wrong with sources of the config. */
export function assertSources(config: Config): void {
  const problems = sourceProblems(config).map(({ problem }) => problem);
  if (problems.length === 1) throw new InputError(problems.join());
  if (problems.length > 1)
    throw new InputError(`The settings have ${problems.length} problems:\n  ${problems.join('\n  ')}`);
}

/**
 * How the rows of a source become members, and where it is the day that it is: its own settings, and behind them those of its
 * preset, where a header is given without what it has no columns for.
 */
export function mappingOf(
  source: SourceConfig | undefined,
  header?: readonly string[],
): Pick<MappingOptions, 'rules' | 'defaults' | 'timezone'> {
  const timezone = timezoneOf(source);
  if (!source) return { timezone };
  const { members, only, except, leavers, groups, rename, renamePatterns, allow, preset, scim } = source;
  const rules: MappingRules = defined({ members, only, except, leavers, groups, rename, renamePatterns, allow });
  if (scim !== undefined) return { timezone, rules, defaults: pushedRules() };
  if (preset === undefined) return { timezone, rules };
  const found = findPreset(preset);
  return { timezone, rules, defaults: header ? rulesFor(found, header) : found.rules };
}

export interface OpenConfigured {
  signal?: AbortSignal;
  /** What its server said about the roster that was read last; where that still holds, `SourceUnchanged` is thrown. */
  validators?: Validators;
  /** Gets what takes time: waiting for a file to settle, or before another try. */
  onWait?(what: string, ms: number): void;
  /** Only the people of these ids; see `canFetchById`. */
  employees?: readonly string[];
}

/** Whether a source can be asked for single people, by the ids that the events of its system have. */
export function canFetchById({ preset }: SourceConfig): boolean {
  return preset !== undefined && findPreset(preset).request?.byId !== undefined;
}

/**
 * Opens a source of the config. A file of rejects in its place is refused: it holds only a few of the people.
 * @param columns what of a nested record is asked for
 * @throws InputError when it cannot be had; SourceUnchanged where the validators given still hold
 */
export async function openConfigured(
  { config, redact }: { config: Config; redact: Redact },
  name: string,
  columns: MappingOptions,
  { signal, validators, onWait, employees }: OpenConfigured,
): Promise<FetchedRoster> {
  const source = requireSource(config, name);
  const { read, scim } = source;
  if (scim) throw refusal('pushedPeople', { name }, { next: [{ act: 'sources.plan', name }] });
  const asked = columnsToRead(columns);
  const roster = await openSource(source, {
    name,
    open: { ...read, timezone: timezoneOf(source), ...asked },
    dataDir: config.dataDir,
    environment: config.proxyEnvironment,
    userAgent: `roster-sync/${readVersion()}`,
    now: () => new Date(),
    random: Math.random,
    wait: (ms, stop) => sleep(ms, undefined, stop ? { signal: stop } : {}),
    ...defined({ signal, validators, onWait, employees }),
  }).catch((error: unknown) => {
    throw redactError(error, redact);
  });
  if (!isRejectsHeader(roster.form.header)) return roster;
  await roster.close();
  throw refusal('rejectsAsRoster', { file: roster.form.file, name });
}

/**
 * Opens any source that a config names: a place, or a system through its preset. Throws an `InputError` for whatever is
 * wrong with it, and `SourceUnchanged` where the validators given still hold. What a preset's mapping asks for is among
 * the columns.
 */
export async function openSource(source: SourceLocation, deps: SourceDeps): Promise<FetchedRoster> {
  const { preset, filled } = settleSource(source);
  const { open, employees } = deps;
  const asked = preset && (filled || source.ldap) ? columnsAsked(preset.rules) : [];
  const known = [...(open?.known ?? []), ...asked];
  const template = employees && filled && preset?.request;
  const request = template ? onlyOf(filled, template, employees, source.preset ?? '') : filled;
  const http = request ?? (source.http && { ...source.http, isDeclared: true });
  const settled: SourceLocation = http ? { ...source, http } : source;
  // Standard input where it names none.
  const [key = 'file'] = placesOf(settled);
  const openPlace = await kindOf(key).load();
  const options = { ...open, known, ...(await loadKeys(source)) };
  return openPlace(settled[key] ?? '-', { ...deps, secrets: secretsOfSource(source), open: options }, settled);
}

const placeNames = Object.keys(places)
  .join(', ')
  .replace(/, (?=\w+$)/, ' and ');

/**
 * Settles by which way a source is read, without reading anything: its preset, and the request that is made of it.
 * @param mayLack whether it need not say where its people are, since something else gives them
 * @throws InputError for a preset that is none or is not told all it needs, and for no place or several
 */
function settleSource(
  source: SourceLocation,
  { mayLack = false }: { mayLack?: boolean } = {},
): { preset?: Preset; filled?: HttpSource } {
  const { preset: name, account = {} } = source;
  const preset = name === undefined ? undefined : findPreset(name);
  const set = placesOf(source).length;
  if (name !== undefined && preset?.request) {
    if (set === 0) return { preset, filled: fillRequest(name, { ...preset, request: preset.request }, account) };
    throw new InputError(`The preset ${name} says where the people are: leave out ${placeNames}.`);
  }
  if (set === 1 || (set === 0 && mayLack)) return preset ? { preset } : {};
  const found = set === 0 ? 'none of them is set' : `${set} of them are set`;
  throw new InputError(`Exactly one of ${placeNames} says where the people are, and ${found}.`);
}
