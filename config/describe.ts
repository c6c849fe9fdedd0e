import type { Entry } from './entries.ts';
import { allSettings, type Setting } from './schema.ts';

/** One setting as it is in force. */
export interface EffectiveSetting {
  name: string;
  /** As it was written, secrets masked; undefined when it is not set and has no default. */
  value: string | undefined;
  /** `roster-sync.yaml:12`, a variable, a flag, or `default`. */
  from: string;
}

/** Every setting with its value and where that comes from, in the order of the reference. */
export function describeSettings(merged: ReadonlyMap<string, Entry>): EffectiveSetting[] {
  return allSettings.map((setting) => {
    const entry = merged.get(setting.name);
    const value = entry ? entry.value : setting.fallback;
    return { name: setting.name, value: show(setting, value), from: entry?.where ?? 'default' };
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

/** The settings in force as lines of text: name, value, where it was set. */
export function describeConfig({ settings }: { settings: readonly EffectiveSetting[] }): string {
  const rows = settings.map(({ name, value = '(not set)', from }) => [name, value, from] as const);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(([name, value, from]) => `${name.padEnd(widths[0] ?? 0)}  ${value.padEnd(widths[1] ?? 0)}  ${from}`)
    .join('\n');
}
