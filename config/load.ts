// Loads all settings (flags before environment before file before defaults) and reports all problems at once.
import { dirname, resolve } from 'node:path';
import { defined } from '../src/core/defined.ts';
import { InputError } from '../src/core/errors.ts';
import type { Rate } from '../src/core/pace/pacing.ts';
import type { RunSettings } from '../src/core/run/run.ts';
import { allProblems, contradictions, parseSettings } from './check.ts';
import { type EffectiveSetting, describeSettings } from './describe.ts';
import { type Entry, type Layer, type Unset, enter, joinLayers } from './entries.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { type FoundFile, defaultDataDirectory, findConfigFile } from './find-file.ts';
import type { Settings } from './schema.ts';
import { resolvePaths } from './tree.ts';
import { type ConfigFile, readConfigFile } from './yaml-file.ts';

/** A setting given on the command line; none of them takes a secret. */
export interface Flag {
  /** As it was typed, for messages: `--rate`. */
  flag: string;
  /** The name of the setting: `delivery.rate`. */
  setting: string;
  /** Undefined when the flag was not given. */
  value: unknown;
}

export interface LoadOptions {
  flags?: readonly Flag[];
  environment?: Environment;
  /** Where the command was started: the config file and relative paths are looked up here. */
  cwd?: string;
  /** The file named by `--config`; it must exist. */
  configFile?: string | undefined;
  /** Read no config file, even if there is one. Default: no. */
  withoutFile?: boolean;
  /** What else needs an environment variable that is not set is left out, not refused. Default: no. */
  onlyLedger?: boolean;
}

/** The settings in force. Times are in ms, paths absolute. */
export interface Config extends Omit<Settings, 'service' | 'delivery' | 'retention'> {
  service: Omit<Settings['service'], 'timeout'> & { timeoutMs: number };
  delivery: RunSettings & { rate: Rate; concurrency: number; canary: boolean; maxInvitations?: number };
  /** The time to keep what old runs leave behind; `Infinity` is for ever. */
  retention: { answersMs: number; rostersMs: number; receiptsMs: number };
  /** The config file that was read; absent when there is none. */
  file?: string;
  /** How it was found; absent when there is none. */
  fileAt?: FoundFile['at'];
  /** Every setting as written and where that was; secrets masked. */
  settings: readonly EffectiveSetting[];
  /** What was left out for `onlyLedger`. */
  leftOut: readonly Unset[];
  /** The variables that name a proxy. Not enumerable, since a proxy's address may hold a password. */
  proxyEnvironment: Environment;
}

/** Throws one InputError with everything that is wrong, each with the place where it was set. */
export function loadConfig(options: LoadOptions = {}): Config {
  const { flags = [], environment = process.env, cwd = process.cwd(), onlyLedger = false } = options;
  const file = options.withoutFile ? undefined : findConfigFile(options.configFile, environment, cwd);
  const inFile: ConfigFile = file
    ? readConfigFile(file.path, file.shown, environment)
    : { entries: [], problems: [], mentioned: new Set() };
  const inEnvironment = readEnvironment(environment, inFile.mentioned);
  const given = flags.filter(({ value }) => value !== undefined);
  const onCommandLine = joinLayers(given.map(({ flag, setting, value }) => enter(setting, value, flag)));

  const home = file ? dirname(file.path) : cwd;
  const layers: Layer[] = [absolute(inFile, home), absolute(inEnvironment, cwd), absolute(onCommandLine, cwd)];
  const { problems, entries } = joinLayers(layers);
  const merged = new Map(entries.map((entry) => [entry.setting.name, entry]));
  const usable = leaveOutUnset(merged, onlyLedger);
  problems.push(...usable.problems);
  const settings = parseSettings(usable.merged, problems);
  problems.push(...contradictions(merged, settings), ...chanceOf(settings, environment));
  if (problems.length > 0 || !settings) {
    throw allProblems([...problems, ...usable.leftOut.map(({ problem }) => problem)], entries);
  }
  return toConfig(settings, usable, { home, cwd, file, environment });
}

/** What the driver of PostgreSQL reads where the address has no `sslmode`; it would take `prefer` for `require`. */
function chanceOf(settings: Settings | undefined, { PGSSLMODE: mode = '' }: Environment): string[] {
  const url = settings?.databaseUrl?.reveal();
  if (url === undefined || /[?&]sslmode=/i.test(url) || !/^(?:prefer|allow)$/i.test(mode)) return [];
  return [
    `PGSSLMODE must not leave TLS to chance: set it to verify-full or disable, or write sslmode into DATABASE_URL`,
  ];
}

/** What the environment says about the terminal; for colours. */
export function terminal(environment: Environment = process.env): { noColor?: string; term?: string } {
  const { NO_COLOR: noColor, TERM: term } = environment;
  return defined({ noColor, term });
}

