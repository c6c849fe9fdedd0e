// Validates the settings and reports every problem and contradiction in words.
import type { z } from 'zod';
import { InputError } from '../src/core/errors.ts';
import { redactor, Secret } from '../src/core/secrets/secret.ts';
import { nearest } from '../src/core/text/nearest.ts';
import { type GivenSettings, nameOf, settingAt } from './given.ts';
import { allSettings, Settings } from './schema.ts';
import { isSecretAt, keysAt } from './tree.ts';
import type { Path } from './yaml-file.ts';

/** Parses what is given and adds to its problems; undefined if there is any. */
export function parseSettings(given: GivenSettings): Settings | undefined {
  const parsed = Settings.safeParse(given.value);
  const issues = (parsed.error?.issues ?? []).flatMap(clearest);
  given.problems.push(...issues.flatMap((issue) => sayIssue(issue, given)));
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

function sayIssue(issue: Issue, given: GivenSettings): string[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${given.whereOf([...path, key])}: ${sayUnknown(path, key)}`);
  const where = `${given.whereOf(path)}: ${nameOf(path)}`;
  const setting = settingAt(path);
  if (!setting) {
    const names = keysAt(Settings, path).map((key) => nameOf([...path, key]));
    return [`${where} is not one value; set ${names.join(', ')}`];
  }
  const value = given.at(path);
  if (setting.tree && value === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
    return [`${where} is missing`];
  const [inner] = issue.code === 'invalid_key' ? issue.issues : [];
  return [`${where} ${inner?.message ?? issue.message}${isSecretAt(Settings, path) ? '' : found(value)}`];
}

/** The problem of an unknown setting, with the name that was probably meant. */
function sayUnknown(path: Path, key: string): string {
  const name = nameOf([...path, key]);
  const [, instead] = Object.entries(gone).find(([end]) => name.endsWith(end)) ?? [];
  if (instead !== undefined) return `${name} is no longer a setting; ${instead}`;
  const isInTree = settingAt(path) !== undefined;
  const known = keysAt(Settings, path).map((each) => (isInTree ? each : nameOf([...path, each])));
  const meant = isInTree ? nearest(key, known) : nearestSetting(name, key, known);
  return `${name} is not a setting; ${meant === undefined ? `known here: ${known.join(', ')}` : `did you mean ${meant}?`}`;
}

function nearestSetting(name: string, key: string, siblings: readonly string[]): string | undefined {
  const names = allSettings.map((setting) => setting.name);
  const elsewhere = allSettings.find(({ path }) => path.at(-1) === key)?.name;
  return elsewhere ?? nearest(name, siblings, Math.ceil(key.length / 3)) ?? nearest(name, names);
}

/** Settings that there were, by the end of their names, and what to do instead. */
const gone: Readonly<Record<string, string>> = {
  '.http.auth.signIn':
    'get a refresh token from the service or with its tool, and set auth.oauth2: { tokenUrl, clientId, refreshToken }',
  '.delta': 'remove it: each run reads everybody',
};

/** What was found instead, unless an address may be in it, which may hold a secret. */
function found(value: unknown): string {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return '';
  const text = JSON.stringify(value);
  return text === '""' || text.includes('@') ? '' : `, not ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`;
}

/** Adds the problems of settings that are fine alone but not together. */
export function checkTogether(given: GivenSettings, settings: Settings | undefined): void {
  const { problems } = given;
  const isSet = (name: string): boolean =>
    given.get(name) !== undefined || given.unset.some(({ path }) => nameOf(path) === name);
  const where = (name: string): string => given.whereOf(name.split('.'));
  const login = ['service.username', 'service.password'];
  const ways = ['service.token', login.find(isSet) ?? '', 'service.tokenFile'].filter(isSet);
  if (ways.length > 1) {
    const named = ways.map((name) => `${name} (${where(name)})`).join(' and ');
    problems.push(`${ways.map(where).join(', ')}: keep only one of ${named}`);
  }
  needAll(given, login.filter(isSet), login);
  const { first, max } = settings?.delivery.backoff ?? { first: 0, max: 0 };
  if (first > max) {
    const name = ['delivery.backoff.max', 'delivery.backoff.first'].find(isSet) ?? '';
    problems.push(`${where(name)}: delivery.backoff.first must not be longer than delivery.backoff.max`);
  }
  const mail = ['notify.smtp', 'notify.from', 'notify.to'];
  const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
  needAll(
    given,
    mail.filter((name) => isSet(name) && !isEmptyList(given.get(name))),
    mail,
  );
}

/** Settings of which none can be without the others. */
function needAll(given: GivenSettings, set: readonly string[], all: readonly string[]): void {
  const [first] = set;
  const missing = all.filter((name) => !set.includes(name));
  if (first === undefined || missing.length === 0) return;
  given.problems.push(`${given.whereOf(first.split('.'))}: ${first} needs ${missing.join(' and ')} as well`);
}

/** One error for all problems. A secret in the wrong place is not shown either. */
export function allProblems({ problems, secrets, unset }: GivenSettings): InputError {
  const hide = redactor(secrets.map((secret) => new Secret(secret)));
  const all = [...new Set([...problems, ...unset.map(({ problem }) => problem)])];
  const [first = ''] = all;
  // A problem that is a question already ends with its mark.
  if (all.length === 1) return new InputError(hide(first.endsWith('?') ? first : `${first}.`));
  const lines = byLine(all).map((problem) => `\n  ${problem}`);
  return new InputError(hide(`The settings have ${all.length} problems:${lines.join('')}`));
}

/** Problems of the config file in its order, then those of other places. */
function byLine(problems: readonly string[]): string[] {
  const lineOf = (problem: string): number => Number(/^[^\s:]+:(\d+): /.exec(problem)?.[1] ?? Number.MAX_SAFE_INTEGER);
  return problems.toSorted((a, b) => lineOf(a) - lineOf(b));
}
