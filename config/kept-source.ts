// The settings of a source that is kept in the ledger: as in the config, but for where it is.
import { type Document, isNode, isScalar, LineCounter, parseDocument, stringify, visit } from 'yaml';
import { z } from 'zod';
import { configuredSourceName } from '../src/core/rows/source-name.ts';
import { Source, type SourceConfig } from './source-schema.ts';
import { changedKey } from './yaml-key.ts';

const { shape } = Source;

/** Where a source is, and what may hold a secret, only the config says: who may edit this may not reach further. */
export const KeptSource = z.strictObject({
  read: shape.read,
  members: shape.members,
  only: shape.only,
  except: shape.except,
  leavers: shape.leavers,
  groups: shape.groups,
  rename: shape.rename,
  renamePatterns: shape.renamePatterns,
  allow: shape.allow,
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

export type ParsedBlock = { source: SourceConfig } | { problems: string[] };

/** Reads the block of a kept source: YAML without indentation. What is wrong is said with its line. */
export function parseKeptBlock(text: string): ParsedBlock {
  if (text.length > mostCharacters) return { problems: ['it is longer than 64 KiB'] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: false });
  const at = (offset: number): string => `line ${lines.linePos(offset).line}`;
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    return {
      problems: faults.map(({ message, pos }) => `${at(pos[0])}: this is not YAML: ${message.split(':')[0] ?? ''}`),
    };
  }
  const variable = text.indexOf('${');
  if (variable >= 0) return { problems: [`${at(variable)}: only the config has variables like \${NAME}`] };
  const changed: string[] = [];
  visit(document, {
    Pair: (_, { key }) => {
      const problem = isScalar(key) ? changedKey(key) : undefined;
      if (isScalar(key) && problem !== undefined) changed.push(`${at(key.range?.[0] ?? 0)}: ${problem}`);
    },
  });
  if (changed.length > 0) return { problems: changed };
  const value = valueOf(document);
  if (value instanceof Error) return { problems: [value.message] };
  const parsed = KeptSource.safeParse(value ?? {});
  if (parsed.success) return { source: parsed.data };
  return {
    problems: parsed.error.issues.flatMap((issue) => {
      const node = document.getIn(issue.path as (string | number)[], true);
      const where = isNode(node) && node.range ? `${at(node.range[0])}: ` : '';
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

/** What a document says; an error where it has an alias, whose copies could fill the memory. */
function valueOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    return new Error('it has an alias (`*name`): write the value out');
  }
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
  const document = parseDocument(text, { prettyErrors: false, merge: false });
  if (document.errors.length > 0) return 'it is not YAML';
  const Shape = z.object({ sources: z.record(z.string(), z.record(z.string(), z.unknown())) });
  const value = valueOf(document);
  if (value instanceof Error) return value.message;
  const parsed = Shape.safeParse(value);
  if (!parsed.success) return 'it has no `sources:` with settings by their names';
  return Object.entries(parsed.data.sources).map(([name, settings]) => ({ name, block: writeKeptBlock(settings) }));
}
