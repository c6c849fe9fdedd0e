// The types of a member, the key of a person, and the fingerprint by which changes are found.
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
