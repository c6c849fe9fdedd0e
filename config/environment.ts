// Reads settings from environment variables.
import { nearest } from '../src/core/text/nearest.ts';
import type { GivenSettings } from './given.ts';
import { allSettings } from './schema.ts';
import type { Environment } from './yaml-file.ts';

export const fileVariable = 'ROSTER_SYNC_CONFIG';

const shortNames = new Map(allSettings.flatMap(({ name, variable }) => (variable ? [[variable, name] as const] : [])));
const longNames = new Map([
  ...allSettings.flatMap(({ name, longVariable }) => (longVariable ? [[longVariable, name] as const] : [])),
  ['ROSTER_SYNC__DELIVERY__RATE', 'delivery.rate'] as const,
]);
const lists = new Set(allSettings.flatMap(({ name, isList }) => (isList ? [name] : [])));

/** An empty variable counts as not set. `mentioned` are variables that the config file uses by name. */
export function readEnvironment(
  given: GivenSettings,
  environment: Environment,
  { mentioned, cwd }: { mentioned: ReadonlySet<string>; cwd: string },
): void {
  for (const [variable, value = ''] of Object.entries(environment)) {
    if (value === '') continue;
    const name = shortNames.get(variable) ?? longNames.get(variable);
    if (name !== undefined) given.set(name, lists.has(name) ? value.split(',') : value, variable, cwd);
    else if (!mentioned.has(variable)) given.problems.push(...unknownVariable(variable));
  }
  for (const { name, variable = '', longVariable = '' } of allSettings) {
    const [short, long] = [environment[variable], environment[longVariable]];
    if (short && long && short !== long)
      given.problems.push(`${variable}: ${longVariable} sets ${name} to something else; keep one of them`);
  }
}

/** One underscore may be somebody else's (Kubernetes sets such), unless it looks like a typing error. */
function unknownVariable(variable: string): string[] {
  if (!variable.startsWith('ROSTER_SYNC_')) return [];
  const isLong = variable.startsWith('ROSTER_SYNC__');
  const known = isLong ? [...longNames.keys()] : [...shortNames.keys(), fileVariable];
  const meant = nearest(variable, known, isLong ? undefined : 2);
  if (!isLong && (meant === undefined || meant === variable)) return [];
  return [
    `${variable}: this variable is not a setting; ${meant ? `did you mean ${meant}?` : 'see docs/configuration.md'}`,
  ];
}
