// Writes the JSON Schema and docs/configuration.md: `npm run schema`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { stringify } from 'yaml';
import { writeDuration } from '../src/core/text/figures.ts';
import { allSettings, Settings } from './schema.ts';
import { bare, type Setting, settingsBelow, upperSnake } from './tree.ts';

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
    override: ({ jsonSchema: schema, path }) => {
      if (schema['secret'] !== undefined) schema.writeOnly = true;
      if (schema['example'] !== undefined) schema.examples = [schema['example']];
      for (const ours of ['form', 'secret', 'variable', 'isPath', 'example']) delete schema[ours];
      // A section without its keys means the defaults of its settings, which stand there.
      if (schema.properties) delete schema.default;
      // A rate may be written short, and any text may be the name of a variable.
      if (path.at(-1) === 'rate') Object.assign(schema, { type: ['object', 'string', 'number'] });
      delete schema.enum;
    },
  });
}

const introduction = `# Settings

This page is generated from \`config/schema.ts\` by \`npm run schema\`.

roster-sync reads a setting from a flag first, then the environment, then the config file; otherwise it uses the default.
The config file is the one that \`--config\` or the variable \`ROSTER_SYNC_CONFIG\` names. Otherwise it is the first of these:

1. \`roster-sync.yaml\` in the folder where you start the command, or in the nearest folder above it. The search ends at
   your home folder, at a folder of another user, and if there is a \`.roster-sync\` in the folder where you start. A file
   of another user is refused if it was found above, or in a folder that everybody may write to.
2. \`roster-sync/roster-sync.yaml\` in \`$XDG_CONFIG_HOME\`, which is \`~/.config\` unless it is set.

Start from [config/roster-sync.yaml](../config/roster-sync.yaml).
\`roster-sync config\` prints the settings in force, and where each was set.

- **Times** are \`250ms\`, \`30s\`, \`5m\`, \`12h\`, \`1d\`, or a number of milliseconds.
- **Rates** are \`200\` (per second) or \`300/1m\`. You can write \`delivery.rate\` in this form too: \`rate: 300/1m\`.
- **Lists** in a variable are separated by commas.
- **Paths** in the file are relative to the file, all others to the folder where you start the command.
- \`\${NAME}\` in a value of the file is replaced by that environment variable; \`$\${\` stands for \`\${\`.
  A variable that is not set is an error, except in commands that only read the ledger: they need no variables of
  service, notifications and sources.
- An empty variable counts as not set. An unknown setting is an error.
- roster-sync never prints secrets, and no flag takes one. Set exactly one of \`service.token\`, \`service.username\` with
  \`service.password\`, and \`service.tokenFile\`.
`;

/** Every setting, also those in trees. */
export const everySetting = (): Setting[] =>
  allSettings.flatMap((setting) => (setting.tree ? [setting, ...settingsBelow(setting).slice(1)] : [setting]));

/** The page `docs/configuration.md`: the introduction, the table of contents, then section by section. */
function referencePage(): string {
  const sections = Map.groupBy(everySetting(), ({ path, tree }) =>
    path.length > 1 || tree ? (path[0] ?? '') : 'other',
  );
  const parts = [...sections].map(([section, settings]) => ({ section, text: settings.map(entryOf).join('\n') }));
  return [
    introduction,
    `## Contents\n\n${parts.map(contentsOf).join('\n')}\n`,
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
function entryOf(setting: Setting): string {
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
const examples: Readonly<Record<string, (setting: Setting) => unknown>> = {
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
function exampleOf(setting: Setting): unknown {
  const { name, form, fallback, example, secret, variable } = setting;
  if (example !== undefined) return example;
  if (form === 'text' && secret) return `\${${variable ?? name.split('.').slice(-2).map(upperSnake).join('_')}}`;
  const words = bare(setting.schema);
  return words instanceof z.ZodEnum ? words.options.find((one) => one !== fallback) : examples[form]?.(setting);
}

if (import.meta.main) {
  for (const [file, content] of generated()) writeFileSync(join(import.meta.dirname, '..', file), content);
}
