// Carries out a request as the service would: the group insert here, the question analysis in analysis.ts.
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { analysePieces, readAnalysis } from './analysis.ts';
import type { Fault } from './fault.ts';
import { type Envelope, invalid, type Refusal, type Reply, strayField } from './message.ts';
import type { Assumptions } from './options.ts';
import type { Outbox } from './outbox.ts';
import type { People } from './people.ts';
import { drawHash } from './random.ts';
import type { SandboxCall } from './record.ts';
import type { World } from './world.ts';

/** A request whose body has been read: `text` is missing when it was too long, `body` when it was not JSON. */
interface ReadRequest {
  request: IncomingMessage;
  call: SandboxCall;
  text: string | undefined;
  body: unknown;
}

type Operation = (
  read: ReadRequest,
  world: World,
  fault: Fault | undefined,
) => object[] | (() => Generator<string>) | Refusal;

/** Both operations of interface.md by their path. */
const operations: Record<string, Operation> = {
  '/v1/groups/insert': groupInsert,
  '/v1/logs/story-question-analysis': questionAnalysis,
};

/** Carries a request out as the service would and answers it; `fault` can only name a group that is not to be filled. */
export function carryOut(read: ReadRequest, world: World, fault?: Fault): Reply {
  const { settings } = world;
  const data = dataOrRefusal(read, world, fault);
  if (typeof data === 'function') return inPieces(data, read, world);
  if (!Array.isArray(data)) return refusalReply(data, settings.assumptions.errorBody);
  const { arrivedAt, sequence } = read.call;
  const tookMs = performance.now() - arrivedAt;
  const time = settings.assumptions.responseTime === 'seconds' ? tookMs / 1000 : tookMs;
  const response_time = Math.round(time * 1e6) / 1e6;
  const body: Envelope = { status: 'success', data, hash: drawHash(settings.seed, sequence), response_time };
  return { status: 200, headers: {}, body };
}

function dataOrRefusal(read: ReadRequest, world: World, fault?: Fault): ReturnType<Operation> {
  const { request, call, text, body } = read;
  const { prefix, authorization, maxBodyBytes, assumptions } = world.settings;
  const path = call.path.startsWith(prefix) ? call.path.slice(prefix.length) : '';
  const operation = Object.hasOwn(operations, path) ? operations[path] : undefined;
  if (!operation) return { status: 404, code: 'not-found', message: `there is nothing at ${call.path}` };
  if (call.method !== 'POST') {
    return { status: 405, code: 'method-not-allowed', message: 'use POST', headers: { allow: 'POST' } };
  }
  if (!isAuthorised(request.headers.authorization, authorization)) {
    const headers = { 'www-authenticate': 'Basic realm="sandbox"' };
    return { status: Number(assumptions.wrongToken), code: 'unauthorised', message: 'wrong or no token', headers };
  }
  const type = request.headers['content-type'] ?? '';
  if (assumptions.contentType === 'json' && !/^application\/json\s*(;|$)/i.test(type)) {
    return { status: 415, code: 'not-json', message: 'the content type is not application/json' };
  }
  if (text === undefined) {
    return { status: 413, code: 'too-large', message: `the body is longer than ${maxBodyBytes} bytes` };
  }
  if (body === undefined) return { status: 400, code: 'invalid-json', message: 'the body is not JSON' };
  return operation(read, world, fault);
}

function groupInsert({ call, body }: ReadRequest, world: World, fault: Fault | undefined): object[] | Refusal {
  const { people, outbox, settings } = world;
  const request = readGroupInsert(body, settings.assumptions);
  if ('status' in request) return request;
  const failing = fault?.body === 'group-failed' ? (fault.group ?? request.groups[0]) : undefined;
  const items = insertIntoGroups(request, people, outbox, settings.assumptions.repeat, failing);
  for (const { inserts, warnings } of items) {
    call.inserts += inserts;
    call.warnings += warnings;
  }
  return items;
}

/** From this number of users on, an analysis is not kept. */
const heldUsers = 5000;

function questionAnalysis({ body }: ReadRequest, world: World): ReturnType<Operation> {
  const { people, settings } = world;
  const request = readAnalysis(body, settings.assumptions);
  if ('status' in request) return request;
  const pieces = (): Generator<string> => analysePieces(request, { ...settings, people });
  return people.count < heldUsers ? (JSON.parse([...pieces()].join('')) as object[]) : pieces;
}

