// The SCIM service: users and groups that identity providers push to a source (RFC 7644).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { defined } from '../../core/defined.ts';
import {
  endpointOf,
  readProjection,
  type Stored,
  tagOf,
  writeList,
  mostPerPage,
  resourceTypes,
  schemas,
  serviceProviderConfig,
} from '../../core/scim/answer.ts';
import { ScimError, isSameName, type Kind } from '../../core/scim/attributes.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { parseFilter } from '../../core/scim/filter.ts';
import * as store from './store.ts';

/** A page has so many resources unless more are asked for. */
const usualPerPage = 100;

export interface ScimParts {
  ledger: Ledger;
  /** Where clients reach the service of a source, without a slash at its end. */
  baseOf(request: FastifyRequest): string;
}

export function scimRoutes(app: FastifyInstance, { ledger, baseOf }: ScimParts): void {
  for (const kind of ['User', 'Group'] as const) resourceRoutes(app, kind, { ledger, baseOf });
  app.get('/ServiceProviderConfig', async (request) => unfiltered(request, serviceProviderConfig(baseOf(request))));
  for (const [name, listOf] of [['ResourceTypes', resourceTypes] as const, ['Schemas', schemas] as const]) {
    const answer = async (request: FastifyRequest): Promise<object> => {
      const all = listOf(baseOf(request));
      return unfiltered(request, writeList(all, all.length, 1));
    };
    app.get(`/${name}`, answer);
    // Who tries the address of the service is told what is there.
    if (listOf === resourceTypes) app.get('/', answer);
    app.get(`/${name}/:id`, async (request) => {
      const { id } = request.params as { id: string };
      const found = listOf(baseOf(request)).find((one) => isSameName(one.id, id));
      if (!found) throw new ScimError(404, 'There is nothing of this name.');
      return found;
    });
  }
  app.all('/Me', async () => {
    throw new ScimError(501, 'A token is nobody in particular: /Me is not served.');
  });
}

function resourceRoutes(app: FastifyInstance, kind: Kind, { ledger, baseOf }: ScimParts): void {
  const path = `/${endpointOf[kind]}`;
  const sourceOf = (request: FastifyRequest): string => (request.params as { source: string }).source;
  const targetOf = (request: FastifyRequest) => {
    return { source: sourceOf(request), kind, id: (request.params as { id: string }).id };
  };
  const ifMatchOf = ({ headers }: FastifyRequest): string | undefined => headers['if-match'];

  /** Answers with a resource as it is now. */
  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    created?: Stored,
  ): Promise<object | undefined> {
    const projection = readProjection(request.query as Record<string, unknown>);
    const base = baseOf(request);
    const target = { source: sourceOf(request), kind, id, base, projection, ...defined({ created }) };
    const { answer, version } = await store.readResource(ledger, target);
    reply.header('etag', tagOf(version)).header('location', `${base}${path}/${id}`);
    if (request.method !== 'GET' || request.headers['if-none-match'] !== tagOf(version)) return answer;
    reply.code(304);
    return undefined;
  }

  app.get(path, async (request) => {
    const query = request.query as Record<string, unknown>;
    const startIndex = Math.max(1, numberOf(query, 'startIndex') ?? 1);
    const count = Math.min(mostPerPage, Math.max(0, numberOf(query, 'count') ?? usualPerPage));
    const text = valueOf(query, 'filter');
    const { resources, total } = await store.listResources(ledger, {
      source: sourceOf(request),
      kind,
      startIndex,
      count,
      base: baseOf(request),
      ...(text !== undefined && { filter: parseFilter(text) }),
      projection: readProjection(query),
    });
    return writeList(resources, total, startIndex);
  });

  app.post(path, async (request, reply) => {
    const created = await store.createResource(ledger, { source: sourceOf(request), kind }, request.body);
    reply.code(201);
    return show(request, reply, created.id, created);
  });

  app.get(`${path}/:id`, async (request, reply) => (await show(request, reply, targetOf(request).id)) ?? reply.send());

  app.put(`${path}/:id`, async (request, reply) => {
    const target = targetOf(request);
    await store.replaceResource(ledger, target, request.body, ifMatchOf(request));
    return show(request, reply, target.id);
  });

  app.patch(`${path}/:id`, async (request, reply) => {
    const target = targetOf(request);
    await store.patchResource(ledger, target, request.body, ifMatchOf(request));
    // Entra advises no content for groups: they may have many members. Okta reads the user back.
    if (kind === 'Group') return reply.code(204).send();
    return show(request, reply, target.id);
  });

  app.delete(`${path}/:id`, async (request, reply) => {
    if (!(await ledger.removePushed({ ...targetOf(request), event: `scim:${request.id}` }))) throw store.notFound(kind);
    return reply.code(204).send();
  });
}

/** Discovery takes no filter (RFC 7644, section 4). */
function unfiltered(request: FastifyRequest, answer: object): object {
  if (valueOf(request.query as Record<string, unknown>, 'filter') === undefined) return answer;
  throw new ScimError(403, 'There is no filter here.');
}

/** A parameter of the query, whose name counts whatever its case. */
function valueOf(query: Record<string, unknown>, name: string): string | undefined {
  const [, value] = Object.entries(query).find(([key]) => isSameName(key, name)) ?? [];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function numberOf(query: Record<string, unknown>, name: string): number | undefined {
  const text = valueOf(query, name);
  if (text === undefined) return undefined;
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw new ScimError(400, `${name} is a whole number.`, 'invalidValue');
}
