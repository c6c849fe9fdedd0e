// Lists the settings in force with their values and origins, for the `config` command.
import { type Entry, placeKey } from './entries.ts';
import { allSettings, type Setting } from './schema.ts';
import { maskTree } from './tree.ts';

export interface EffectiveSetting {
  name: string;
  /** As it was written, secrets masked; undefined when it is not set and has no default. */
  value: string | undefined;
  /** `roster-sync.yaml:12`, a variable, a flag, or `default`. */
  from: string;
}

/** Every setting with its value and where that comes from, in the order of the reference. */
export function describeSettings(merged: ReadonlyMap<string, Entry>): EffectiveSetting[] {
  return allSettings.flatMap((setting) => {
    const entry = merged.get(setting.name);
    const value = entry ? entry.value : setting.fallback;
    if (setting.tree) return describeTree(setting, entry);
    return [{ name: setting.name, value: show(setting, value), from: entry?.where ?? 'default' }];
  });
}

/** One entry for each part directly below a tree, as JSON. */
function describeTree({ name, tree }: Setting, entry: Entry | undefined): EffectiveSetting[] {
  if (!entry) return [{ name, value: undefined, from: 'default' }];
  return Object.entries(maskTree(tree, entry.value) as Record<string, unknown>).map(([key, value]) => {
    return {
      name: `${name}.${key}`,
      value: JSON.stringify(value),
      from: entry.places?.get(placeKey([key])) ?? entry.where,
    };
  });
}

function show(setting: Setting, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (setting.secret === 'all') return '***';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return setting.secret === 'address' ? withoutPassword(text) : text;
}

/** Host, port and database; user name, password and parameters may hold secrets. */
function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return '***';
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
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