/** An answer that is made while it is sent. */
function inPieces(data: () => Generator<string>, { call }: ReadRequest, { settings }: World): Reply {
  const hash = drawHash(settings.seed, call.sequence);
  function* pieces(): Generator<string> {
    yield '{"status":"success","data":';
    yield* data();
    yield `,"hash":"${hash}","response_time":0.1}`;
  }
  return { status: 200, headers: {}, body: undefined, pieces };
}

/** Puts a refusal into the sandbox's error form, which is an assumption: interface.md shows none. */
function refusalReply(refusal: Refusal, form: Assumptions['errorBody']): Reply {
  const { status, code, message, headers = {} } = refusal;
  if (form === 'json') return { status, headers, body: { status: 'error', error: { code, message } } };
  return { status, headers, body: form === 'text' ? message : '' };
}

/** The scheme is compared without case (RFC 9110, 11.1), the token as it is. */
function isAuthorised(given: string | undefined, wanted: string): boolean {
  if (given === wanted || given === undefined) return given === wanted;
  return given.replace(/^basic +/i, 'Basic ') === wanted;
}

const filled = (said: string) => z.string(said).refine((text) => text.trim() !== '', said);
const User = z.object(
  {
    firstname: filled('user.firstname is missing'),
    lastname: filled('user.lastname is missing'),
    email: filled('user.email is missing').regex(/^[^\s@]+@[^\s@]+$/, 'user.email is not an address'),
    telephone: z.string('user.telephone is not a text').exactOptional(),
  },
  'user is not an object',
);
const noNames = 'groups is not a list of names';

/** A valid request of interface.md, "Group insert"; `user` is missing only where that is accepted. */
const GroupInsertRequest = z.object(
  {
    groups: z.array(filled(noNames), noNames).default([]),
    invite: z.boolean('invite is not true or false').default(true),
    forceSync: z.boolean('forceSync is not true or false').default(false),
    user: User.exactOptional(),
  },
  'the body is not a JSON object',
);
type GroupInsertRequest = z.output<typeof GroupInsertRequest>;

/** Reads a parsed body as a group insert, or says with which words it is refused. */
function readGroupInsert(body: unknown, assumptions: Assumptions): GroupInsertRequest | Refusal {
  const { data, error } = GroupInsertRequest.safeParse(body);
  if (!data) return invalid(error.issues[0]?.message ?? '');
  if (data.groups.length === 0 && assumptions.emptyGroups === 'refuse') return invalid('groups is missing or empty');
  const isStrict = assumptions.unknownFields === 'refuse';
  const stray = isStrict && strayField(body, GroupInsertRequest);
  if (stray) return invalid(`${stray} is not a parameter`);
  if (!data.user) return assumptions.missingUser === 'refuse' ? invalid('user is missing') : data;
  const strayOfUser = isStrict && strayField((body as { user: object }).user, User);
  return strayOfUser ? invalid(`user.${strayOfUser} is not a field`) : data;
}

/**
 * Adds the user to each group, in the order of the request, and plans the invitation of a new one.
 * Returns result items (interface.md, "Group insert result item"). `failing` names one group that the service fails to fill, for the fault that answers so.
 */
function insertIntoGroups(
  request: GroupInsertRequest,
  people: People,
  outbox: Outbox,
  repeat: Assumptions['repeat'],
  failing?: string,
) {
  const { groups, user: fields, invite, forceSync } = request;
  const warned = repeat === 'warning' ? 1 : 0;
  if (!fields) {
    for (const group of groups) people.ensureGroup(group);
    return groups.map((group) => ({ group, status: 'success', inserts: 0, warnings: 1 }));
  }
  const { user, key, isNew } = people.enrol(fields);
  const items = groups.map((group) => {
    if (group === failing) return { group, status: 'error', inserts: 0, warnings: 0 };
    const joined = people.join(user, group);
    return { group, status: 'success', inserts: joined ? 1 : 0, warnings: joined ? 0 : warned };
  });
  if (forceSync) people.keepOnly(user, groups);
  if (isNew && invite) outbox.invite(user.email, key);
  return items;
}
