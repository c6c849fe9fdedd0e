// The settings of a kept source, and what a change of them lets through.
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { z } from 'zod';
import { defaultLimits } from '../src/roster/files/limits.ts';
import { readParts } from '../src/roster/read-schema.ts';
import { Source, type SourceConfig, UploadMapping, type WrittenMapping } from './source-schema.ts';
import { YamlSettings } from './yaml-file.ts';
import { type GuardSettings, defaultGuards } from '../src/core/guards/guard-settings.ts';
import { groupLimits } from '../src/core/mapping/group-names.ts';
import { mappingParts } from '../src/core/mapping/mapping-schema.ts';
import { tooManyRules } from '../src/core/mapping/patterns.ts';
import type { Rate } from '../src/core/pace/pacing.ts';
import { configuredSourceName } from '../src/core/rows/source.ts';

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
/** Each key is compared with all others of its map. */
const mostEntries = 5000;
const ofTheConfig = new Set(Object.keys(shape).filter((key) => !(key in KeptSource.shape)));

/** Its copies could fill the memory. */
const aliasProblem = 'it has an alias (`*name`): write the value out';

export type ParsedBlock = { source: SourceConfig } | { problems: string[] };

/** Reads the block of a kept source: YAML without indentation. What is wrong is said with its line. */
export function parseKeptBlock(text: string): ParsedBlock {
  if (text.length > mostCharacters) return { problems: ['it is longer than 64 KiB'] };
  if (text.split(/[\n,]/).length > mostEntries) return { problems: [`it has more than ${mostEntries} entries`] };
  const read = new YamlSettings(text, (line) => `line ${line}`);
  if (read.hasAlias) return { problems: [aliasProblem] };
  if (read.faults.length > 0) return { problems: read.faults.map(({ where, message }) => `${where}: ${message}`) };
  const variable = text.indexOf('${');
  if (variable >= 0)
    return {
      problems: [`line ${text.slice(0, variable).split('\n').length}: only the config has variables like \${NAME}`],
    };
  const many = tooManyRules(read.value ?? {});
  if (many !== undefined) return { problems: [many] };
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

/** What keeps a source from being kept: its name, and whatever is wrong in its block. */
export function problemsOfKept(name: string, block: string): string[] {
  const parsed = parseKeptBlock(block);
  return [keptNameProblem(name) ?? [], 'problems' in parsed ? parsed.problems : []].flat();
}

function writeKeptBlock(settings: object): string {
  return stringify(settings, { lineWidth: 0 });
}

/** The settings of a block as they are written: its mapping, the rate, which no mapping has, and what else it says. */
function partsOf(block: string): Record<'mapping' | 'rate' | 'others', object> {
  const { value } = new YamlSettings(block, String);
  const { deliver, ...settings } = z
    .looseObject({ deliver: z.looseObject({}).exactOptional() })
    .catch({})
    .parse(value);
  const { rate, ...ofMapping } = deliver ?? {};
  const [own, others] = [true, false].map((isOwn) =>
    Object.fromEntries(Object.entries(settings).filter(([key]) => key in UploadMapping.shape === isOwn)),
  );
  return {
    mapping: { ...own, ...(deliver && { deliver: ofMapping }) },
    rate: rate === undefined ? {} : { rate },
    others: { ...others },
  };
}

/** The block of a source with another mapping; what no mapping says, such as its guards, stays as it was. */
export function writeKeptMapping(mapping: WrittenMapping, before = ''): string {
  const { rate, others } = partsOf(before);
  const deliver = { ...rate, ...mapping.deliver };
  return writeKeptBlock({ ...others, ...mapping, ...(Object.keys(deliver).length > 0 && { deliver }) });
}

/** The mapping of a kept source; undefined where it says more than the mapping of an upload may. */
export function readKeptMapping(block: string): WrittenMapping | undefined {
  const { mapping } = partsOf(block);
  return UploadMapping.safeParse(mapping).success ? mapping : undefined;
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

/**
 * When a setting lets more through than before:
 *
 * - `raised`, `lowered`: a number that is so, or a limit that is no longer there
 * - `on`: a choice, or a policy, that is switched on
 * - `shorter`: conditions or names of which one is missing; `longer`: one is there that was not
 * - `wider`: a list of all that is allowed, with one more, or none any more
 * - `gone`: what is no longer read, or is switched off
 * - `never`: what it gives is planned, and guards look at it
 */
type Direction = 'raised' | 'lowered' | 'on' | 'shorter' | 'longer' | 'wider' | 'gone' | 'never';

/** Every setting that a kept source may have, by its path, and its direction. A test fails where one is missing. */
export const directions: Readonly<Record<string, Direction>> = {
  read: 'never',
  ...Object.fromEntries(Object.keys(defaultLimits).map((key) => [`read.limits.${key}`, 'raised' as const])),
  members: 'never',
  'members.employeeId': 'gone',
  'members.startDate': 'gone',
  only: 'shorter',
  except: 'shorter',
  leavers: 'shorter',
  groups: 'never',
  rename: 'never',
  renamePatterns: 'never',
  'allow.groups.only': 'wider',
  'allow.groups.except': 'shorter',
  'allow.groups.perPerson': 'raised',
  'allow.groups.total': 'raised',
  'allow.emails.domains': 'wider',
  'allow.people.except': 'shorter',
  'allow.values': 'longer',
  everybody: 'on',
  ...Object.fromEntries(
    Object.entries(defaultGuards).flatMap(([guard, keys]) =>
      Object.keys(keys).map((key) => [`guards.${guard}.${key}`, 'raised' as const]),
    ),
  ),
  refresh: 'lowered',
  snapshot: 'on',
  'departed.group': 'on',
  'departed.forceSync': 'on',
  'departed.after': 'lowered',
  'invites.perRun': 'raised',
  'invites.perDay': 'raised',
  'deliver.forceSync': 'on',
  'deliver.invite': 'on',
  'deliver.rate': 'raised',
};

export interface Otherwise {
  forceSync: boolean;
  invite: boolean;
}

/**
 * By their paths. It compares what they allow, not how they are written: a guard or limit that is left out has its default.
 */
export function loosened(before: SourceConfig, after: SourceConfig, otherwise: Otherwise): string[] {
  return Object.entries(directions).flatMap(([path, direction]) =>
    isLooser(direction, valueOf(before, path, otherwise), valueOf(after, path, otherwise)) ? [path] : [],
  );
}

function valueOf(source: SourceConfig, path: string, { forceSync, invite }: Otherwise): unknown {
  const { guards, deliver, read, allow, ...others } = source;
  const settled = {
    ...others,
    read: { limits: { ...defaultLimits, ...read?.limits } },
    allow: { ...allow, groups: { ...groupLimits, ...allow?.groups } },
    deliver: { forceSync, invite, ...deliver },
    guards: { ...defaultGuards, ...guards },
  };
  const [part, name] = path.split('.');
  if (part === 'guards' && settled.guards[name as keyof GuardSettings] === 'off') return Infinity;
  const value = path
    .split('.')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], settled);
  const rate = path === 'deliver.rate' ? (value as Rate | undefined) : undefined;
  return rate ? (rate.limit / rate.perMs) * 1000 : value;
}

function isLooser(direction: Direction, before: unknown, after: unknown): boolean {
  const [lists, others] = [before, after].map((value) => (Array.isArray(value) ? (value as unknown[]) : undefined));
  const lacks = (list: unknown[] = [], item: unknown): boolean => !list.some((one) => isDeepStrictEqual(one, item));
  switch (direction) {
    case 'raised':
      return numberOf(after, Infinity) > numberOf(before, Infinity);
    case 'lowered':
      return numberOf(after, Infinity) < numberOf(before, Infinity);
    case 'on':
      return after !== undefined && after !== false && !isDeepStrictEqual(before, after);
    case 'shorter':
      return (lists ?? []).some((item) => lacks(others, item));
    case 'longer':
      return (others ?? []).some((item) => lacks(lists, item));
    case 'wider':
      return lists !== undefined && (others === undefined || others.some((item) => lacks(lists, item)));
    case 'gone':
      return Boolean(before) && !after;
    case 'never':
      return false;
  }
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
