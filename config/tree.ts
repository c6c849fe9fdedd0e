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

/** How secret what stands at a place in a tree is, by its own schema and those around it. */
function secretsAt(tree: unknown, path: readonly PropertyKey[]): ('all' | 'address')[] {
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
    if (typeof item === 'string' && secretsAt(tree, path).includes('all')) secrets.push(item);
    return item;
  });
  return secrets;
}

/** A tree in which secrets are masked; of addresses that may hold one, what identifies them is left. */
export function maskTree(tree: unknown, value: unknown): unknown {
  return mapTree(value, (item, path) => {
    if (secretsAt(tree, path).includes('all')) return '***';
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
