// Carries out a group insert in the sandbox.
import type { Assumptions } from './assumptions.ts';
import type { Outbox } from './outbox.ts';
import type { People, UserFields } from './people.ts';
import { invalid, type Refusal } from './reply.ts';
import { isObject, strayField } from './request.ts';

/** A valid request of interface.md, "Group insert"; `user` is missing only where that is accepted. */
export interface GroupInsertRequest {
  groups: string[];
  user?: UserFields;
  invite: boolean;
  forceSync: boolean;
}

/** interface.md, "Group insert result item". */
export interface GroupInsertItem {
  group: string;
  status: string;
  inserts: number;
  warnings: number;
}

/** Reads a parsed body as a group insert, or says with which words it is refused. */
export function readGroupInsert(body: unknown, assumptions: Assumptions): GroupInsertRequest | Refusal {
  if (!isObject(body)) return invalid('the body is not a JSON object');
  const { groups = [], user, invite = true, forceSync = false } = body;
  if (!isNames(groups)) return invalid('groups is not a list of names');
  if (groups.length === 0 && assumptions.emptyGroups === 'refuse') return invalid('groups is missing or empty');
  if (typeof invite !== 'boolean') return invalid('invite is not true or false');
  if (typeof forceSync !== 'boolean') return invalid('forceSync is not true or false');
  const stray = assumptions.unknownFields === 'refuse' && strayField(body, ['groups', 'user', 'invite', 'forceSync']);
  if (stray) return invalid(`${stray} is not a parameter`);
  if (user === undefined) {
    return assumptions.missingUser === 'refuse' ? invalid('user is missing') : { groups, invite, forceSync };
  }
  const fields = readUser(user, assumptions);
  return 'status' in fields ? fields : { groups, user: fields, invite, forceSync };
}

/**
 * Adds the user to each group, in the order of the request, and plans the invitation of a new one.
 * `failing` names one group that the service fails to fill, for the fault that answers so.
 */
export function insertIntoGroups(
  request: GroupInsertRequest,
  people: People,
  outbox: Outbox,
  repeat: Assumptions['repeat'],
  failing?: string,
): GroupInsertItem[] {
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

function readUser(user: unknown, assumptions: Assumptions): UserFields | Refusal {
  if (!isObject(user)) return invalid('user is not an object');
  const { firstname, lastname, email, telephone } = user;
  if (!isFilled(firstname)) return invalid('user.firstname is missing');
  if (!isFilled(lastname)) return invalid('user.lastname is missing');
  if (!isFilled(email)) return invalid('user.email is missing');
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return invalid('user.email is not an address');
  if (telephone !== undefined && typeof telephone !== 'string') return invalid('user.telephone is not a text');
  const known = ['firstname', 'lastname', 'email', 'telephone'];
  const stray = assumptions.unknownFields === 'refuse' && strayField(user, known);
  if (stray) return invalid(`user.${stray} is not a field`);
  return telephone === undefined ? { firstname, lastname, email } : { firstname, lastname, email, telephone };
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isFilled);
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
