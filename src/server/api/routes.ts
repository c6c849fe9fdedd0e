// Builds a route's options for Fastify and OpenAPI from one description.
import type { RouteShorthandOptions } from 'fastify';
import { z } from 'zod';
import { defined } from '../../core/defined.ts';
import type { Scope } from '../../core/secrets/token.ts';
import { Problem } from '../../acts/shapes/requests.ts';

export interface RouteFacts {
  scope: Scope | 'none';
  /** The name of its method in a generated client: `listRuns`. It never changes. */
  id: string;
  summary: string;
  description?: string;
  params?: z.ZodType;
  querystring?: z.ZodType;
  body?: z.ZodType;
  status?: 200 | 201;
  /** It may answer 200 as well, where nothing had to be made. */
  mayBeUnchanged?: true;
  answer?: z.ZodType;
  /** What it answers in another form than JSON: media types. */
  files?: string[];
  /** What that is, unless it is a file. */
  filesAre?: string;
  /** It takes the bytes of a file, whatever they are. */
  takesFile?: true;
}

const binary = { schema: { type: 'string', format: 'binary' } };

export function facts(route: RouteFacts): RouteShorthandOptions {
  const { scope, id, summary, description, params, querystring, body, status = 200, answer, files, takesFile } = route;
  const query = querystring && jsonSchema(querystring);
  const good = answer
    ? { ...jsonSchema(answer), description: answer.description ?? 'Done.' }
    : {
        description: route.filesAre ?? 'The file.',
        content: Object.fromEntries((files ?? []).map((type) => [type, binary])),
      };
  return {
    config: { scope, ...defined({ takesFile }) },
    ...(query && { preValidation: async (request) => void (request.query = readQuery(query, request.query)) }),
    schema: {
      summary,
      description: [...(description ? [description] : []), ...(scope === 'none' ? [] : [`Scope: ${scope}.`])].join(' '),
      operationId: id,
      security: scope === 'none' ? [] : [{ token: [] }],
      ...(takesFile && { consumes: ['application/octet-stream'] }),
      ...(params && { params: jsonSchema(params) }),
      ...defined({ querystring: query }),
      ...(body && { body: jsonSchema(body) }),
      response: {
        [status]: good,
        ...(route.mayBeUnchanged && { 200: { ...good, description: 'Nothing has changed since that run.' } }),
        default: {
          description: 'The request was refused or failed.',
          content: { 'application/problem+json': { schema: jsonSchema(Problem) } },
        },
      },
    },
  };
}

interface QuerySchema {
  properties?: Record<string, { type?: string }>;
}

const forms: Record<string, RegExp> = { integer: /^(?:0|[1-9]\d{0,14})$/, boolean: /^(?:true|false)$/ };

/** In a URL all is text. What is none of its type, or stands there twice, stays for the schema to refuse. */
function readQuery(schema: QuerySchema, query: unknown): unknown {
  const read = Object.entries(query as Record<string, unknown>).map(([name, value]) => {
    const form = forms[schema.properties?.[name]?.type ?? ''];
    return [name, typeof value === 'string' && form?.test(value) ? (JSON.parse(value) as unknown) : value] as const;
  });
  return Object.fromEntries(read);
}

/** As Fastify and OpenAPI 3.1 take it. `$schema` is left out: the document says it once. */
function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
  return rest;
}
