// Reads settings from environment variables.
import { enter, joinLayers, type Layer } from './entries.ts';
import { nearest } from '../src/core/text/nearest.ts';
import { allSettings } from './schema.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const fileVariable = 'ROSTER_SYNC_CONFIG';

const shortNames = new Map(allSettings.flatMap(({ name, variable }) => (variable ? [[variable, name] as const] : [])));
const longNames = new Map([
  ...allSettings.filter(({ tree }) => !tree).map(({ name, longVariable }) => [longVariable, name] as const),
  ['ROSTER_SYNC__DELIVERY__RATE', 'delivery.rate'] as const,
]);

/** An empty variable counts as not set. `mentioned` are variables that the config file uses by name. */
export function readEnvironment(environment: Environment, mentioned: ReadonlySet<string>): Layer {
  const set = Object.entries(environment).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return joinLayers([
    ...set.map(([variable, value]) => readVariable(variable, value, mentioned)),
    { entries: [], problems: set.flatMap(([variable, value]) => twice(variable, value, environment)) },
  ]);
}

function readVariable(variable: string, value: string, mentioned: ReadonlySet<string>): Layer {
  const name = shortNames.get(variable) ?? longNames.get(variable);
  if (name !== undefined) {
    const isList = allSettings.find((setting) => setting.name === name)?.isList === true;
    return enter(name, isList ? value.split(',') : value, variable);
  }
  if (mentioned.has(variable) || !variable.startsWith('ROSTER_SYNC_')) return { entries: [], problems: [] };
  return { entries: [], problems: unknownVariable(variable) };
}

/** One underscore may be somebody else's (Kubernetes sets such), unless it looks like a typing error. */
function unknownVariable(variable: string): string[] {
  const isLong = variable.startsWith('ROSTER_SYNC__');
  const known = [...longNames.keys()];
  const meant = isLong ? nearest(variable, known) : nearest(variable, [...shortNames.keys(), fileVariable], 2);
  if (!isLong && (meant === undefined || meant === variable)) return [];
  return [
    `${variable}: this variable is not a setting; ${meant ? `did you mean ${meant}?` : 'see docs/configuration.md'}`,
  ];
}

/** A short variable and its long form that disagree. */
function twice(variable: string, value: string, environment: Environment): string[] {
  const setting = allSettings.find((candidate) => candidate.variable === variable);
  const other = setting && environment[setting.longVariable];
  if (!setting || !other || other === value) return [];
  return [`${variable}: ${setting.longVariable} sets ${setting.name} to something else; keep one of them`];
}
