// What `reference/*.yaml` says about each setting: for docs/configuration.md and the JSON Schemas.
import type { z } from 'zod';
import { readFiles } from '../src/data/data.ts';
import { allSettings } from './schema.ts';
import { type Setting, settingsBelow } from './tree.ts';

interface Entry {
  description?: string;
  /** How the value is written, where its schema does not say it. */
  form?: string;
  /** As it may be written, where its form alone gives no good example. */
  example?: unknown;
  /** The settings below this one are described like those below that one, unless they have entries. */
  like?: string;
}

export interface DescribedSetting extends Setting, Omit<Entry, 'form'> {
  description: string;
}

const entries = new Map(
  Object.values(readFiles<Record<string, Entry | string>>('../../config/reference')).flatMap((file) =>
    Object.entries(file).map(([name, entry]) => [name, typeof entry === 'string' ? { description: entry } : entry]),
  ),
);

/** The names of settings as the files have them. */
export const entryNames: readonly string[] = [...entries.keys()];

function entryOf(name: string): Entry {
  const [base = '', { like = '' } = {}] =
    [...entries].find(([key, { like }]) => like !== undefined && name.startsWith(`${key}.`)) ?? [];
  return { ...(like && entryOf(`${like}${name.slice(base.length)}`)), ...entries.get(name) };
}

/** Options that have the same key give its name several times. What only holds settings is left out. */
const all = allSettings
  .flatMap((setting) => (setting.tree ? [setting, ...settingsBelow(setting.schema, setting.path).slice(1)] : [setting]))
  .flatMap((setting): DescribedSetting[] => {
    const { description, ...described } = { ...setting, ...entryOf(setting.name) };
    return description === undefined ? [] : [{ ...described, description }];
  });

/** Every setting once, in the schema's order. */
export const everySetting = all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at);

const bySchema = new Map<unknown, DescribedSetting>(all.toReversed().map((setting) => [setting.schema, setting]));

/** Puts description and example of a setting into its JSON Schema, and takes out what editors do not know. */
export function describeSchema(schema: z.core.$ZodType, into: z.core.JSONSchema.BaseSchema): void {
  const { description, example } = bySchema.get(schema) ?? {};
  if (description !== undefined) into.description = description;
  if (example !== undefined && into.const === undefined) into.examples = [example];
  for (const ours of ['form', 'secret', 'variable', 'isPath']) delete into[ours];
}
