// The control routes, by which tests and programs in other processes steer the sandbox: both ends of them.
import { z } from 'zod';
import { parseJson } from '../core/attempt.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { InputError } from '../core/errors.ts';
import { isLoopback } from '../core/host/this-machine.ts';
import { isRecord } from '../core/rows/path.ts';
import { type Fault, parseFault } from './fault.ts';
import type { FaultState } from './fault-list.ts';
import { readText, UserFields } from './message.ts';
import type { Invitation } from './outbox.ts';
import type { SandboxGroup, SandboxUser } from './people.ts';
import type { SandboxCall } from './record.ts';
import { type SandboxStats, statsOf, type World } from './world.ts';

/** 64 MiB: a list of some hundred thousand users. */
const maxControlBytes = 64 * 1024 * 1024;

type Route = (world: World, body: unknown, query: URLSearchParams) => unknown;

/** The control routes: what is inspected or moved from another process. docs/sandbox.md lists them. */
const routes: Record<string, Route> = {
  'GET /_sandbox': () => ({ routes: Object.keys(routes) }),
  'GET /_sandbox/stats': (world) => statsOf(world),
  'GET /_sandbox/calls': ({ record }, _, query) => {
    const from = wholeNumber(query, 'from', 1);
    const limit = wholeNumber(query, 'limit', Number.MAX_SAFE_INTEGER);
    return { calls: record.calls.filter(({ sequence }) => sequence >= from).slice(0, limit) };
  },
  'DELETE /_sandbox/calls': ({ record }) => {
    record.clear();
    return { calls: [] };
  },
  'GET /_sandbox/outbox': ({ outbox, clock }) => {
    return { now: clock.now(), sent: outbox.sent(), pending: outbox.pending() };
  },
  'GET /_sandbox/clock': ({ clock }) => ({ now: clock.now() }),
  'POST /_sandbox/clock': ({ clock }, body) => {
    const milliseconds = isRecord(body) ? body['advanceMs'] : undefined;
    if (typeof milliseconds !== 'number' || milliseconds < 0)
      throw new InputError('advanceMs is a number of at least 0');
    clock.advance(milliseconds);
    return { now: clock.now() };
  },
  'GET /_sandbox/faults': ({ faults }) => ({ faults: faults.list() }),
  'POST /_sandbox/faults': ({ faults }, body) => {
    const given = isRecord(body) ? body['faults'] : undefined;
    if (!Array.isArray(given)) throw new InputError('faults is a list of faults, each a text or an object');
    faults.add(...given.map(parseFault));
    return { faults: faults.list() };
  },
  'DELETE /_sandbox/faults': ({ faults }) => {
    faults.clear();
    return { faults: [] };
  },
  'GET /_sandbox/users': ({ people }, _, query) => {
    const email = query.get('email');
    return { users: email === null ? [...people.users()] : [people.find(email) ?? []].flat() };
  },
  'POST /_sandbox/users': ({ people }, body) => {
    const given = isRecord(body) ? body['users'] : undefined;
    if (!Array.isArray(given)) throw new InputError('users is a list of { firstname, lastname, email, groups }');
    const assigned = given.map(readAssigned);
    return { users: assigned.map(({ groups, ...fields }) => people.assign(fields, groups)) };
  },
  'GET /_sandbox/groups': ({ people }) => ({ groups: people.groups() }),
};

/** Answers a control call. A web page must not reach it: calls with an `Origin` or for another host are refused. */
export function control(request: IncomingMessage, response: ServerResponse, world: World): void {
  const send = (status: number, body: unknown): void => {
    const text = JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  };
  readText(request, maxControlBytes, (text) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sandbox');
    const name = `${request.method} ${pathname}`;
    const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
    if (!isFromHere(request)) return send(403, { error: 'the control routes are for programs on this machine' });
    if (!route) return send(404, { error: `there is no ${name}`, routes: Object.keys(routes) });
    if (text === undefined) return send(413, { error: `the body is longer than ${maxControlBytes} bytes` });
    try {
      send(200, route(world, parseJson(text), searchParams));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      send(400, { error: error.message });
    }
  });
}

function isFromHere(request: IncomingMessage): boolean {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  return request.headers.origin === undefined && isLoopback(host);
}

const Assigned = UserFields.extend({ groups: z.array(z.string()).default([]) });

function readAssigned(given: unknown): z.output<typeof Assigned> {
  const { data } = Assigned.safeParse(given);
  if (data) return data;
  const known = Object.keys(UserFields.shape).join(', ');
  throw new InputError(`a user has ${known} as texts and groups as a list of names`);
}

function wholeNumber(query: URLSearchParams, name: string, otherwise: number): number {
  const given = query.get(name);
  if (given === null) return otherwise;
  if (!/^\d+$/.test(given)) throw new InputError(`${name} is a whole number`);
  return Number(given);
}

/** Speaks to a sandbox of another process of this machine, by its control routes. Each call throws `InputError` with the sandbox's words when it refuses. */
export function connectSandbox(url: string) {
  // Both ends of this are the sandbox's own: the caller says which shape of the routes above comes back.
  const ask = async <Reply>(method: string, path: string, body?: object): Promise<Reply> => {
    const sent = body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {};
    const response = await fetch(new URL(`/_sandbox/${path}`, url), { method, ...sent });
    const reply: unknown = await response.json();
    if (response.ok) return reply as Reply;
    throw new InputError(`the sandbox at ${url} refused ${method} ${path}: ${JSON.stringify(reply)}`);
  };
  return {
    /** The recorded calls with a sequence of at least `from`. */
    calls: async (from = 1): Promise<SandboxCall[]> =>
      (await ask<{ calls: SandboxCall[] }>('GET', `calls?from=${from}`)).calls,
    clearCalls: async (): Promise<void> => void (await ask('DELETE', 'calls')),
    stats: () => ask<SandboxStats>('GET', 'stats'),
    outbox: () => ask<{ now: number; sent: Invitation[]; pending: Invitation[] }>('GET', 'outbox'),
    /** Moves the sandbox's clock; gives its new time in epoch milliseconds. */
    advance: async (advanceMs: number) => (await ask<{ now: number }>('POST', 'clock', { advanceMs })).now,
    users: async () => (await ask<{ users: SandboxUser[] }>('GET', 'users')).users,
    groups: async () => (await ask<{ groups: SandboxGroup[] }>('GET', 'groups')).groups,
    /** Puts users into groups by hand. */
    assign: async (users: readonly (UserFields & { groups?: string[] })[]) =>
      (await ask<{ users: SandboxUser[] }>('POST', 'users', { users })).users,
    addFaults: async (...faults: readonly (Fault | string)[]) =>
      (await ask<{ faults: FaultState[] }>('POST', 'faults', { faults })).faults,
    clearFaults: async (): Promise<void> => void (await ask('DELETE', 'faults')),
  };
}
