// Writes the JSON Schema and docs/configuration.md (`npm run schema`), with what `reference/*.yaml` says.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { stringify } from 'yaml';
import { readFiles } from '../src/data/data.ts';
import { allSettings, Settings } from './schema.ts';
import { type Setting, settingsBelow, bare, upperSnake } from './tree.ts';
import { writeDuration } from '../src/core/text/format.ts';

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

function saidOf(name: string): Entry {
  const [base = '', { like = '' } = {}] =
    [...entries].find(([key, { like }]) => like !== undefined && name.startsWith(`${key}.`)) ?? [];
  return { ...(like && saidOf(`${like}${name.slice(base.length)}`)), ...entries.get(name) };
}

/** Options that have the same key give its name several times. What only holds settings is left out. */
const all = allSettings
  .flatMap((setting) => (setting.tree ? [setting, ...settingsBelow(setting.schema, setting.path).slice(1)] : [setting]))
  .flatMap((setting): DescribedSetting[] => {
    const { description, ...described } = { ...setting, ...saidOf(setting.name) };
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

/** What is generated, from the schema: file, relative to the project, and content. */
export function generated(): [string, string][] {
  return [
    ['config/roster-sync.schema.json', `${JSON.stringify(jsonSchema(), null, 2)}\n`],
    ['docs/configuration.md', referencePage()],
  ];
}

export function jsonSchema(): object {
  return z.toJSONSchema(Settings, {
    io: 'input',
    override: ({ zodSchema, jsonSchema: schema, path }) => {
      if (schema['secret'] !== undefined) schema.writeOnly = true;
      describeSchema(zodSchema, schema);
      // A section without its keys means the defaults of its settings, which stand there.
      if (schema.properties) delete schema.default;
      // A rate may be written short, and any text may be the name of a variable.
      if (path.at(-1) === 'rate') Object.assign(schema, { type: ['object', 'string', 'number'] });
      delete schema.enum;
    },
  });
}

const page = join(import.meta.dirname, '../docs/configuration.md');
const contents = '## Contents\n';

/** The page `docs/configuration.md`: its introduction as it is, the table of contents, then section by section. */
function referencePage(): string {
  const sections = Map.groupBy(everySetting, ({ path, tree }) => (path.length > 1 || tree ? (path[0] ?? '') : 'other'));
  const parts = [...sections].map(([section, settings]) => ({ section, text: settings.map(entryOf).join('\n') }));
  return [
    readFileSync(page, 'utf8').split(`\n${contents}`, 1).join(),
    `${contents}\n${parts.map(contentsOf).join('\n')}\n`,
    ...parts.map(({ section, text }) => `## ${section}\n\n${text}`),
  ].join('\n');
}

/** The line of a section in the table of contents: a link to each group of its settings, at the first of them. */
function contentsOf({ section, text }: { section: string; text: string }): string {
  const names = [...text.matchAll(/^### `(.+)`$/gm)].map(([, name = '']) => name).filter((name) => name !== section);
  const prefix = names.every((name) => name.startsWith(`${section}.<name>.`)) ? `${section}.<name>.` : `${section}.`;
  const groups = Map.groupBy(names, (name) => name.replace(prefix, '').replace(/[.[].*/, ''));
  const links = [...groups].map(([group, [first = '']]) => `[${group}](#${anchorOf(first)})`);
  return `- [**${section}**](#${section}): ${links.join(', ')}`;
}

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9_ -]/g, '')
    .replaceAll(' ', '-');

/** `time, default `30s`; `ROSTER_SYNC__SERVICE__TIMEOUT`; for example `timeout: 1m`, under its name and description. */
function entryOf(setting: DescribedSetting): string {
  const { name, description, form, fallback, secret, path, isRequired, tree, variable, longVariable } = setting;
  const heading = `### \`${name}\`\n\n${description}`;
  const example = `example \`${inYaml(path.at(-1) ?? '', exampleOf(setting))}\``;
  if (tree) return `${heading} It is set in the config file only; \`\${NAME}\` works in it. For ${example}\n`;
  const otherwise = isRequired ? 'required' : 'not set';
  const value = fallback === undefined ? otherwise : `default \`${written(form, fallback)}\``;
  const variables = [variable, longVariable].filter((one) => one !== undefined).map((one) => `\`${one}\``);
  const parts = [
    [form, secret && 'secret', value].filter(Boolean).join(', '),
    variables.join(' or '),
    `for ${example}`,
  ];
  return `${heading}\n\n${parts.filter(Boolean).join('; ')}\n`;
}

function written(form: string, value: unknown): string {
  if (form === 'time' && typeof value === 'number') return writeDuration(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function inYaml(key: string, example: unknown): string {
  const text = stringify({ [key]: example }, { collectionStyle: 'flow', lineWidth: 0 });
  return text.trim().replace(/^\{ (.*) \}$/, '$1');
}

/** Examples of what is written in a form, where the setting has none of its own. */
const examples: Readonly<Record<string, (setting: DescribedSetting) => unknown>> = {
  'true or false': ({ fallback }) => fallback !== true,
  'whole number': ({ fallback }) => Number(fallback) * 2,
  'rule, or `off`': () => 'off',
  time: ({ fallback, schema }) => writeDuration(Number(schema.parse(fallback)) * 2),
  percent: ({ fallback }) => Number(fallback) / 2,
  'percentage points': ({ fallback }) => Number(fallback) / 2,
  'days or years': () => '1y',
  size: () => '4GB',
  column: () => 'Department',
  rate: () => '300/1m',
  'list of groups': () => ['Sales'],
  schedule: () => ({ cron: '15 2 * * *', timezone: 'Europe/Copenhagen' }),
};

/** A setting as it may be written: its own example; a choice that is not the default; else what its form says. */
function exampleOf(setting: DescribedSetting): unknown {
  const { name, form, fallback, example, secret, variable } = setting;
  if (example !== undefined) return example;
  if (form === 'text' && secret) return `\${${variable ?? name.split('.').slice(-2).map(upperSnake).join('_')}}`;
  const words = bare(setting.schema);
  return words instanceof z.ZodEnum ? words.options.find((one) => one !== fallback) : examples[form]?.(setting);
}

if (import.meta.main) {
  for (const [file, content] of generated()) writeFileSync(join(import.meta.dirname, '..', file), content);
}
