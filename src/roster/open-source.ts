// Opens any source of a config: file, HTTP, SFTP, preset.
import { placesOf, places } from '../core/rows/source.ts';
import { defined } from '../core/defined.ts';
import type { SourceLocation, SourceDeps } from './source-location.ts';
import { InputError } from '../core/errors.ts';
import { columnsNamed, listColumns } from '../core/columns/columns.ts';
import { columnsAsked, type ConditionRule, type MappingRules } from '../core/mapping/mapping-rules.ts';
import { wildcard } from '../core/text/wildcard.ts';
import type { FetchedRoster, HttpRequest } from './fetch/open-http.ts';
import { openFiles } from './files/file-source.ts';
import { fillRequest, onlyOf } from './presets/fill.ts';
import { loadKeys } from './load-keys.ts';
import { presets } from './presets/index.ts';
import type { Preset } from '../../config/preset-schema.ts';
import { secretsOfSource } from './source-secrets.ts';

/**
 * Opens any source that a config names: a file, files of a pattern, standard input, an HTTP address, an SFTP server, or
 * a system through its preset. Throws an `InputError` for whatever is wrong with it, and `SourceUnchanged` where the
 * validators given still hold. What a preset's mapping asks for is among the columns.
 */
export async function openSource(source: SourceLocation, deps: SourceDeps): Promise<FetchedRoster> {
  // What speaks to servers is loaded when needed: it takes longer to load than everything else here.
  const { http, sftp, ldap, sql, s3, azureBlob, maxAge } = source;
  const { preset, filled } = settleSource(source);
  const asked = preset ? columnsAsked(preset.rules) : [];
  const known = [...(deps.open?.known ?? []), ...(filled || ldap ? asked : [])];
  const secrets = secretsOfSource(source);
  const withPaths = { ...deps, secrets, open: { ...deps.open, known, ...(await loadKeys(source)) } };
  if (http ?? filled) {
    const { employees } = deps;
    const whole = filled ?? { ...http!, isDeclared: true };
    const template = preset?.request;
    const request = employees && filled && template ? onlyOf(filled, template, employees, source.preset ?? '') : whole;
    return (await import('./fetch/open-http.ts')).openHttp({ ...request, ...defined({ maxAge }) }, withPaths);
  }
  if (sftp) return (await import('./fetch/open-sftp.ts')).openSftp(sftp, source, withPaths);
  if (ldap) return (await import('./ldap/open-ldap.ts')).openLdap(ldap, withPaths);
  if (sql) return (await import('./sql/open-sql.ts')).openSql(sql, withPaths);
  if (s3 ?? azureBlob) return (await import('./store/open-store.ts')).openStored(source, withPaths);
  return openFiles(source, withPaths);
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
): { preset?: Preset; filled?: HttpRequest } {
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
