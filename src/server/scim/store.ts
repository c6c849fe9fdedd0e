// Reads and changes what identity providers push, one request at a time.
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../core/defined.ts';
import { codeOf } from '../../core/errors.ts';
import { personKey } from '../../core/person/member.ts';
import { isRecord } from '../../core/rows/path.ts';
import {
  mostPerPage,
  type Projection,
  project,
  type Reference,
  type Stored,
  tagOf,
  isWanted,
  writeResource,
} from '../../core/scim/answer.ts';
import { ScimError, most, refuseMore, isSameName, type Kind } from '../../core/scim/attributes.ts';
import { type Filter, idAsked, textAsked } from '../../core/scim/filter.ts';
import { matches } from '../../core/scim/match.ts';
import { applyPatch, memberIds, type MemberChange } from '../../core/scim/patch.ts';
import { nameOf, type Resource, takeResource } from '../../core/scim/resource.ts';
import type { Ledger } from '../../ledger/ledger.ts';

/** Matching lets others in after this time, ms: long texts are compared with each part of a filter. */
const turnMs = 20;
/** The most attempts of a change, if other requests change the same resource at the same time. */
const mostTries = 20;

export interface Target {
  source: string;
  kind: Kind;
}

/**
 * A user of that name who is not active comes back: under the same id, unless the provider calls them by another one.
 * Throws a ScimError for one that cannot be taken over, or whose name is taken.
 */
export async function createResource(ledger: Ledger, target: Target, body: unknown): Promise<Stored> {
  const sent = bodyOf(body);
  const resource = takeResource(target.kind, sent);
  // Who is not said to be inactive is active; so the provider reads back what it expects.
  if (target.kind === 'User') resource['active'] ??= true;
  const members = sentMembers(target.kind, sent) ?? [];
  const names = namesOf(target.kind, resource);
  const add = async (): Promise<Stored | false | undefined> => {
    const content = { ...target, id: randomUUID(), ...names, resource, members, event: eventKey() };
    return ledger.addPushed(content).catch(isNameTaken);
  };
  const added = await add();
  if (added) return added;
  const [left] = await ledger.listPushed({ ...target, name: names.name, offset: 0, limit: 1 });
  if (target.kind === 'Group' || left?.resource['active'] !== false) throw taken(target.kind);
  const { id, version } = left;
  const [one, other] = [resource['externalId'], left.resource['externalId']];
  if (one !== undefined && other !== undefined && one !== other) {
    await ledger.removePushed({ ...target, id, event: eventKey() });
    const another = await add();
    if (another) return another;
  } else {
    const content = { ...target, id, ...names, resource, members, event: eventKey(), version, isSame: false };
    const back = (await ledger.changePushed(content)) === 'changed' && (await ledger.findPushed({ ...target, id }));
    if (back) return back;
  }
  throw taken(target.kind);
}

/** Replaces all of a user or a group. */
export async function replaceResource(
  ledger: Ledger,
  target: Target & { id: string },
  body: unknown,
  ifMatch?: string,
): Promise<void> {
  const sent = bodyOf(body);
  // Members that are not named stay: a group that is renamed by a PUT does not lose them.
  await changeResource(ledger, target, ifMatch, () => ({
    resource: takeResource(target.kind, sent),
    members: sentMembers(target.kind, sent) ?? [],
  }));
}

export async function patchResource(
  ledger: Ledger,
  target: Target & { id: string },
  body: unknown,
  ifMatch?: string,
): Promise<void> {
  await changeResource(ledger, target, ifMatch, ({ resource }) => {
    const patched = applyPatch(target.kind, resource, body);
    checkMembers(patched.members);
    return patched;
  });
}

