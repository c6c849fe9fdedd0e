// Finds who is in the groups of a directory, with groups inside groups.
import { refusal } from '../../core/errors.ts';
import { escapeFilter, type Entry } from 'ldapts';
import type { LdapSource } from './ldap-schema.ts';
import { quote } from '../../core/text/format.ts';
import { type Memberships, noMemberships, twinsAmong } from '../fetch/group-tables.ts';
import type { LdapSession } from './ldap-session.ts';

/** The rule that follows a chain of groups (LDAP_MATCHING_RULE_IN_CHAIN); Active Directory has it. */
const inChain = '1.2.840.113556.1.4.1941';

type Wanted = NonNullable<LdapSource['groups']>;
interface Group {
  /** Its distinguished name. */
  key: string;
  name: string;
  members: string[];
}

export interface GroupsAsked {
  session: LdapSession;
  wanted: Wanted;
  /** Where people are, and which. */
  people: { base: string; filter: string };
  name: string;
  notes: string[];
}

/** By the entry that is in them (`foldDn`). Throws an `InputError` where none is wanted, or one is not whole. */
export async function readGroups(asked: GroupsAsked): Promise<Memberships> {
  const { session, wanted, notes } = asked;
  const nested = wanted.nested === 'auto' ? (session.isActiveDirectory ? 'chain' : 'walk') : wanted.nested;
  const groups = await listGroups(asked, wanted.filter, nested !== 'chain');
  if (groups.length === 0) throw refusal('noLdapGroup', { name: asked.name, filter: quote(wanted.filter) });
  const twins = twinsAmong(groups);
  if (twins) throw refusal('ldapGroupsOfOneName', { name: asked.name, ...twins });
  notes.push(
    `${groups.length} ${groups.length === 1 ? 'group is' : 'groups are'} read: those that groups.filter finds.`,
  );
  const found = noMemberships(asked.name);
  if (nested === 'chain') {
    for (const group of groups) {
      for await (const dn of inChainOf(asked, group)) found.add(foldDn(dn), group.name);
    }
    return found;
  }
  const all = nested === 'walk' ? await listGroups(asked, anyGroup, true) : groups;
  const byDn = new Map([...all, ...groups].map((group) => [foldDn(group.key), group]));
  for (const group of groups) {
    for (const dn of membersOf(group, nested === 'walk' ? byDn : new Map())) found.add(foldDn(dn), group.name);
  }
  return found;
}

/** Kinds of groups: Active Directory, RFC 4519, RFC 2307bis. */
const anyGroup = '(|(objectClass=group)(objectClass=groupOfNames)(objectClass=groupOfUniqueNames))';

async function listGroups(
  { session, wanted, name }: GroupsAsked,
  filter: string,
  withMembers: boolean,
): Promise<Group[]> {
  const groups: Group[] = [];
  const attributes = [wanted.name, ...(withMembers ? ['member', 'uniqueMember'] : [])];
  for await (const entry of session.search(wanted.base, { filter, attributes })) {
    if (Object.keys(entry).some((key) => /^(?:uniqueM|m)ember;range=/i.test(key)))
      throw refusal('largeLdapGroup', { name, dn: quote(entry.dn) });
    const [called] = textsAt(entry, wanted.name);
    if (called === undefined) continue;
    groups.push({
      key: entry.dn,
      name: called,
      members: [...textsAt(entry, 'member'), ...textsAt(entry, 'uniqueMember')],
    });
  }
  return groups;
}

async function* inChainOf({ session, people }: GroupsAsked, { key }: Group): AsyncGenerator<string> {
  const filter = chainFilter(people.filter, key);
  // 1.1 asks for no attributes (RFC 4511, section 4.5.1.8).
  for await (const entry of session.search(people.base, { filter, attributes: ['1.1'] })) yield entry.dn;
}

/** The people of a filter who are in a group, or in a group inside it. */
export function chainFilter(filter: string, dn: string): string {
  return `(&${filter}(memberOf:${inChain}:=${escapeFilter`${dn}`}))`;
}

/** The members of a group, of groups inside it too; a group that contains itself is read once. */
function membersOf(group: Group, groups: ReadonlyMap<string, Group>): Set<string> {
  const [members, waiting, seen] = [new Set<string>(), [group], new Set([foldDn(group.key)])];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const dn of next.members) {
      const inner = groups.get(foldDn(dn));
      if (!inner) members.add(dn);
      else if (!seen.has(foldDn(dn))) {
        seen.add(foldDn(dn));
        waiting.push(inner);
      }
    }
  }
  return members;
}

/** A distinguished name as it is compared: servers write it in different cases, with and without blanks. */
export function foldDn(dn: string): string {
  return dn
    .toLowerCase()
    .split(/([,=+])/)
    .map((part) => part.trim())
    .join('');
}

function textsAt(entry: Entry, name: string): string[] {
  const key = Object.keys(entry).find((one) => one.toLowerCase() === name.toLowerCase());
  const values = key === undefined ? [] : ([entry[key]] as (string | string[])[]).flat();
  return values.filter((value) => typeof value === 'string' && value !== '');
}
