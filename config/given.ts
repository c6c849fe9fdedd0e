// All that is set, by file, environment and flags, as one object, and where each part of it was set.
import { resolve } from 'node:path';
import { writeDuration } from '../src/core/text/format.ts';
import { allSettings, Settings } from './schema.ts';
import { keysAt, resolvePaths, type Setting, secretsIn } from './tree.ts';
import { isRecord } from '../src/core/rows/path.ts';
import { parseRate } from '../src/core/settings/values.ts';
import type { Path, YamlSettings, Environment } from './yaml-file.ts';
import { nearest } from '../src/core/text/nearest.ts';

/** A value of the config file that needs an environment variable which is not set. */
export interface Unset {
  path: Path;
  /** Which variable, for what, and on which line. */
  problem: string;
}

/** The setting that a path leads to or into; undefined for a section, and for what is no setting. */
export function settingAt(path: Path): Setting | undefined {
  return allSettings.find((setting) => setting.path.every((key, at) => key === path[at]));
}

/** `sources.staff.only[0]`; a setting that is one list is named as a whole. */
export function nameOf(path: Path): string {
  const setting = settingAt(path);
  return (setting && !setting.tree ? setting.path : path).reduce<string>(
    (name, key) => (typeof key === 'number' ? `${name}[${key}]` : `${name}${name && '.'}${String(key)}`),
    '',
  );
}

export class GivenSettings {
  /** As they were written; paths absolute. */
  readonly value: Record<string, unknown>;
  /** What is wrong, each as one line. */
  readonly problems: string[] = [];
  unset: Unset[] = [];
  readonly #file: YamlSettings | undefined;
  readonly #secrets: string[] = [];
  /** By the names of settings: the variable or flag that set it. */
  readonly #places = new Map<string, string>();

  /** `base`: from where paths in the file are meant. */
  constructor(file: YamlSettings | undefined, base: string) {
    this.#file = file;
    const given = file?.value ?? {};
    if (!isRecord(given)) this.problems.push(`${file?.lineOf([]) ?? ''}: this must be settings like \`service:\``);
    this.value = isRecord(given) ? (resolvePaths(Settings, given, base) as Record<string, unknown>) : {};
    for (const { path, where, message, about } of file?.faults ?? []) {
      const name = nameOf(about === 'key' ? path.slice(0, -1) : path);
      const problem = `${where}: ${name}${name && (about === 'key' ? ': ' : ' ')}${message}`;
      const isSetting = this.#leaveOut(path);
      if (about !== 'variable') this.problems.push(problem);
      else if (isSetting) this.unset.push({ path, problem });
    }
    const rate = this.get('delivery.rate');
    if (rate === undefined || isRecord(rate)) return;
    const where = this.whereOf(['delivery', 'rate']);
    this.#leaveOut(['delivery', 'rate']);
    this.set('delivery.rate', rate, where, base);
  }

  /** Sets one setting, over what the file says; a rate such as `300/1m` is two. */
  set(name: string, value: unknown, where: string, base: string): void {
    if (name === 'delivery.rate') {
      const rate = typeof value === 'string' || typeof value === 'number' ? parseRate(value) : undefined;
      if (!rate) this.problems.push(`${where}: delivery.rate must be a rate like 200 (a second) or 300/1m`);
      else {
        this.set('delivery.rate.limit', rate.limit, where, base);
        this.set('delivery.rate.per', writeDuration(rate.perMs), where, base);
      }
      return;
    }
    const { path, isPath, secret } = settingAt(name.split('.')) ?? { path: name.split('.') };
    if (secret === 'all' && typeof value === 'string') this.#secrets.push(value);
    const text = isPath && typeof value === 'string' ? value.trim() : '';
    put(this.value, path, text === '' ? value : resolve(base, text));
    this.#places.set(name, where);
    this.unset = this.unset.filter(({ path }) => settingAt(path)?.name !== name);
  }

  /** All that must not be shown, of what was overridden as well. */
  get secrets(): string[] {
    return [...secretsIn(Settings, this.#file?.value ?? {}), ...this.#secrets].filter((secret) => secret !== '');
  }

  /** The value of a setting by its name; undefined where it is not set. */
  get(name: string): unknown {
    return this.at(name.split('.'));
  }

  at(path: Path): unknown {
    return path.reduce<unknown>((value, key) => {
      if (Array.isArray(value)) return value[Number(key)] as unknown;
      return isRecord(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined;
    }, this.value);
  }

  /** `roster-sync.yaml:12`, the name of a variable, or a flag; `default` for what nobody set. */
  whereOf(path: Path): string {
    return this.#places.get(settingAt(path)?.name ?? '') ?? this.#file?.lineOf(path) ?? 'default';
  }

  /** Leaves out what has no value: a key of a source, else a whole setting or section. False for what is no setting, which stays. */
  #leaveOut(path: Path): boolean {
    const whole = path[0] === 'sources' ? path.slice(0, 3) : (settingAt(path)?.path ?? path);
    if (!settingAt(whole) && keysAt(Settings, whole).length === 0) return false;
    const parent = this.at(whole.slice(0, -1));
    if (isRecord(parent)) delete parent[String(whole.at(-1))];
    return true;
  }
}

/** Where a section is no object, its own problem is reported. */
function put(into: unknown, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (!isRecord(into)) return;
  if (rest.length === 0) into[key] = value;
  else put((into[key] ??= {}), rest, value);
}

export const fileVariable = 'ROSTER_SYNC_CONFIG';

/** By its variables, the short and the long one. A rate such as `300/1m` is two settings. */
const byVariable = new Map<string, Pick<Setting, 'name' | 'isList'>>([
  ...allSettings.flatMap((setting) =>
    [setting.variable, setting.longVariable].flatMap((variable) => (variable ? [[variable, setting] as const] : [])),
  ),
  ['ROSTER_SYNC__DELIVERY__RATE', { name: 'delivery.rate', isList: false }],
]);

/** An empty variable counts as not set. `mentioned` are variables that the config file uses by name. */
export function readEnvironment(
  given: GivenSettings,
  environment: Environment,
  { mentioned, cwd }: { mentioned: ReadonlySet<string>; cwd: string },
): void {
  for (const [variable, value = ''] of Object.entries(environment)) {
    if (value === '') continue;
    const setting = byVariable.get(variable);
    if (setting) given.set(setting.name, setting.isList ? value.split(',') : value, variable, cwd);
    else if (!mentioned.has(variable)) given.problems.push(...unknownVariable(variable));
  }
  for (const { name, variable = '', longVariable = '' } of allSettings) {
    const [short, long] = [environment[variable], environment[longVariable]];
    if (short && long && short !== long)
      given.problems.push(`${variable}: ${longVariable} sets ${name} to something else; keep one of them`);
  }
}

/** One underscore may be somebody else's (Kubernetes sets such), unless it looks like a typing error. */
function unknownVariable(variable: string): string[] {
  if (!variable.startsWith('ROSTER_SYNC_')) return [];
  const isLong = variable.startsWith('ROSTER_SYNC__');
  const known = [...byVariable.keys(), fileVariable].filter((one) => one.startsWith('ROSTER_SYNC__') === isLong);
  const meant = nearest(variable, known, isLong ? undefined : 2);
  if (!isLong && (meant === undefined || meant === variable)) return [];
  return [
    `${variable}: this variable is not a setting; ${meant ? `did you mean ${meant}?` : 'see docs/configuration.md'}`,
  ];
}
