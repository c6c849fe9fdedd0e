// The settings of a source that is kept in the ledger: as in the config, but for where it is.
import { stringify } from 'yaml';
import { z } from 'zod';
import { configuredSourceName } from '../src/core/rows/source.ts';
import { mappingParts } from '../src/core/mapping/mapping-schema.ts';
import { readParts } from './read-schema.ts';
import { Source, type SourceConfig } from './source-schema.ts';
import { YamlSettings } from './yaml-file.ts';

const { shape } = Source;

/** Where a source is, and what may hold a secret, only the config says: who may edit this may not reach further. */
export const KeptSource = z.strictObject({
  ...readParts,
  ...mappingParts,
  everybody: shape.everybody,
  guards: shape.guards,
  refresh: shape.refresh,
  snapshot: shape.snapshot,
  departed: shape.departed,
  invites: shape.invites,
  deliver: shape.deliver,
});

/** Far more than any source needs. */
const mostCharacters = 64 * 1024;
const ofTheConfig = new Set(Object.keys(shape).filter((key) => !(key in KeptSource.shape)));

/** Its copies could fill the memory. */
const aliasProblem = 'it has an alias (`*name`): write the value out';

export type ParsedBlock = { source: SourceConfig } | { problems: string[] };

/** Reads the block of a kept source: YAML without indentation. What is wrong is said with its line. */
export function parseKeptBlock(text: string): ParsedBlock {
  if (text.length > mostCharacters) return { problems: ['it is longer than 64 KiB'] };
  const read = new YamlSettings(text, (line) => `line ${line}`);
  if (read.hasAlias) return { problems: [aliasProblem] };
  if (read.faults.length > 0) return { problems: read.faults.map(({ where, message }) => `${where}: ${message}`) };
  const variable = text.indexOf('${');
  if (variable >= 0)
    return {
      problems: [`line ${text.slice(0, variable).split('\n').length}: only the config has variables like \${NAME}`],
    };
  const parsed = KeptSource.safeParse(read.value ?? {});
  if (parsed.success) return { source: parsed.data };
  return {
    problems: parsed.error.issues.flatMap((issue) => {
      const line = read.lineOf(issue.path);
      const where = line === undefined ? '' : `${line}: `;
      const name = issue.path.map(String).join('.');
      if (issue.code !== 'unrecognized_keys') return [`${where}${name === '' ? 'it' : name} ${issue.message}`];
      return issue.keys.map((key) =>
        ofTheConfig.has(key) && name === ''
          ? `${where}${key}: only the config says where a source is, and when it is read`
          : `${where}${name === '' ? key : `${name}.${key}`} is not a setting`,
      );
    }),
  };
}

export function keptNameProblem(name: string): string | undefined {
  if (configuredSourceName.test(name)) return undefined;
  return 'A name begins with a letter or digit, and continues with letters, digits and - _ . (at most 100 characters).';
}

export function writeKeptBlock(settings: object): string {
  return stringify(settings, { lineWidth: 0 });
}

/** A kept source as a config has it, to be pasted there. */
export function writeKeptSource(name: string, block: string): string {
  const lines = block.trimEnd().split('\n');
  const head = stringify({ [name]: null }, { nullStr: '' }).trimEnd();
  return ['sources:', `  ${head}`, ...lines.map((line) => (line === '' ? '' : `    ${line}`)), ''].join('\n');
}

/** The sources of a YAML with `sources:`, each as a block; a text that says what is wrong where there are none. */
export function readKeptSources(text: string): { name: string; block: string }[] | string {
  const read = new YamlSettings(text, (line) => `line ${line}`);
  if (read.hasAlias) return aliasProblem;
  if (read.faults.length > 0) return 'it is not YAML';
  const parsed = z.object({ sources: z.record(z.string(), z.record(z.string(), z.unknown())) }).safeParse(read.value);
  if (!parsed.success) return 'it has no `sources:` with settings by their names';
  return Object.entries(parsed.data.sources).map(([name, settings]) => ({ name, block: writeKeptBlock(settings) }));
}
