// SCIM answers: resources, lists, errors, and what the service says about itself (RFC 7643, 5 to 7).
import { defined } from '../defined.ts';
import { isSameName, type Kind, schemasOf, type ScimError, type Attribute, related } from './attributes.ts';
import { type AttributePath, parsePath } from './filter.ts';
import type { Resource } from './resource.ts';

export interface Stored {
  id: string;
  resource: Resource;
  version: number;
  createdAt: Date;
  modifiedAt: Date;
}

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

/** Which attributes of each resource are answered, by their own names or their extension's. */
export interface Projection {
  only?: readonly string[];
  except: readonly string[];
}

/** Reads `attributes` and `excludedAttributes` of a query: names with commas between them. A part asks for its whole attribute. */
export function readProjection(query: Readonly<Record<string, unknown>>): Projection {
  const pathsIn = (name: string): AttributePath[] => {
    const [, value] = Object.entries(query).find(([key]) => isSameName(key, name)) ?? [];
    const names = typeof value === 'string' ? withoutBrackets(value).split(',') : [];
    return names.map((one) => one.trim()).flatMap((one) => (one === '' ? [] : [parsePath(one)]));
  };
  const only = pathsIn('attributes').flatMap(({ extension, name }) => extension ?? name ?? []);
  // Whoever leaves out a part gets it all the same, and loses nothing else.
  const except = pathsIn('excludedAttributes').flatMap(({ extension, name, part }) =>
    part === undefined && (extension === undefined || name === undefined) ? (extension ?? name ?? []) : [],
  );
  return { ...(only.length > 0 && { only }), except };
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
  const isNamed = (list: readonly string[]): boolean => list.some((one) => isSameName(one, name));
  return only ? isNamed(only) : !isNamed(except);
}

/** The attributes of a resource that are asked for; `schemas` and `id` always are. */
export function project(resource: Resource, projection: Projection): Resource {
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => name === 'schemas' || name === 'id' || isWanted(name, projection)),
  );
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

/** The most resources of one page. */
export const mostPerPage = 1000;

const kinds: readonly Kind[] = ['User', 'Group'];

export function serviceProviderConfig(base: string): object {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: mostPerPage },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token with the scope of the source.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

export function resourceTypes(base: string): { id: string }[] {
  return kinds.map((kind) => {
    const [own, ...extensions] = schemasOf[kind];
    return {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
      id: kind,
      name: kind,
      endpoint: `/${endpointOf[kind]}`,
      schema: own?.id,
      schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
      meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${kind}` },
    };
  });
}

export function schemas(base: string): { id: string }[] {
  return kinds.flatMap((kind) =>
    schemasOf[kind].map(({ id, name, attributes }, at) => ({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
      id,
      name,
      description: name,
      attributes: [...attributes, ...(at === 0 ? [related[kind]] : [])].map((attribute) => describe(attribute, kind)),
      meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
    })),
  );
}

function describe(attribute: Attribute, kind?: Kind): object {
  const { name, type, multi, parts, description, exact, leadsTo, fixed } = attribute;
  const isText = type === 'string' || type === 'reference';
  const isName = (kind === 'User' && name === 'userName') || (kind === 'Group' && name === 'displayName');
  return {
    name,
    type,
    multiValued: multi ?? false,
    description,
    required: isName,
    ...(isText && { caseExact: exact ?? false }),
    ...defined({ referenceTypes: leadsTo }),
    mutability: fixed ? 'readOnly' : 'readWrite',
    returned: 'default',
    ...(isText && { uniqueness: isName ? 'server' : 'none' }),
    ...(parts && { subAttributes: parts.map((part) => describe(fixed ? { ...part, fixed } : part)) }),
  };
}
