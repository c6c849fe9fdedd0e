// A member, the key of a person, the fingerprint by which changes are found, and what changed.
import { hash } from 'node:crypto';
import { domainToUnicode } from 'node:url';

export interface Member {
  firstname: string;
  lastname: string;
  /** As written in the roster, trimmed; identity is `personKey(email)`. */
  email: string;
  telephone?: string;
  /** Names of groups, unique, in order of first appearance; never empty. */
  groups: string[];
}

/** Visible characters of ASCII without capitals: most addresses are their own keys, which is seen without a copy. */
const ownKey = /^[!-@[-~]+$/;

/** A domain as mail servers write one with letters outside ASCII (RFC 3492), no longer than an address can be. */
const encodedDomain = /^(?=.*[@.]xn--).{1,320}$/;

/** The identity of a person at a service: the address trimmed, NFC, lower-cased, its domain in letters. */
export function personKey(email: string): string {
  const key = ownKey.test(email) ? email : email.trim().normalize('NFC').toLowerCase();
  if (!encodedDomain.test(key)) return key;
  const from = key.lastIndexOf('@') + 1;
  return key.slice(0, from) + (domainToUnicode(key.slice(from)) || key.slice(from));
}

/** Names, address as sent, telephone, the *set* of groups, `forceSync`; not `invite`. 32 hexadecimal characters. */
export function fingerprint(member: Member, forceSync: boolean): string {
  const { firstname, lastname, email, telephone, groups } = member;
  const given = [firstname, lastname, email, telephone ?? null, inOrder(groups), forceSync];
  return hash('sha256', JSON.stringify(given)).slice(0, 32);
}

/** A set of names, sorted. Most are short and already in order, so no copy is made of those. */
function inOrder(names: readonly string[]): readonly string[] {
  for (let at = 1; at < names.length; at += 1) {
    if ((names[at - 1] ?? '') >= (names[at] ?? '')) return [...new Set(names)].toSorted();
  }
  return names;
}

/** What a person was given, and what they would be given now. */
export interface ChangedMember {
  before: Member & { forceSync: boolean };
  now: Member & { forceSync: boolean };
}

/** `name was Ann Ek`, `+ Sales`, `- Brand`; without `forceSync` nobody is taken out: `keeps Brand at the service`. */
export function whatChanged({ before, now }: ChangedMember, seeKept?: string): string[] {
  const name = (member: Member): string => `${member.firstname} ${member.lastname}`;
  const added = now.groups.filter((group) => !before.groups.includes(group));
  const removed = before.groups.filter((group) => !now.groups.includes(group));
  return [
    ...(name(before) === name(now) ? [] : [`name was ${name(before)}`]),
    ...(before.email === now.email ? [] : [`address was ${before.email}`]),
    ...(before.telephone === now.telephone ? [] : [`telephone was ${before.telephone ?? 'not given'}`]),
    ...added.map((group) => `+ ${group}`),
    ...groupsLost(removed, now, seeKept),
    ...(before.forceSync === now.forceSync ? [] : [`forceSync ${now.forceSync ? 'on' : 'off'}`]),
  ];
}

/** What happens to groups that are not given any more: they are taken away with `forceSync`, and kept without it. */
export function groupsLost(lost: readonly string[], { forceSync }: { forceSync: boolean }, seeKept?: string): string[] {
  if (forceSync) return lost.map((group) => `- ${group}`);
  return lost.length === 0 ? [] : [keepsAtService(lost, seeKept)];
}

/** That a person keeps groups which no roster gives them any more: `keeps IT at the service`. `seeKept`: where they are listed. */
export function keepsAtService(groups: readonly string[], seeKept = ''): string {
  return `keeps ${groups.join(', ')} at the service${seeKept}`;
}
