// Writes resources, lists and errors as SCIM answers.
import { defined } from '../defined.ts';
import { isRecord } from '../rows/path.ts';
import { isSameName, type Kind, schemasOf } from './attributes.ts';
import type { ScimError } from './error.ts';
import { parsePath } from './filter.ts';
import type { Resource } from './resource.ts';

/** A resource as the store gives it. */
export interface Stored {
  id: string;
  resource: Resource;
  version: number;
  createdAt: Date;
  modifiedAt: Date;
}

/** A reference to a user or a group, in an answer. */
export interface Reference {
  value: string;
  display?: string;
  /** The kind of what it refers to; absent where there is no such user or group. */
  kind?: Kind;
}

/** Where a kind is, below the address of the service. */
export const endpointOf: Readonly<Record<Kind, string>> = { User: 'Users', Group: 'Groups' };

/** A version of a resource, as an entity tag (RFC 7644, section 3.14). */
export const tagOf = (version: number): string => `W/"${version}"`;

/**
 * A whole resource as it is answered.
 * @param base the address of the service, without a slash at its end
 * @param related the groups of a user, or the members of a group
 */
export function writeResource(
  kind: Kind,
  stored: Stored,
  base: string,
  related: readonly Reference[] | undefined,
): Resource {
  const { id, resource, version, createdAt, modifiedAt } = stored;
  const schemas = schemasOf[kind].map((schema) => schema.id).filter((schema, at) => at === 0 || schema in resource);
  const references = related?.map(({ value, display, kind: to }) => ({
    value,
    ...defined({ display }),
    ...(kind === 'Group' && to && { type: to }),
    ...(to && { $ref: `${base}/${endpointOf[to]}/${value}` }),
  }));
  return {
    schemas,
    id,
    ...resource,
    ...(references && { [kind === 'User' ? 'groups' : 'members']: references }),
    meta: {
      resourceType: kind,
      created: createdAt.toISOString(),
      lastModified: modifiedAt.toISOString(),
      location: `${base}/${endpointOf[kind]}/${id}`,
      version: tagOf(version),
    },
  };
}

/** Which attributes of each resource are answered. */
export interface Projection {
  only?: readonly string[];
  except: readonly string[];
}

/** Reads `attributes` and `excludedAttributes` of a query: names with commas between them. A filter in brackets is dropped. */
export function readProjection(query: Readonly<Record<string, unknown>>): Projection {
  const listOf = (name: string): string[] => {
    const [, value] = Object.entries(query).find(([key]) => isSameName(key, name)) ?? [];
    if (typeof value !== 'string') return [];
    const names = withoutBrackets(value).split(',');
    return names.map((one) => one.trim()).filter((one) => one !== '');
  };
  const only = listOf('attributes');
  return { ...(only.length > 0 && { only }), except: listOf('excludedAttributes') };
}

/** `emails[type eq "work"].value` becomes `emails.value`. */
export function withoutBrackets(path: string): string {
  return path
    .split('[')
    .map((piece, at) => (at === 0 ? piece : piece.slice(piece.indexOf(']') + 1)))
    .join('');
}

/** Whether an attribute is answered at all: what is not need not be looked up. */
export function isWanted(name: string, { only, except }: Projection): boolean {
  const isNamed = (list: readonly string[]): boolean =>
    list.some((one) => isSameName(parsePath(one).name ?? one, name));
  return only ? isNamed(only) : !isNamed(except);
}

/** The attributes of a resource that are asked for; `schemas` and `id` always are. */
export function project(resource: Resource, { only, except }: Projection): Resource {
  if (!only && except.length === 0) return resource;
  const kept: Resource = {};
  for (const [name, value] of Object.entries(resource)) {
    const always = name === 'schemas' || name === 'id';
    const taken = always ? value : only ? picked(name, value, only) : dropped(name, value, except);
    if (taken !== undefined) kept[name] = taken;
  }
  return kept;
}

function picked(name: string, value: unknown, names: readonly string[]): unknown {
  const parts = partsNamed(name, value, names);
  if (parts === 'all' || parts.length === 0) return parts === 'all' ? value : undefined;
  return partsWhere(value, (part) => parts.some((each) => isSameName(each, part)));
}

function dropped(name: string, value: unknown, names: readonly string[]): unknown {
  const parts = partsNamed(name, value, names);
  if (parts === 'all') return undefined;
  return partsWhere(value, (part) => !parts.some((each) => isSameName(each, part)));
}

/** Which parts of an attribute are named: all, none, or some. Attributes of an extension are its parts. */
function partsNamed(name: string, value: unknown, names: readonly string[]): 'all' | string[] {
  const parts: string[] = [];
  for (const each of names) {
    const path = parsePath(each);
    if (
      isSameName(each, name) ||
      (path.extension === undefined && isSameName(path.name ?? '', name) && path.part === undefined)
    )
      return 'all';
    if (isSameName(path.extension ?? '', name) && path.name !== undefined) parts.push(path.name);
    else if (path.extension === undefined && isSameName(path.name ?? '', name) && path.part !== undefined)
      parts.push(path.part);
    // An attribute of an extension may be named without its schema.
    else if (
      name.startsWith('urn:') &&
      path.name !== undefined &&
      isRecord(value) &&
      Object.keys(value).some((key) => isSameName(key, path.name ?? ''))
    )
      parts.push(path.name);
  }
  return parts;
}

/** A value, or each of several, with only these parts; undefined where it has none of them. */
function partsWhere(value: unknown, isKept: (part: string) => boolean): unknown {
  if (Array.isArray(value)) {
    const some = value.flatMap((one: unknown) => partsWhere(one, isKept) ?? []);
    return some.length > 0 ? some : undefined;
  }
  if (!isRecord(value)) return value;
  const parts = Object.entries(value).filter(([part]) => isKept(part));
  return parts.length > 0 ? Object.fromEntries(parts) : undefined;
}

const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** A list of resources (RFC 7644, section 3.4.2). */
export function writeList(resources: readonly object[], total: number, startIndex: number): object {
  return {
    schemas: [listSchema],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

/** An error; its status is text (RFC 7644, section 3.12). */
export function writeError({ status, scimType, message }: Pick<ScimError, 'status' | 'scimType' | 'message'>): object {
  return { schemas: [errorSchema], status: String(status), ...defined({ scimType }), detail: message };
}
