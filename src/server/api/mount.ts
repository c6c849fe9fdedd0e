// Makes a route of each act.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Act, type Ask, type Asker, isBytes } from '../../acts/act.ts';
import { askAs } from '../../acts/perform.ts';
import { defined } from '../../core/defined.ts';
import { originOf } from '../access-log.ts';
import { awaitAnswer } from '../bodies.ts';
import type { ApiParts } from '../parts.ts';
import { facts } from './routes.ts';
import { sendBytes } from './send-file.ts';

/** Who sent a request. */
export function askerOf({ context, poke }: ApiParts, request: FastifyRequest): Asker {
  const { by, scopes } = request;
  return { by, origin: originOf(request), scopes, context, poke };
}

/** Asks on behalf of whoever sent a request. */
export const askOf = (parts: ApiParts, request: FastifyRequest): Ask => askAs(askerOf(parts, request));

export function mountActs(app: FastifyInstance, parts: ApiParts, acts: readonly Act[]): void {
  for (const act of acts) if ('route' in act.http) mount(app, parts, act, act.http);
}

function mount(app: FastifyInstance, parts: ApiParts, act: Act, http: Extract<Act['http'], { route: string }>): void {
  const { scope, input, output } = act;
  const { operation: id, summary, description } = http;
  const [method = '', url = ''] = http.route.split(' ');
  const isInPath = (name: string): boolean => url.split('/').includes(`:${name}`);
  const params = partOf(input, isInPath);
  const others = partOf(input, (name) => !isInPath(name));
  const body = (others?.safeParse({}).success ? others.nullable() : others)?.meta(input.meta() ?? {});
  const route = facts({
    ...{ scope, id, summary, ...defined({ description, params }) },
    ...(method === 'GET' ? defined({ querystring: others }) : defined({ body })),
    ...(output instanceof z.ZodType ? { answer: output } : { files: output.map((type) => type.replace(/;.*/, '')) }),
  });
  app.route({
    ...{ method, url, ...route },
    handler: async (request, reply) => {
      // What no schema describes is not looked at.
      const more = (others && (method === 'GET' ? request.query : request.body)) as object | null | undefined;
      if (act.isLong) awaitAnswer(request);
      const answer = await askOf(parts, request)(act, { ...more, ...(request.params as object) });
      if (isBytes(answer)) return sendBytes(request, reply, answer);
      return output instanceof z.ZodType ? output.parse(answer) : answer;
    },
  });
}

/** The fields of an input that go one way; undefined if there are none. */
function partOf({ shape }: z.ZodObject, isOf: (name: string) => boolean): z.ZodObject | undefined {
  const fields = Object.entries(shape).filter(([name]) => isOf(name));
  return fields.length === 0 ? undefined : z.strictObject(Object.fromEntries(fields));
}
