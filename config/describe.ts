// Lists the settings in force with their values and origins, for the `config` command.
import type { GivenSettings } from './given.ts';
import { allSettings } from './schema.ts';
import { maskTree, type Setting, withoutPassword } from './tree.ts';

export interface EffectiveSetting {
  name: string;
  /** As it was written, secrets masked; undefined when it is not set and has no default. */
  value: string | undefined;
  /** `roster-sync.yaml:12`, a variable, a flag, or `default`. */
  from: string;
}

/** Every setting with its value and where that comes from, in the order of the reference; each key directly below a tree. */
export function describeSettings(given: GivenSettings): EffectiveSetting[] {
  return allSettings.flatMap((setting) => {
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
