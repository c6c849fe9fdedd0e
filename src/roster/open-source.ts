// Opens any source of a config: a place, or a system through its preset.
import { placesOf, places } from '../core/rows/source.ts';
import type { HttpSource, SourceLocation, SourceDeps } from './source-location.ts';
import { InputError } from '../core/errors.ts';
import { columnsNamed, listColumns } from '../core/columns/columns.ts';
import { columnsAsked, type ConditionRule, type MappingRules } from '../core/mapping/mapping-rules.ts';
import { wildcard } from '../core/text/wildcard.ts';
import type { FetchedRoster } from './fetch/open-http.ts';
import { fillRequest, onlyOf, presets } from './presets/presets.ts';
import { loadKeys } from './load-keys.ts';
import type { Preset } from '../../config/preset-schema.ts';
import { openPlaceOf, secretsOfSource } from './places.ts';

/**
 * Opens any source that a config names: a place, or a system through its preset. Throws an `InputError` for whatever is
 * wrong with it, and `SourceUnchanged` where the validators given still hold. What a preset's mapping asks for is among
 * the columns.
 */
export async function openSource(source: SourceLocation, deps: SourceDeps): Promise<FetchedRoster> {
  const { preset, filled } = settleSource(source);
  const { open, employees } = deps;
  const asked = preset && (filled || source.ldap) ? columnsAsked(preset.rules) : [];
  const known = [...(open?.known ?? []), ...asked];
  const template = employees && filled && preset?.request;
  const request = template ? onlyOf(filled, template, employees, source.preset ?? '') : filled;
  const http = request ?? (source.http && { ...source.http, isDeclared: true });
  return openPlaceOf(http ? { ...source, http } : source, {
    ...deps,
    secrets: secretsOfSource(source),
    open: { ...open, known, ...(await loadKeys(source)) },
  });
}

const placeNames = Object.keys(places)
  .join(', ')
  .replace(/, (?=\w+$)/, ' and ');

/**
 * Settles by which way a source is read, without reading anything: its preset, and the request that is made of it.
 * @param mayLack whether it need not say where its people are, since something else gives them
 * @throws InputError for a preset that is none or is not told all it needs, and for no place or several
 */
export function settleSource(
  source: SourceLocation,
  { mayLack = false }: { mayLack?: boolean } = {},
): { preset?: Preset; filled?: HttpSource } {
  const { preset: name, account = {} } = source;
  const preset = name === undefined ? undefined : findPreset(name);
  const set = placesOf(source).length;
  if (name !== undefined && preset?.request) {
    if (set === 0) return { preset, filled: fillRequest(name, { ...preset, request: preset.request }, account) };
    throw new InputError(`The preset ${name} says where the people are: leave out ${placeNames}.`);
  }
  if (set === 1 || (set === 0 && mayLack)) return preset ? { preset } : {};
  const found = set === 0 ? 'none of them is set' : `${set} of them are set`;
  throw new InputError(`Exactly one of ${placeNames} says where the people are, and ${found}.`);
}

/** The preset of a name. Throws an `InputError` that lists them. */
export function findPreset(name: string): Preset {
  const preset = Object.hasOwn(presets(), name) ? presets()[name] : undefined;
  if (preset) return preset;
  throw new InputError(`There is no preset "${name}". There are ${Object.keys(presets()).join(', ')}.`);
}

/** What asks about a column that not every export of the system has is left out where it is lacking. */
export function rulesFor({ rules, optional = [] }: Preset, header: readonly string[]): MappingRules {
  const columns = listColumns(header);
  const isLacking = (column: string | undefined): boolean => {
    if (column === undefined || !optional.includes(column)) return false;
    if (column.includes('*')) return !columns.some(({ name }) => wildcard(column)(name));
    return columnsNamed(columns, column).length === 0;
  };
  const kept = (conditions: readonly ConditionRule[]): ConditionRule[] =>
    conditions.filter(({ column }) => !isLacking(column));
  const members = Object.entries(rules.members ?? {}).filter(
    ([, rule]) => !(typeof rule === 'string' && isLacking(rule)),
  );
  const { groups, only, except } = rules;
  return {
    ...rules,
    ...(rules.members && { members: Object.fromEntries(members) }),
    ...(groups && { groups: groups.filter(({ column }) => !isLacking(column)) }),
    ...(only && { only: kept(only) }),
    ...(except && { except: kept(except) }),
  };
}
