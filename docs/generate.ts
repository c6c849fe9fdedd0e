// Writes the JSON Schemas of what `--json` prints and of our data, the page of presets, and the man page: `npm run schema`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Option } from 'commander';
import { z } from 'zod';
import { manPage } from './man-page.ts';
import { presetsPage } from './presets-page.ts';
import { createProgram } from '../src/cli/program.ts';
import { RosterCommand } from '../src/cli/roster-command.ts';
import { type DocumentName, documents, documentSchema } from '../src/acts/shapes/documents.ts';
import { describeSchema } from '../config/generate.ts';
import { dataKinds } from '../src/wiring/data-kinds.ts';

const root = join(import.meta.dirname, '..');

/** Every command below this one that has no commands of its own, with its words after `roster-sync`. */
export function leafCommands(
  command: RosterCommand = createProgram(),
  words: string[] = [],
): [string, RosterCommand][] {
  return command.commands.flatMap((each) => {
    if (!(each instanceof RosterCommand)) return [];
    const named = [...words, each.name()];
    return each.commands.length > 0 ? leafCommands(each, named) : [[named.join(' '), each] as [string, RosterCommand]];
  });
}

/** Schemas as YAML is written, without our own words. */
const forEditors: Parameters<typeof z.toJSONSchema>[1] = {
  io: 'input',
  override: ({ zodSchema, jsonSchema }) => describeSchema(zodSchema, jsonSchema),
};

/** What is generated from the command line and the schemas of our data: file, relative to the project, and content. */
export function generatedFromCommands(): [string, string][] {
  const names = Object.keys(documents) as DocumentName[];
  return [
    ...names.map((name): [string, string] => [
      `docs/schemas/${name}.json`,
      `${JSON.stringify(documentSchema(name), null, 2)}\n`,
    ]),
    ['docs/schemas/README.md', schemaPage(names)],
    ['man/roster-sync.1', manPage(createProgram())],
    ['docs/presets.md', presetsPage()],
    ['src/cli/options.json', `${JSON.stringify(optionsOfCommands(), null, 2)}\n`],
    ...Object.entries(dataKinds).map(([folder, { schema }]): [string, string] => [
      `src/data/${folder}.schema.json`,
      `${JSON.stringify(z.toJSONSchema(schema, forEditors), null, 2)}\n`,
    ]),
  ];
}

type Options = Record<string, Record<string, string>>;

/** The options of each command, as its code gets them, by what their values are: `src/cli/options.ts` makes types of it. */
function optionsOfCommands(): Record<string, Options> {
  const all = leafCommands().map(([words, { options }]): [string, Options] => {
    const ofKinds: Options = {};
    for (const option of options.filter(({ long }) => long !== '--json')) {
      (ofKinds[kindOf(option, options)] ??= {})[option.attributeName()] = option.flags;
    }
    return [words, ofKinds];
  });
  return Object.fromEntries(all);
}

function kindOf({ long, required, optional, mandatory, negate, defaultValue }: Option, all: readonly Option[]): string {
  if (Array.isArray(defaultValue)) return 'lists';
  if (typeof defaultValue === 'object') return 'pairs';
  if (required) return mandatory || defaultValue !== undefined ? 'given' : 'texts';
  if (optional) return 'textsOrAll';
  const isAlone = all.every((other) => other.long !== long?.replace('--no-', '--'));
  return negate && isAlone ? 'onUnlessNot' : 'switches';
}

function schemaPage(names: readonly DocumentName[]): string {
  const commands = leafCommands();
  const rows = names.map((name) => {
    const printedBy = commands.filter(([, { document }]) => document === name).map(([words]) => `\`${words}\``);
    return `| [${name}](${name}.json) | ${printedBy.join(', ')} |`;
  });
  return `# JSON

With \`--json\` a command prints one JSON document on standard output, and everything else on standard error. Each document
has a JSON Schema here; as a package, \`roster-sync/schemas/run.json\` and so on. Times are ISO 8601 in UTC.

The first field of every document is \`version\`. It is 1. Within a version, fields and new words for states and reasons are
only added: a program must ignore what it does not know. If a field is removed, renamed or changes its meaning, the
version is counted up, and the changelog says so. The \`.json\` files of \`--report\` and \`-o\` have the same field; lines of
NDJSON, and what \`answers --format json\` writes as received, do not.

| schema | printed by |
|---|---|
${rows.join('\n')}
`;
}

if (import.meta.main) {
  for (const folder of ['docs/schemas', 'man']) mkdirSync(join(root, folder), { recursive: true });
  for (const [file, content] of generatedFromCommands()) writeFileSync(join(root, file), content);
}
