import { InputError } from '../src/core/errors.ts';
import { redactor, Secret } from '../src/core/secret.ts';
import type { Entry } from './entries.ts';
import { allSettings, Settings } from './schema.ts';

type Merged = ReadonlyMap<string, Entry>;

/** Parses what was merged, adding to `problems`; undefined when there is one. */
export function parseSettings(merged: Merged, problems: string[]): Settings | undefined {
  const input: Record<string, unknown> = {};
  for (const { setting, value } of merged.values()) put(input, setting.path, value);
  const parsed = Settings.safeParse(input);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = allSettings.find((setting) => setting.path.every((key, index) => key === path[index]))?.name ?? '';
    const entry = merged.get(name);
    const item: unknown = path.slice(entry?.setting.path.length).reduce(itemOf, entry?.value);
    problems.push(`${entry?.where ?? 'default'}: ${name} ${message}${instead(entry, item)}`);
  }
  return parsed.data;
}

const itemOf = (list: unknown, index: PropertyKey): unknown => (Array.isArray(list) ? list[Number(index)] : undefined);

function put(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) into[key] = value;
  else put((into[key] ??= {}) as Record<string, unknown>, rest, value);
}

/** What was found instead, unless it is a secret, or an address with one in it. */
function instead(entry: Entry | undefined, value: unknown): string {
  if (!entry || entry.setting.secret || !['string', 'number', 'boolean'].includes(typeof value)) return '';
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
  return problems;
}

/** One error for all problems. A secret that stands in the wrong place is not shown either. */
export function allProblems(problems: readonly string[], entries: readonly Entry[]): InputError {
  const secrets = entries.flatMap(({ setting, value }) =>
    setting.secret === 'all' && typeof value === 'string' && value !== '' ? [new Secret(value)] : [],
  );
  const hide = redactor(secrets);
  if (problems.length === 1) return new InputError(hide(`${problems[0] ?? ''}.`));
  return new InputError(
    hide(`The settings have ${problems.length} problems:\n${problems.map((problem) => `  ${problem}`).join('\n')}`),
  );
}
