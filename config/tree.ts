// Walks the schema as a tree: known keys, secret places, lines of problems.
import { resolve } from 'node:path';
import { z } from 'zod';

/** Removes wrappers that only say whether a value is optional, or how it is transformed. */
function bare(schema: unknown): unknown {
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodExactOptional) return bare(schema.unwrap());
  if (schema instanceof z.ZodOptional) return bare(schema.unwrap());
  return schema instanceof z.ZodPipe ? bare(schema.in) : schema;
}

/** The schema without its wrappers, and each of its options where it is a union. */
function optionsOf(schema: unknown): unknown[] {
  const core = bare(schema);
  return core instanceof z.ZodUnion ? core.options.flatMap(optionsOf) : [core];
}

/** What a schema says about its values; what its wrappers say counts first. */
export function metaOf(schema: unknown): z.GlobalMeta {
  if (!(schema instanceof z.ZodType)) return {};
  const inner = schema instanceof z.ZodPrefault || schema instanceof z.ZodExactOptional ? metaOf(schema.unwrap()) : {};
  return { ...inner, ...schema.meta() };
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

/** Whether a place in a tree holds a secret, or an address that may have one in it. */
export function isSecretAt(tree: unknown, path: readonly PropertyKey[]): boolean {
  return path.some((_, at) =>
    schemasAt(tree, path.slice(0, at + 1)).some((schema) => metaOf(schema).secret !== undefined),
  );
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
    const isSecret =
      schemasAt(tree, path).some((schema) => metaOf(schema).secret === 'all') || isBelowSecret(tree, path);
    if (typeof item === 'string' && item !== '' && isSecret) secrets.push(item);
    return item;
  });
  return secrets;
}

function isBelowSecret(tree: unknown, path: readonly string[]): boolean {
  return path.some((_, at) => schemasAt(tree, path.slice(0, at)).some((schema) => metaOf(schema).secret === 'all'));
}

/** A tree in which secrets are masked; of addresses that may hold one, what identifies them is left. */
export function maskTree(tree: unknown, value: unknown): unknown {
  return mapTree(value, (item, path) => {
    if (isBelowSecret(tree, [...path, ''])) return '***';
    const kind = schemasAt(tree, path).flatMap((schema) => {
      const { secret, form } = metaOf(schema);
      return secret ?? (form === 'address' ? ['address' as const] : []);
    });
    if (kind.length === 0 || typeof item !== 'string') return item;
    if (kind.includes('all') || !URL.canParse(item)) return '***';
    const { protocol, host, pathname } = new URL(item);
    return `${protocol}//${host}${pathname}`;
  });
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

export interface TreeEntry {
  name: string;
  description: string;
  form: string;
  secret: boolean;
  fallback: unknown;
}

/** Every setting below a tree, in the schema's order, each name once. */
export function entriesOf(tree: unknown, name: string): TreeEntry[] {
  const entries = new Map<string, TreeEntry>();
  visit(tree, name, entries);
  return [...entries.values()];
}

function visit(schema: unknown, name: string, entries: Map<string, TreeEntry>): void {
  const { description, form = '', secret } = metaOf(schema);
  if (description !== undefined && !entries.has(name)) {
    const fallback = schema instanceof z.ZodPrefault ? schema.def.defaultValue : undefined;
    entries.set(name, { name, description, form, secret: secret !== undefined, fallback });
  }
  for (const option of optionsOf(schema)) {
    if (option instanceof z.ZodObject) {
      for (const [key, value] of Object.entries<unknown>(option.shape)) visit(value, `${name}.${key}`, entries);
    } else if (option instanceof z.ZodArray) visit(option.element, `${name}[]`, entries);
    else if (option instanceof z.ZodRecord) visit(option.valueType, `${name}.<name>`, entries);
  }
}
