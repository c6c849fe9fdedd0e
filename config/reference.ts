import { z } from 'zod';
import { allSettings, Settings, type Setting } from './schema.ts';
import { entriesOf } from './tree.ts';

/** The JSON Schema of the config file, for editors. */
export function jsonSchema(): object {
  return z.toJSONSchema(Settings, {
    io: 'input',
    override: ({ jsonSchema: schema, path }) => {
      if (schema['secret'] !== undefined) schema.writeOnly = true;
      for (const ours of ['form', 'secret', 'variable', 'isPath']) delete schema[ours];
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

A setting comes from a flag, else from the environment, else from the config file, else it is the default.
The config file is \`roster-sync.yaml\` in the folder where the command is started, or the one named by \`--config\`
or the variable \`ROSTER_SYNC_CONFIG\`; [config/roster-sync.yaml](../config/roster-sync.yaml) is one to start from.
\`roster-sync config\` prints the settings in force, and where each was set.

- **Times** are \`250ms\`, \`30s\`, \`5m\`, \`12h\`, \`1d\`, or a number of milliseconds.
- **Rates** are \`200\` (a second) or \`300/1m\`. \`delivery.rate\` may itself be written as one: \`rate: 300/1m\`.
- **Lists** are separated by commas in a variable.
- **Paths** in the file are relative to it, all others to the folder where the command is started.
- \`\${NAME}\` in a value of the file is replaced by that environment variable; \`$\${\` stands for \`\${\`.
  A variable that is not set is an error; commands that only ask the ledger do without those of service, notifications and sources.
- An empty variable counts as not set. An unknown setting is an error.
- Secrets are never printed, and no flag takes one. Exactly one of \`service.token\`, \`service.username\` with
  \`service.password\`, and \`service.tokenFile\` may be set.
`;

/** The page `docs/configuration.md`. */
export function referencePage(): string {
  const sections = Map.groupBy(allSettings, ({ path, tree }) => (path.length > 1 || tree ? (path[0] ?? '') : 'other'));
  const parts = [...sections].map(([section, settings]) => `## ${section}\n\n${settings.map(entryOf).join('\n')}`);
  return [introduction, ...parts].join('\n');
}

function entryOf(setting: Setting): string {
  if (setting.tree) return treeOf(setting);
  const { name, description, form, fallback, variable, longVariable, secret } = setting;
  const kind = [form, secret && 'secret', fallback === undefined ? 'not set' : `default \`${written(fallback)}\``];
  const variables = [variable, longVariable].filter((one) => one !== undefined).map((one) => `\`${one}\``);
  return `### ${name}\n\n${description}\n\n${kind.filter(Boolean).join(', ')}; ${variables.join(' or ')}\n`;
}

/** A tree of settings: they have no variables of their own. */
function treeOf({ name, description, tree }: Setting): string {
  const entries = entriesOf(tree, name).filter((entry) => entry.name !== name);
  const said = entries.map(({ name, description, form, secret, fallback }) => {
    const kind = [form, secret && 'secret', fallback !== undefined && `default \`${written(fallback)}\``];
    return `### ${name}\n\n${description}\n\n${kind.filter(Boolean).join(', ')}\n`;
  });
  return [
    `### ${name}\n\n${description} They are set in the config file only; \`\${NAME}\` works in them.\n`,
    ...said,
  ].join('\n');
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
