// Loads all settings (flags before environment before file before defaults) and reports all problems at once.
import { dirname, resolve } from 'node:path';
import { defined } from '../src/core/defined.ts';
import { InputError } from '../src/core/errors.ts';
import { allProblems, checkTogether, parseSettings } from './check.ts';
import { readEnvironment, GivenSettings, type Unset } from './given.ts';
import { type FoundFile, defaultDataDirectory, findConfigFile } from './find-file.ts';
import { type Settings, allSettings } from './schema.ts';
import { type Environment, readConfigFile } from './yaml-file.ts';
import { maskTree, type Setting, withoutPassword } from './tree.ts';

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
export interface Config extends ReturnType<typeof inForce> {
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
  const read = file && readConfigFile(file.path, file.shown, environment);
  // Paths in a file are meant from the file, all others from where the command was started.
  const home = file ? dirname(file.path) : cwd;
  const given = new GivenSettings(read, home);
  readEnvironment(given, environment, { mentioned: read?.mentioned ?? new Set(), cwd });
  for (const { flag, setting, value } of flags) if (value !== undefined) given.set(setting, value, flag, cwd);
  const leftOut = onlyLedger ? given.unset.filter(mayLack) : [];
  given.problems.push(...given.unset.filter((one) => !leftOut.includes(one)).map(({ problem }) => problem));
  const settings = parseSettings(given);
  checkTogether(given, settings);
  given.problems.push(...chanceOf(settings, environment));
  if (given.problems.length > 0 || !settings) throw allProblems(given);
  const isDataDirSet = given.get('dataDir') !== undefined;
  const config: Omit<Config, 'proxyEnvironment'> = {
    ...inForce(settings),
    dataDir: isDataDirSet ? resolve(home, settings.dataDir) : defaultDataDirectory(file, environment, cwd),
    ...defined({ file: file?.path, fileAt: file?.at }),
    settings: describeSettings(given),
    leftOut,
  };
  const proxyEnvironment = { value: proxies(environment), enumerable: false };
  return Object.defineProperty(config, 'proxyEnvironment', proxyEnvironment) as Config;
}

/** What concerns service, notifications, sign-in or sources, but for schedules, may lack where only the ledger is asked. */
function mayLack({ path: [section, name, key] }: Unset): boolean {
  return (
    section === 'service' ||
    section === 'notify' ||
    (section === 'server' && name === 'signIn') ||
    (section === 'sources' && key !== undefined && key !== 'schedule')
  );
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
  const lacking = leftOut.find(({ path }) => path.join('.') === 'service.baseUrl');
  if (lacking) throw new InputError(`${lacking.problem}.`);
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

function inForce({ service, delivery, retention, ...settings }: Settings) {
  const { timeout: timeoutMs, ...access } = service;
  const { deadline: deadlineMs, rate, ...delivering } = delivery;
  const { per: perMs, ...limits } = rate;
  return {
    ...settings,
    service: { ...access, timeoutMs },
    delivery: { ...delivering, deadlineMs, rate: { ...limits, perMs } },
    /** The time to keep what old runs leave behind; `Infinity` is for ever. */
    retention: { answersMs: retention.answers, rostersMs: retention.rosters, receiptsMs: retention.receipts },
  };
}

function proxies(environment: Environment): Environment {
  const names = ['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]);
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}

export type EffectiveSetting = ReturnType<typeof describeSettings>[number];

/**
 * Every setting with its value and where that comes from, in the order of the reference; each key directly below a tree.
 * Values are as written, secrets masked, undefined where there is none; `from` is `roster-sync.yaml:12`, a variable, a flag, or `default`.
 */
export function describeSettings(given: GivenSettings) {
  return allSettings.flatMap((setting): { name: string; value: string | undefined; from: string }[] => {
    const { name, path, tree, fallback } = setting;
    const value = given.at(path);
    if (value === undefined) return [{ name, value: tree ? undefined : show(setting, fallback), from: 'default' }];
    if (!tree) return [{ name, value: show(setting, value), from: given.whereOf(path) }];
    return Object.entries(maskTree(tree, value) as Record<string, unknown>).map(([key, part]) => ({
      name: `${name}.${key}`,
      value: JSON.stringify(part),
      from: given.whereOf([...path, key]),
    }));
  });
}

function show({ secret }: Setting, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (secret === 'all') return '***';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return secret === 'address' ? withoutPassword(text) : text;
}

/** A longer value makes its own line longer, not all of them. */
const widest = 60;

export function describeConfig({ settings }: { settings: readonly EffectiveSetting[] }): string {
  const rows = settings.map(({ name, value = '(not set)', from }) => [name, value, from] as const);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => Math.min(widest, row[column]?.length ?? 0))));
  return rows
    .map(([name, value, from]) => `${name.padEnd(widths[0] ?? 0)}  ${value.padEnd(widths[1] ?? 0)}  ${from}`)
    .join('\n');
}
