// Validates the merged settings and reports every problem and contradiction in words.
import type { z } from 'zod';
import { InputError } from '../src/core/errors.ts';
import { redactor, Secret } from '../src/core/secrets/secret.ts';
import { nearest } from '../src/core/text/nearest.ts';
import { type Entry, placeKey } from './entries.ts';
import { allSettings, Settings } from './schema.ts';
import { isSecretAt, keysAt, secretsIn } from './tree.ts';

type Merged = ReadonlyMap<string, Entry>;

/** Parses the merged settings and adds to `problems`; undefined if there is any. */
export function parseSettings(merged: Merged, problems: string[]): Settings | undefined {
  const input: Record<string, unknown> = {};
  for (const { setting, value } of merged.values()) put(input, setting.path, value);
  const parsed = Settings.safeParse(input);
  for (const issue of (parsed.error?.issues ?? []).flatMap(clearest)) {
    const { path } = issue;
    const setting = allSettings.find((setting) => setting.path.every((key, index) => key === path[index]));
    const entry = merged.get(setting?.name ?? '');
    const rest = path.slice(setting?.path.length ?? 0);
    if (entry?.places) problems.push(...inTree(entry, rest, issue));
    else {
      const item: unknown = rest.reduce(itemOf, entry?.value);
      problems.push(`${entry?.where ?? 'default'}: ${setting?.name ?? ''} ${issue.message}${instead(entry, item)}`);
    }
  }
  return parsed.data;
}

type Issue = z.core.$ZodIssue;

function clearest(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const near = issue.errors.filter((branch) => branch.length > 0 && !branch.some(isOtherShape));
  const [branch] = near;
  if (near.length !== 1 || !branch) return [issue];
  return branch.flatMap((inner) => clearest({ ...inner, path: [...issue.path, ...inner.path] }));
}

const isOtherShape = ({ code, path }: Issue): boolean =>
  path.length === 0 && (code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union');

/** What is wrong within a tree of settings, with the line on which it stands. */
function inTree(entry: Entry, rest: readonly PropertyKey[], issue: Issue): string[] {
  const { tree } = entry.setting;
  const nameOf = (path: readonly PropertyKey[]): string =>
    path.reduce<string>(
      (name, key) => (typeof key === 'number' ? `${name}[${key}]` : `${name}.${String(key)}`),
      entry.setting.name,
    );
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(tree, rest);
    return issue.keys.map((key) => {
      const instead = insteadOf(nameOf([...rest, key]));
      if (instead !== undefined) {
        return `${placeOf(entry, [...rest, key])}: ${nameOf([...rest, key])} is no longer a setting; ${instead}`;
      }
      const meant = nearest(key, known);
      const hint = meant === undefined ? `known here: ${known.join(', ')}` : `did you mean ${meant}?`;
      return `${placeOf(entry, [...rest, key])}: ${nameOf([...rest, key])} is not a setting; ${hint}`;
    });
  }
  const value: unknown = rest.reduce(itemOf, entry.value);
  const isMissing = value === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
  const [inner] = issue.code === 'invalid_key' ? issue.issues : [];
  const message = isMissing ? 'is missing' : (inner?.message ?? issue.message);
  const shown = isMissing || isSecretAt(tree, rest) ? '' : found(value);
  return [`${placeOf(entry, rest)}: ${nameOf(rest)} ${message}${shown}`];
}

function placeOf({ places, where }: Entry, path: readonly PropertyKey[]): string {
  for (let length = path.length; length > 0; length--) {
    const place = places?.get(placeKey(path.slice(0, length)));
    if (place !== undefined) return place;
  }
  return where;
}

const itemOf = (value: unknown, key: PropertyKey): unknown => {
  if (Array.isArray(value)) return value[Number(key)] as unknown;
  return value !== null && typeof value === 'object' && Object.hasOwn(value, key)
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;
};

function put(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) into[key] = value;
  else put((into[key] ??= {}) as Record<string, unknown>, rest, value);
}

/** What was found instead, unless it is a secret, or an address with one in it. */
function instead(entry: Entry | undefined, value: unknown): string {
  return entry && !entry.setting.secret ? found(value) : '';
}

function found(value: unknown): string {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return '';
  const text = JSON.stringify(value);
  return text === '""' || text.includes('@') ? '' : `, not ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`;
}

/** Settings that are fine alone but not together. */
export function contradictions(merged: Merged, settings: Settings | undefined): string[] {
  const problems: string[] = [];
  const [token, username, password, tokenFile] = ['token', 'username', 'password', 'tokenFile'].map((key) =>
    merged.get(`service.${key}`),
  );
  const ways = [token, username ?? password, tokenFile].filter((way) => way !== undefined);
  if (ways.length > 1) {
    const given = ways.map(({ setting, where }) => `${setting.name} (${where})`).join(' and ');
    problems.push(`${ways.map(({ where }) => where).join(', ')}: keep only one of ${given}`);
  }
  if (username && !password) problems.push(`${username.where}: service.username needs service.password as well`);
  if (password && !username) problems.push(`${password.where}: service.password needs service.username as well`);
  const { first, max } = settings?.delivery.backoff ?? { first: 0, max: 0 };
  if (first > max) {
    const where = merged.get('delivery.backoff.max')?.where ?? merged.get('delivery.backoff.first')?.where ?? 'default';
    problems.push(`${where}: delivery.backoff.first must not be longer than delivery.backoff.max`);
  }
  problems.push(...mailProblems(merged));
  return problems;
}

function mailProblems(merged: Merged): string[] {
  const names = ['notify.smtp', 'notify.from', 'notify.to'];
  const given = names.flatMap((name) => merged.get(name) ?? []).filter(({ value }) => !isEmptyList(value));
  const missing = names.filter((name) => !given.some(({ setting }) => setting.name === name));
  const [first] = given;
  if (!first || missing.length === 0) return [];
  return [`${first.where}: ${first.setting.name} needs ${missing.join(' and ')} as well`];
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** One error for all problems. A secret in the wrong place is not shown either. */
export function allProblems(problems: readonly string[], entries: readonly Entry[]): InputError {
  const secrets = entries.flatMap(({ setting, value }) => {
    if (setting.tree) return secretsIn(setting.tree, value).map((secret) => new Secret(secret));
    return setting.secret === 'all' && typeof value === 'string' && value !== '' ? [new Secret(value)] : [];
  });
  const hide = redactor(secrets);
  if (problems.length === 1) return new InputError(hide(asSentence(problems[0] ?? '')));
  return new InputError(
    hide(
      `The settings have ${problems.length} problems:\n${byLine(problems)
        .map((problem) => `  ${problem}`)
        .join('\n')}`,
    ),
  );
}

/** A problem that is a question already ends with its mark. */
const asSentence = (problem: string): string => (problem.endsWith('?') ? problem : `${problem}.`);

/** Problems of the config file in its order, then those of other places. */
function byLine(problems: readonly string[]): string[] {
  const lineOf = (problem: string): number => Number(/^[^\s:]+:(\d+): /.exec(problem)?.[1] ?? Number.MAX_SAFE_INTEGER);
  return problems.toSorted((a, b) => lineOf(a) - lineOf(b));
}

/** By the end of its name. */
const gone: Readonly<Record<string, string>> = {
  '.http.auth.signIn':
    'get a refresh token from the service or with its tool, and set auth.oauth2: { tokenUrl, clientId, refreshToken }',
  '.delta': 'remove it: each run reads everybody',
};

/** Undefined for one that never was. */
function insteadOf(name: string): string | undefined {
  return Object.entries(gone).find(([end]) => name.endsWith(end))?.[1];
}
