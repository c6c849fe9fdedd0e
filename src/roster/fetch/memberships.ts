// Reads the members of the groups that are wanted, group by group.
import type { Step } from '../../../config/preset-schema.ts';
import pLimit from 'p-limit';
import { defined } from '../../core/defined.ts';
import type { HttpSource } from '../source-location.ts';
import { InputError } from '../../core/errors.ts';
import { anyOf } from '../../core/text/wildcard.ts';
import { parsePath, valuesAt } from '../../core/rows/path.ts';
import { quote } from '../../core/text/quote.ts';
import type { HttpClient } from './http-client.ts';
import { readPages, type PagedRequest, type PageLimits } from './pages.ts';

type Listed = { url: string } & Pick<HttpSource, 'records' | 'paging'> & Pick<PagedRequest, 'headers' | 'absentWhen'>;

/** A list of groups, and for each that is wanted the list of its members. Paths lead into a group, or a member. */
export type Memberships = Extract<Step, { do: 'memberships' }>;

/** Groups that are read side by side; servers count requests that run at once. */
const sideBySide = 3;
/** Memberships that are held in memory at most; a few hundred MB. */
const mostEntries = 5_000_000;

interface Group {
  key: string;
  name: string;
}

/**
 * The names of the groups of each member, by what tells members apart.
 * @param notes gets what a person should hear about the groups
 * @throws InputError where no group is wanted, or any of it cannot be had
 */
export async function readMemberships(
  client: HttpClient,
  step: Memberships,
  limits: PageLimits,
  notes: string[],
): Promise<Map<string, string[]>> {
  const groups = await wantedGroups(client, step, limits, notes);
  const found = new Map<string, string[]>();
  const limit = pLimit(sideBySide);
  let entries = 0;
  await limit.map(groups, async ({ key, name }) => {
    for (const member of await membersOf(client, step, key, limits)) {
      entries += 1;
      if (entries > mostEntries) throw new InputError(`${limits.name}: it has more than ${mostEntries} memberships.`);
      const own = found.get(member);
      if (own) own.push(name);
      else found.set(member, [name]);
    }
  });
  return found;
}

async function wantedGroups(
  client: HttpClient,
  step: Memberships,
  limits: PageLimits,
  notes: string[],
): Promise<Group[]> {
  const patterns = step.wanted.split(';').flatMap((pattern) => pattern.trim() || []);
  const tests = patterns.map((pattern) => ({ pattern, fits: anyOf([pattern]), count: 0 }));
  const [keyPath, namePath] = [parsePath(step.key), parsePath(step.name)];
  const groups: Group[] = [];
  let all = 0;
  for await (const group of listed(client, step, limits)) {
    const [key, name] = [textAt(group, keyPath), textAt(group, namePath)];
    if (key === '' || name === '') continue;
    all += 1;
    const fitting = tests.filter(({ fits }) => fits(name) || fits(key));
    for (const test of fitting) test.count += 1;
    if (fitting.length > 0) groups.push({ key, name });
  }
  if (groups.length === 0) {
    throw new InputError(
      `${limits.name}: none of its ${all} groups has a name or an id as account.groups says: ${patterns.map((pattern) => quote(pattern)).join(', ')}.`,
    );
  }
  notes.push(`${groups.length} of ${all} groups are read: those that account.groups names.`);
  for (const { pattern } of tests.filter(({ count }) => count === 0)) {
    notes.push(`No group has a name or an id like ${quote(pattern)}, which account.groups asks for.`);
  }
  const names = Map.groupBy(groups, ({ name }) => name);
  for (const [name, { length }] of names) {
    if (length > 1) notes.push(`${length} groups are called ${quote(name)}: their members are in one group here.`);
  }
  return groups;
}

async function membersOf(
  client: HttpClient,
  { each }: Memberships,
  key: string,
  limits: PageLimits,
): Promise<Set<string>> {
  const [path, only] = [parsePath(each.member), each.only && parsePath(each.only.path)];
  const members = new Set<string>();
  const request = { ...each, url: each.url.replace('{id}', encodeURIComponent(key)) };
  for await (const member of listed(client, request, limits)) {
    const value = textAt(member, path);
    if (value !== '' && (!only || textAt(member, only) === each.only?.is)) members.add(value);
  }
  return members;
}

async function* listed(client: HttpClient, listed: Listed, limits: PageLimits): AsyncGenerator {
  const { url, records, paging, headers, absentWhen } = listed;
  const request: PagedRequest = {
    url: client.follow(url, client.url),
    method: 'GET',
    ...defined({ records, paging, headers, absentWhen }),
  };
  for await (const page of readPages(client, request, limits)) yield* page;
}

function textAt(value: unknown, path: ReturnType<typeof parsePath>): string {
  const [found] = valuesAt(value, path);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}
