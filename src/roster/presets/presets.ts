// Every preset by its name, its request, filled with the account's parameters, and its rules.
import type { Preset, AuthTemplate, RequestTemplate, Step } from './preset-schema.ts';
import type { MappingRules } from '../../core/mapping/mapping-rules.ts';
import { defined } from '../../core/defined.ts';
import { dataOf } from '../../data/data.ts';
import type { HttpAuth, HttpSource } from '../roster-file.ts';
import { InputError } from '../../core/errors.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { httpDefaults } from '../fetch/http-schema.ts';
import { columnsNamed, listColumns } from '../../core/columns/columns.ts';
import { trimSign } from '../../core/text/trim-end.ts';
import { wildcard } from '../../core/text/wildcard.ts';

export const presets = dataOf<Preset>('presets');

/** How people become members who are pushed to our own SCIM service: who is not active has left. */
export function pushedRules(): MappingRules {
  const { members, groups, except } = presets()['scim']?.rules ?? {};
  return defined({ members, groups, leavers: except });
}

type Values = ReadonlyMap<string, string>;
type Account = Readonly<Record<string, Secret>>;

/** Throws one `InputError` with everything that is missing, unknown or of the wrong form, and shows no value. */
export function fillRequest(name: string, preset: Preset & { request: RequestTemplate }, account: Account): HttpSource {
  const values = valuesOf(name, preset, account);
  const { url, method, headers = {}, body, steps, auth, byId: _, ...others } = preset.request;
  const way = auth.find(({ needs }) => needs.every((need) => (values.get(need) ?? '') !== ''));
  if (!way) {
    const ways = auth.map(({ needs }) => needs.map((need) => `account.${need}`).join(' and '));
    throw new InputError(`The preset ${name} needs ${ways.join(', or ')}.`);
  }
  return {
    ...httpDefaults,
    method,
    url: fillUrl(url, values),
    headers: Object.fromEntries(
      Object.entries({ ...headers, ...way.headers }).map(([key, text]) => [key, new Secret(fillText(text, values))]),
    ),
    ...(body === undefined ? {} : { body: filled(body, values) }),
    ...others,
    ...(steps === undefined ? {} : { steps: filled(steps, values) as Step[] }),
    auth: fillAuth(way.auth, values),
  };
}

/** An id as systems have them: it is put into a query or a body as it is. */
const plainId = /^[\w-]{1,64}$/;

/** Throws an `InputError` if the system cannot be asked so, or an id looks like none. */
export function onlyOf(
  request: HttpSource,
  { byId }: RequestTemplate,
  ids: readonly string[],
  name: string,
): HttpSource {
  if (!byId) throw new InputError(`The preset ${name} cannot ask for single people.`);
  if (!ids.every((id) => plainId.test(id)))
    throw new InputError(`The preset ${name}: an id of an event looks like none.`);
  if ('body' in byId) {
    const values: Values = new Map([['ids', ids.join(',')]]);
    return { ...request, body: { ...(request.body as object), ...(filled(byId.body, values) as object) } };
  }
  const url = new URL(request.url);
  for (const id of ids) url.searchParams.append(byId.parameter, id);
  return { ...request, url: url.href };
}

function valuesOf(name: string, { parameters }: Preset, account: Account): Values {
  const values = new Map<string, string>();
  const problems: string[] = [];
  for (const key of Object.keys(account)) {
    if (!Object.hasOwn(parameters, key)) {
      problems.push(`account.${key} means nothing to it; there are ${Object.keys(parameters).join(', ') || 'none'}`);
    }
  }
  for (const [key, { description, fallback, pattern }] of Object.entries(parameters)) {
    const value = (Object.hasOwn(account, key) ? account[key] : undefined)?.reveal().trim() ?? '';
    if (value === '' && fallback === undefined) problems.push(`account.${key} is missing: ${description}`);
    else if (value !== '' && pattern !== undefined && !new RegExp(pattern).test(value))
      problems.push(`account.${key} is not what it must be: ${description}`);
    values.set(key, value);
  }
  if (problems.length > 0) throw new InputError(`The preset ${name}: ${problems.join('\n  ')}`);
  for (const [key, { fallback }] of Object.entries(parameters)) {
    if (values.get(key) === '' && fallback !== undefined) values.set(key, fillText(fallback, values));
  }
  return values;
}

/** Parameters are in braces; a step may have other names there, which are left for it. */
const placeholder = /\{(\w+)\}/g;

function fillText(text: string, values: Values): string {
  return text.replaceAll(placeholder, (whole, key: string) => values.get(key) ?? whole);
}

/** Further names in a parameter, separated by commas. */
const namesIn = (value: string): string[] => value.split(',').flatMap((name) => name.trim() || []);

/** At the beginning of an address a parameter is an address itself; in a list it has further names; elsewhere it is encoded. */
function fillUrl(url: string, values: Values): string {
  const listed = url.split(/[=,&]/);
  return url.replaceAll(/(,?)\{(\w+)\}/g, (whole, comma: string, key: string, at: number) => {
    const value = values.get(key);
    if (value === undefined) return whole;
    if (comma === '') return at === 0 ? trimSign(value, '/') : encodeURIComponent(value);
    const names = namesIn(value).filter((name) => !listed.includes(name));
    return names.map((name) => `,${encodeURIComponent(name)}`).join('');
  });
}

/** A part of a template with the parameters in it; an entry of a list that is only a parameter stands for the names in it. */
function filled(part: unknown, values: Values, key = ''): unknown {
  if (typeof part === 'string') return key === 'url' ? fillUrl(part, values) : fillText(part, values);
  if (Array.isArray(part)) {
    return (part as unknown[]).flatMap((item) => {
      const [, name] = typeof item === 'string' ? (/^\{(\w+)\}$/.exec(item) ?? []) : [];
      if (name === undefined || !values.has(name)) return [filled(item, values)];
      return namesIn(values.get(name) ?? '');
    });
  }
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, filled(inner, values, key)]));
}

const secretKeys = ['password', 'bearer', 'key', 'clientSecret', 'consumerSecret'];

/** Texts that come to nothing are left out, secrets are hidden. */
function fillAuth(template: AuthTemplate, values: Values): HttpAuth {
  const fill = ([key, part]: [string, unknown]): [string, unknown][] => {
    if (typeof part !== 'string')
      return [[key, typeof part === 'object' ? fillAuth(part as AuthTemplate, values) : part]];
    const text = key === 'tokenUrl' ? fillUrl(part, values) : fillText(part, values);
    if (secretKeys.includes(key)) return [[key, new Secret(text)]];
    return text === '' ? [] : [[key, text]];
  };
  return Object.fromEntries(Object.entries(template).flatMap(fill));
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
  const members = Object.entries(rules.members ?? {}).filter(
    ([, rule]) => !(typeof rule === 'string' && isLacking(rule)),
  );
  const isKept = ({ column }: { column?: string }): boolean => !isLacking(column);
  const kept = {
    members: rules.members && Object.fromEntries(members),
    groups: rules.groups?.filter(isKept),
    only: rules.only?.filter(isKept),
    except: rules.except?.filter(isKept),
  };
  return { ...rules, ...defined(kept) };
}
