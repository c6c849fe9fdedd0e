// What the SCIM service says about itself: what it can do, its kinds, its schemas (RFC 7643, sections 5 to 7).
import { defined } from '../defined.ts';
import { endpointOf } from './answer.ts';
import { type Attribute, type Kind, related, schemasOf } from './attributes.ts';

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
