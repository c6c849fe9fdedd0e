// A member, the key of a person, what changed of them, and what several rows of one person make.
import { hash } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import type { Day } from '../cells/days.ts';
import { defined } from '../defined.ts';
import type { Reject } from '../rows/row.ts';
import { quote } from '../text/format.ts';
import { say } from '../words/say.ts';

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

/** A row that became a member, as far as merging needs it. */
export interface PersonRow {
  file: string;
  line: number;
  member: Member;
  employeeId?: string;
  /** Not before this day; absent for at once. */
  startsOn?: Day;
  /** The row's cells as read, where they were kept: a reject carries them on. */
  cells?: string[];
}

export interface MergedRows {
  member: Member;
  /** Absent where none of the rows has one. */
  employeeId?: string;
  /** The lines of the rows, in file order. */
  lines: number[];
}

/** The most lines that a reason names: a file with one address for everybody must not make each reason a page long. */
const mostLines = 10;

/**
 * Judges the rows of one person key, in file order. Rows with the same employee id, or with equal names after
 * folding case and accents where one of them has no id, are one person: the first row's names, address and telephone win, a missing telephone
 * is filled from a later row, groups are united in order of first appearance. Rows that begin later than another give no
 * groups yet: somebody whose next job is on a row of its own is not in its groups before. Otherwise every row is a reject
 * that names the lines of all: nobody can tell whose address it is. `emailColumn` is the column to blame.
 */
export function mergeRows(rows: readonly PersonRow[], emailColumn = ''): MergedRows | Reject[] {
  const people = countPeople(rows);
  if (people > 1) {
    const ids = idsOf(rows).slice(0, mostLines);
    const what = `shared-${people === 2 ? 'two' : 'many'}${ids.length > 1 ? '-ids' : ''}`;
    const reason = say(what, 1, { people, lines: nameLines(rows), ids: ids.map((id) => quote(id)).join(', ') });
    const why = { column: emailColumn, reason, kind: 'shared-address' } as const;
    return rows.map(({ file, line, cells = [], employeeId, member: { email: value } }) => {
      return { file, line, cells, value, ...defined({ employeeId }), ...why };
    });
  }
  const [first] = rows;
  if (!first) return [];
  const groups = new Set<string>();
  // Not by arguments: a broken export may have a million rows of one person.
  const begins = rows.reduce((earliest, { startsOn = 0 }) => Math.min(earliest, startsOn), Infinity);
  for (const { member, startsOn = 0 } of rows)
    if (startsOn === begins) member.groups.forEach((each) => groups.add(each));
  const telephone = rows.find(({ member }) => member.telephone !== undefined)?.member.telephone;
  const { firstname, lastname, email } = first.member;
  const member: Member = { firstname, lastname, email, ...defined({ telephone }), groups: [...groups] };
  const [employeeId] = idsOf(rows);
  return { member, ...defined({ employeeId }), lines: rows.map(({ line }) => line) };
}

/** The number of people that the rows tell apart: one for each id, and one for each name that no row with an id has. */
function countPeople(rows: readonly PersonRow[]): number {
  const nameOf = ({ member }: PersonRow): string => `${foldName(member.firstname)}\n${foldName(member.lastname)}`;
  const known = new Set(rows.flatMap((row) => (row.employeeId ? [nameOf(row)] : [])));
  const unknown = new Set(rows.map(nameOf).filter((name) => !known.has(name)));
  return idsOf(rows).length + unknown.size;
}

const idsOf = (rows: readonly PersonRow[]): string[] => [
  ...new Set(rows.flatMap(({ employeeId }) => employeeId || [])),
];

/**
 * Case, accents, kinds and runs of spaces. Only marks of European scripts are accents: in others, a mark is a vowel.
 */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}

/** `lines 3 and 9`, at most the first ten. */
export function nameLines(rows: readonly Pick<PersonRow, 'file' | 'line'>[]): string {
  const isOneFile = rows.every(({ file }) => file === rows[0]?.file);
  const lines = rows.slice(0, mostLines).map(({ file, line }) => (isOneFile ? String(line) : `${line} of ${file}`));
  const left = rows.length - lines.length;
  if (left > 0) return say('manyLines', 1, { lines: lines.join(', '), left });
  const last = lines.pop() ?? '';
  return say('severalLines', 1, { lines: lines.join(', '), last });
}