/** The environment without any setting of ours and without proxies: what the demo may see. */
export function foreignEnvironment(environment: Environment = process.env): Environment {
  const ours = /^(ROSTER_SYNC_.*|REDIS_URL|DATABASE_URL|https?_proxy)$/i;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !ours.test(name)));
}

/** The service's address, if one is set. Throws InputError if the variable that it needs is not. */
export function findBaseUrl({ service, leftOut }: Config): string | undefined {
  requireUnlessLeftOut(leftOut, 'service.baseUrl');
  return service.baseUrl;
}

/** The service's address, for commands that call it. Throws InputError saying how to set it. */
export function requireBaseUrl(config: Config): string {
  const baseUrl = findBaseUrl(config);
  if (baseUrl !== undefined) return baseUrl;
  throw new InputError(
    `No service is set: set service.baseUrl in ${config.file ?? 'roster-sync.yaml'}, or the environment variable ROSTER_SYNC_BASE_URL.`,
  );
}

/** Paths in a file are meant from the file, all others from where the command was started. */
function absolute({ entries, problems }: Layer, base: string): Layer {
  return {
    problems,
    entries: entries.map((entry) => {
      const { tree } = entry.setting;
      if (tree) return { ...entry, value: resolvePaths(tree, entry.value, base) };
      return entry.setting.isPath && typeof entry.value === 'string' && entry.value.trim() !== ''
        ? { ...entry, value: resolve(base, entry.value.trim()) }
        : entry;
    }),
  };
}

function toConfig(
  { service, delivery, retention, ...settings }: Settings,
  { merged, leftOut }: Usable,
  {
    home,
    cwd,
    file,
    environment,
  }: { home: string; cwd: string; file: FoundFile | undefined; environment: Environment },
): Config {
  const { timeout: timeoutMs, ...access } = service;
  const { deadline: deadlineMs, rate, ...delivering } = delivery;
  const and = rate.and;
  const config: Omit<Config, 'proxyEnvironment'> = {
    ...settings,
    service: { ...access, timeoutMs },
    delivery: { ...delivering, deadlineMs, rate: { limit: rate.limit, perMs: rate.per, and, adaptive: rate.adaptive } },
    retention: { answersMs: retention.answers, rostersMs: retention.rosters, receiptsMs: retention.receipts },
    dataDir: merged.has('dataDir') ? resolve(home, settings.dataDir) : defaultDataDirectory(file, environment, cwd),
    ...defined({ file: file?.path, fileAt: file?.at }),
    settings: describeSettings(merged),
    leftOut,
  };
  return Object.defineProperty(config, 'proxyEnvironment', {
    value: proxies(environment),
    enumerable: false,
  }) as Config;
}

function proxies(environment: Environment): Environment {
  const names = ['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]);
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}

interface Usable {
  merged: ReadonlyMap<string, Entry>;
  leftOut: readonly Unset[];
  /** The settings that no command can do without, each as one line. */
  problems: string[];
}

/** A problem, unless only the ledger is asked: then what concerns service, notifications or sign-in may lack. */
function leaveOutUnset(merged: ReadonlyMap<string, Entry>, onlyLedger: boolean): Usable {
  const unset = [...merged.values()].flatMap((entry) => entry.unset ?? []);
  const leftOut = onlyLedger ? unset.filter(mayLack) : [];
  const problems = unset.filter((one) => !leftOut.includes(one)).map(({ problem }) => problem);
  return { merged: new Map([...merged].flatMap(([name, entry]) => without(name, entry))), leftOut, problems };
}

function mayLack({ path: [section, name, key] }: Unset): boolean {
  return (
    section === 'service' ||
    section === 'notify' ||
    (section === 'server' && name === 'signIn') ||
    (section === 'sources' && key !== undefined && key !== 'schedule')
  );
}

/** The entry, if anything is left of it: a source without the incomplete keys. */
function without(name: string, entry: Entry): [string, Entry][] {
  const { unset = [], setting, value } = entry;
  if (unset.length === 0) return [[name, entry]];
  if (setting.name !== 'sources') return [];
  const sources = Object.entries(value as Record<string, unknown>).map(([source, settings]) => {
    const lacking = new Set(unset.filter(({ path }) => path[1] === source).map(({ path }) => path[2]));
    if (lacking.size === 0 || settings === null || typeof settings !== 'object') return [source, settings];
    return [source, Object.fromEntries(Object.entries(settings).filter(([key]) => !lacking.has(key)))];
  });
  return [[name, { ...entry, value: Object.fromEntries(sources) as unknown }]];
}

/** Throws an `InputError` if a setting was left out, since the variable that it needs is not set. */
function requireUnlessLeftOut(leftOut: readonly Unset[], name: string): void {
  const lacking = leftOut.find(({ path }) => path.join('.') === name);
  if (lacking) throw new InputError(`${lacking.problem}.`);
}