async function changeResource(
  ledger: Ledger,
  target: Target & { id: string },
  ifMatch: string | undefined,
  change: (before: Stored) => { resource: Resource; members: MemberChange[] },
): Promise<void> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const before = await ledger.findPushed(target);
    if (!before) throw notFound(target.kind);
    if (
      ifMatch !== undefined &&
      ifMatch !== '*' &&
      !ifMatch.split(',').some((tag) => tag.trim() === tagOf(before.version))
    ) {
      throw new ScimError(412, 'It was changed meanwhile: read it again.', 'invalidVers');
    }
    const { resource, members } = change(before);
    // Only a request that says so makes a user active who was not.
    if (target.kind === 'User') resource['active'] ??= before.resource['active'] ?? true;
    // As the database keeps it; it has names in an order of its own.
    const isSame = isDeepStrictEqual(JSON.parse(JSON.stringify(resource)), before.resource);
    const content = { ...target, ...namesOf(target.kind, resource), resource, members, event: eventKey() };
    const ended = await ledger.changePushed({ ...content, version: before.version, isSame }).catch((error: unknown) => {
      isNameTaken(error);
      return 'taken' as const;
    });
    if (ended === 'taken') throw taken(target.kind);
    if (ended !== 'stale') return;
  }
  throw new ScimError(429, 'It is being changed by many requests at once: try again.');
}

/** Throws a ScimError where there is none. `request.created`: a moment ago, so a new user is in no group. */
export async function readResource(
  ledger: Ledger,
  request: Target & { id: string; base: string; projection: Projection; created?: Stored },
): Promise<{ answer: Resource; version: number }> {
  const { source, kind, id, created } = request;
  const stored = created ?? (await ledger.findPushed({ source, kind, id }));
  if (!stored) throw notFound(kind);
  const { version } = stored;
  const isInNone = created !== undefined && version === 1 && kind === 'User';
  const [answer = {}] = isInNone
    ? [asAnswered(request, stored, [])]
    : await complete(ledger, request, [stored], request);
  return { answer, version };
}

const asAnswered = (
  { kind, base, projection }: { kind: Kind; base: string; projection: Projection },
  stored: Stored,
  related: readonly Reference[] | undefined,
): Resource => project(writeResource(kind, stored, base, related), projection);

export interface ListRequest extends Target {
  filter?: Filter;
  /** The first one, counted from 1. */
  startIndex: number;
  count: number;
  base: string;
  projection: Projection;
}

/** The resources that fit, in the order in which they came, and how many there are in all. */
export async function listResources(
  ledger: Ledger,
  request: ListRequest,
): Promise<{ resources: Resource[]; total: number }> {
  const { source, kind, filter, startIndex, count } = request;
  const offset = startIndex - 1;
  if (!filter) {
    const [stored, total] = await Promise.all([
      count === 0 ? [] : ledger.listPushed({ source, kind, offset, limit: count }),
      ledger.countPushed({ source, kind }),
    ]);
    return { resources: await completeSome(ledger, request, stored), total };
  }
  const asked = askedOf(kind, source, filter);
  const asksForRelated = /\b(?:groups|members)\b/i.test(JSON.stringify(filter));
  const resources: Resource[] = [];
  let [total, isFull] = [0, false];
  let until = performance.now() + turnMs;
  for (let at = 0; ;) {
    const page = await ledger.listPushed({ ...asked, offset: at, limit: mostPerPage });
    // What a filter compares is what is answered.
    const whole = asksForRelated
      ? await completeSome(ledger, { ...request, projection: { except: [] } }, page)
      : page.map((stored) => writeResource(kind, stored, request.base, undefined));
    at += whole.length;
    const fitting: Stored[] = [];
    for (const [each, compared] of whole.entries()) {
      if (performance.now() > until) {
        await nextTurn();
        until = performance.now() + turnMs;
      }
      const stored = page[each];
      if (stored && matches(kind, filter, compared)) fitting.push(stored);
    }
    const from = Math.max(0, offset - total);
    const next = isFull ? [] : fitting.slice(from, from + count - resources.length);
    const some = await completeSome(ledger, request, next);
    resources.push(...some);
    // What is not read together is not answered together either.
    isFull ||= some.length < next.length || (whole.length < page.length && resources.length > 0);
    total += fitting.length;
    if (page.length < mostPerPage && whole.length === page.length) return { resources, total };
  }
}

/** What the store looks for, before what it finds is matched in full. */
function askedOf(kind: Kind, source: string, filter: Filter) {
  const id = idAsked(filter);
  const text = textAsked(filter);
  const named = kind === 'User' ? 'userName' : 'displayName';
  const isByName =
    filter.is === 'compare' &&
    filter.operator === 'eq' &&
    typeof filter.value === 'string' &&
    filter.path.part === undefined &&
    isSameName(filter.path.name ?? '', named);
  return {
    source,
    kind,
    ...defined({ id }),
    ...(isByName ? { name: String(filter.value).trim().toLowerCase() } : text !== undefined && { text }),
  };
}

