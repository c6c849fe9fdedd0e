// The value one place (file, environment, flags) gives a setting, and the exact line it stands on.
import { nearest } from '../src/core/text/nearest.ts';
import { allSettings, type Setting } from './schema.ts';
import { parseRate } from './values.ts';
import { writeDuration } from '../src/core/text/duration.ts';

export interface Entry {
  setting: Setting;
  value: unknown;
  /** `roster-sync.yaml:12`, the name of a variable, or a flag. */
  where: string;
  /** For a setting that is a tree: where each part of it stands, by `placeKey`. */
  places?: ReadonlyMap<string, string>;
  /** The parts that need an environment variable that is not set. */
  unset?: readonly Unset[];
}

/** A value of the config file that needs an environment variable which is not set. */
export interface Unset {
  /** From the top of the file: `service`, `token`. */
  path: readonly string[];
  /** Which variable, for what, and on which line. */
  problem: string;
}

/** A place in a tree as the key of a map. */
export const placeKey = (path: readonly PropertyKey[]): string => JSON.stringify(path.map(String));

/** What one place sets (a file, the environment, the flags), and what is wrong there, each as one line. */
export interface Layer {
  entries: Entry[];
  problems: string[];
}

const byName = new Map(allSettings.map((setting) => [setting.name, setting]));

export function settingNamed(name: string): Setting | undefined {
  return byName.get(name);
}

/** The names directly below a section (`delivery`, or an empty text for the top); empty if it is no section. */
export function namesIn(section: string): string[] {
  const prefix = section === '' ? '' : `${section}.`;
  const below = allSettings.filter(({ name }) => name.startsWith(prefix));
  return [...new Set(below.map(({ name }) => prefix + (name.slice(prefix.length).split('.')[0] ?? '')))];
}

/** Enters one value under its name; a rate such as `300/1m` is entered as its two settings. */
export function enter(name: string, value: unknown, where: string): Layer {
  const setting = byName.get(name);
  if (setting) return { entries: [{ setting, value, where }], problems: [] };
  if (name === 'delivery.rate') return enterRate(value, where);
  const names = namesIn(name);
  if (names.length === 0) return { entries: [], problems: [unknownName(name, where)] };
  return { entries: [], problems: [`${where}: ${name} is not one value; set ${names.join(', ')}`] };
}

function enterRate(value: unknown, where: string): Layer {
  const rate = typeof value === 'string' || typeof value === 'number' ? parseRate(value) : undefined;
  if (!rate) {
    return { entries: [], problems: [`${where}: delivery.rate must be a rate like 200 (a second) or 300/1m`] };
  }
  const parts = [
    enter('delivery.rate.limit', rate.limit, where),
    enter('delivery.rate.per', writeDuration(rate.perMs), where),
  ];
  return { entries: parts.flatMap(({ entries }) => entries), problems: [] };
}

/** The problem of an unknown setting, with the name that was probably meant. */
export function unknownName(name: string, where: string): string {
  const key = name.split('.').at(-1) ?? name;
  const siblings = namesIn(name.split('.').slice(0, -1).join('.'));
  const elsewhere = allSettings.find((setting) => setting.path.at(-1) === key)?.name;
  const meant = elsewhere ?? nearest(name, siblings, Math.ceil(key.length / 3)) ?? nearest(name, [...byName.keys()]);
  const hint = meant === undefined ? `known here: ${siblings.join(', ') || 'none'}` : `did you mean ${meant}?`;
  return `${where}: ${name} is not a setting; ${hint}`;
}

export function joinLayers(layers: readonly Layer[]): Layer {
  return {
    entries: layers.flatMap(({ entries }) => entries),
    problems: layers.flatMap(({ problems }) => problems),
  };
}
