// Walks the schema as a tree: known keys, secret places, lines of problems.
import { resolve } from 'node:path';
import { z } from 'zod';
import { mayBeKey } from '../src/core/secrets/secret-parts.ts';

const isWrapper = (schema: unknown): schema is z.ZodPrefault | z.ZodExactOptional =>
  schema instanceof z.ZodPrefault || schema instanceof z.ZodExactOptional;

/** Removes wrappers that only say whether a value is optional, or how it is transformed. */
export function bare(schema: unknown): unknown {
  if (isWrapper(schema) || schema instanceof z.ZodOptional) return bare(schema.unwrap());
  return schema instanceof z.ZodPipe ? bare(schema.in) : schema;
}

/** The schema without its wrappers, and each of its options where it is a union. */
function optionsOf(schema: unknown): unknown[] {
  const core = bare(schema);
  return core instanceof z.ZodUnion ? core.options.flatMap(optionsOf) : [core];
}

/** What a schema says about its values; what its wrappers say counts first. */
function metaOf(schema: unknown): z.GlobalMeta {
  if (!(schema instanceof z.ZodType)) return {};
  return { ...(isWrapper(schema) && metaOf(schema.unwrap())), ...schema.meta() };
}

/** The schemas that a key of a tree may have: of an object's key, a record's, or an item of a list. */
function below(schema: unknown, key: PropertyKey): unknown[] {
  return optionsOf(schema).flatMap((option): unknown[] => {
    if (option instanceof z.ZodObject) {
      const shape = option.shape as Record<PropertyKey, unknown>;
      return Object.hasOwn(shape, key) ? [shape[key]] : [];
    }
    if (option instanceof z.ZodRecord) return [option.valueType];
    return option instanceof z.ZodArray ? [option.element] : [];
  });
}

function schemasAt(tree: unknown, path: readonly PropertyKey[]): unknown[] {
  let schemas = [tree];
  for (const key of path) schemas = schemas.flatMap((schema) => below(schema, key));
  return schemas;
}

export function keysAt(tree: unknown, path: readonly PropertyKey[]): string[] {
  const keys = schemasAt(tree, path)
    .flatMap(optionsOf)
    .flatMap((option) => (option instanceof z.ZodObject ? Object.keys(option.shape) : []));
  return [...new Set(keys)];
}

/** How secret what stands at a place in a tree is, by its own schema and those around it. */
function secretsAt(tree: unknown, path: readonly PropertyKey[]): NonNullable<z.GlobalMeta['secret']>[] {
  return [...path, ''].flatMap((_, at) =>
    schemasAt(tree, path.slice(0, at)).flatMap((schema) => metaOf(schema).secret ?? []),
  );
}

/** Whether a place in a tree holds a secret, or an address that may have one in it. */
export function isSecretAt(tree: unknown, path: readonly PropertyKey[]): boolean {
  return secretsAt(tree, path).length > 0;
}

/** Calls `change` with every single value of a tree and its place, and puts what it returns in the value's stead. */
function mapTree(
  value: unknown,
  change: (value: unknown, path: readonly string[]) => unknown,
  path: readonly string[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((item, at) => mapTree(item, change, [...path, String(at)]));
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) {
    return change(value, path);
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTree(item, change, [...path, key])]));
}

export function secretsIn(tree: unknown, value: unknown): string[] {
  const secrets: string[] = [];
  mapTree(value, (item, path) => {
    const found = typeof item === 'string' ? secretsAt(tree, path) : [];
    if (found.includes('all') || (found.includes('part') && mayBeKey(String(item)))) secrets.push(String(item));
    return item;
  });
  return secrets;
}

/** A tree in which secrets are masked; of addresses that may hold one, what identifies them is left. */
export function maskTree(tree: unknown, value: unknown): unknown {
  return mapTree(value, (item, path) => {
    if (secretsAt(tree, path).some((secret) => secret !== 'address')) return '***';
    const isAddress = schemasAt(tree, path).some((schema) => {
      const { secret, form } = metaOf(schema);
      return secret === 'address' || form === 'address';
    });
    return isAddress && typeof item === 'string' ? withoutPassword(item) : item;
  });
}

/** Host, port and path: user name, password and parameters may hold secrets. */
export function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return '***';
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

/** Makes the paths of files in a tree absolute. */
export function resolvePaths(tree: unknown, value: unknown, base: string): unknown {
  return mapTree(value, (item, path) => {
    const isPath = schemasAt(tree, path).some((schema) => metaOf(schema).isPath);
    return isPath && typeof item === 'string' && item.trim() !== '' && item.trim() !== '-'
      ? resolve(base, item.trim())
      : item;
  });
}

export interface Setting extends z.GlobalMeta {
  /** As it is named in messages and in the reference: `delivery.rate.limit`, `sources.<name>.only[].column`. */
  name: string;
  path: string[];
  form: string;
  /** As it would be written; undefined when it has none. */
  fallback: unknown;
  isRequired: boolean;
  isList: boolean;
  schema: z.ZodType;
  /** The long environment variable, `ROSTER_SYNC__DELIVERY__RATE__LIMIT`; undefined for a tree, and for what is in one. */
  longVariable?: string;
  /** The schema of what stands below it, for a setting that is a whole tree. */
  tree?: z.ZodType;
}

/** `forceSync` becomes `FORCE_SYNC`. */
export const upperSnake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** The settings in a schema, in its order: each tree as one. */
export function settingsIn(schema: z.ZodType, path: readonly string[] = []): Setting[] {
  const core = schema instanceof z.ZodPrefault ? schema.unwrap() : schema;
  if (core instanceof z.ZodObject) {
    return Object.entries<z.ZodType>(core.shape).flatMap(([key, value]) => settingsIn(value, [...path, key]));
  }
  const setting = settingOf(schema, path);
  // What is read as a whole: a record, and settings that may be left out together.
  const whole: unknown = schema instanceof z.ZodExactOptional ? schema.unwrap() : core;
  if (whole instanceof z.ZodRecord || whole instanceof z.ZodObject) return [{ ...setting, tree: whole }];
  return [{ ...setting, longVariable: `ROSTER_SYNC__${path.map(upperSnake).join('__')}` }];
}

/** A setting and everything below it, in the schema's order. Options that have the same key give its name several times. */
export function settingsBelow(schema: unknown, path: readonly string[]): Setting[] {
  const inner = optionsOf(schema).flatMap((option) => {
    if (option instanceof z.ZodArray) return settingsBelow(option.element, [...path.slice(0, -1), `${path.at(-1)}[]`]);
    if (option instanceof z.ZodRecord) return settingsBelow(option.valueType, [...path, '<name>']);
    const keys = option instanceof z.ZodObject ? Object.entries<unknown>(option.shape) : [];
    return keys.flatMap(([key, value]) => settingsBelow(value, [...path, key]));
  });
  return [settingOf(schema as z.ZodType, path), ...inner];
}

function settingOf(schema: z.ZodType, path: readonly string[]): Setting {
  return {
    form: '',
    ...metaOf(schema),
    name: path.join('.'),
    path: [...path],
    fallback: schema instanceof z.ZodPrefault ? schema.def.defaultValue : undefined,
    isRequired: !(schema instanceof z.ZodPrefault || schema instanceof z.ZodExactOptional),
    isList: bare(schema) instanceof z.ZodArray,
    schema,
  };
}