/** As many of them, and at least one, as have no more members together than a request may: whoever lists them asks for the rest. */
async function completeSome(ledger: Ledger, request: ListRequest, stored: readonly Stored[]): Promise<Resource[]> {
  if (request.kind === 'User' || !isWanted('members', request.projection))
    return complete(ledger, request, stored, request);
  const sizes = await ledger.pushedSizes({ source: request.source, groups: stored.map(({ id }) => id) });
  const membersOf = new Map(sizes.map(({ id, members }) => [id, members]));
  let members = 0;
  const end = stored.findIndex(({ id }, at) => {
    members += membersOf.get(id) ?? 0;
    return at > 0 && members > most.members;
  });
  return complete(ledger, request, end < 0 ? stored : stored.slice(0, end), request);
}

/** Resources as they are answered, with groups or members where these are asked for. */
async function complete(
  ledger: Ledger,
  { source, kind }: Target,
  stored: readonly Stored[],
  shown: { base: string; projection: Projection },
): Promise<Resource[]> {
  const isUser = kind === 'User';
  const related =
    isWanted(isUser ? 'groups' : 'members', shown.projection) && stored.length > 0
      ? new Map<string, Reference[]>()
      : undefined;
  if (related) {
    const ids = stored.map(({ id }) => id);
    for (const { groupId, memberId, group, member, memberKind } of await ledger.pushedMembers({
      source,
      ...(isUser ? { users: ids } : { groups: ids }),
    })) {
      const [own, value, display, to] = isUser
        ? ([memberId, groupId, group, 'Group'] as const)
        : [groupId, memberId, member, memberKind];
      const reference = { value, ...(display !== null && { display }), ...(to && { kind: to }) };
      const known = related.get(own);
      if (known) known.push(reference);
      else related.set(own, [reference]);
    }
  }
  return stored.map((each) => asAnswered({ kind, ...shown }, each, related && (related.get(each.id) ?? [])));
}

function bodyOf(body: unknown): Record<string, unknown> {
  if (isRecord(body)) return body;
  throw new ScimError(400, 'The body is a JSON object.', 'invalidSyntax');
}

/** The members of a group that is sent whole; undefined where it does not name any list. */
function sentMembers(kind: Kind, sent: Record<string, unknown>): MemberChange[] | undefined {
  const name = Object.keys(sent).find((key) => isSameName(key, 'members'));
  if (kind !== 'Group' || name === undefined) return undefined;
  const members: MemberChange[] = [{ what: 'set', ids: memberIds(sent[name]) }];
  checkMembers(members);
  return members;
}

function checkMembers(changes: readonly MemberChange[]): void {
  const count = changes.reduce((sum, { ids }) => sum + ids.length, 0);
  refuseMore(count, most.members, 'The request', 'members');
}

/** The name that there is only once, and the person keys by which a user can be erased. Refuses what is too large. */
function namesOf(kind: Kind, resource: Resource): { name: string; keys: string[] } {
  refuseMore(JSON.stringify(resource).length, most.charactersOfResource, `The ${kind.toLowerCase()}`, 'characters');
  const name = nameOf(kind, resource);
  if (kind === 'Group') return { name, keys: [] };
  const emails = Array.isArray(resource['emails']) ? (resource['emails'] as Record<string, unknown>[]) : [];
  const keys = [name, ...emails.map(({ value }) => (typeof value === 'string' ? value : ''))].map(personKey);
  return { name, keys: [...new Set(keys)].filter((key) => key.includes('@')) };
}

const eventKey = (): string => `scim:${randomUUID()}`;

/** Two requests gave the same name at the same moment: the database refused the second one (SQLSTATE 23505). */
function isNameTaken(error: unknown): false {
  if (codeOf(error) === '23505') return false;
  throw error;
}

export const notFound = (kind: Kind): ScimError => new ScimError(404, `There is no such ${kind.toLowerCase()}.`);
const taken = (kind: Kind): ScimError =>
  new ScimError(
    409,
    kind === 'User' ? 'There is a user with this userName already.' : 'There is a group with this displayName already.',
    'uniqueness',
  );
