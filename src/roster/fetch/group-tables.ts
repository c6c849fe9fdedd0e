// Reads the groups of a source and who is in them, once.
import pLimit from 'p-limit';
import type { Step } from '../../../config/preset-schema.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { cellText, parsePath, valuesAt } from '../../core/rows/path.ts';
import { quote } from '../../core/text/quote.ts';
import { anyOf } from '../../core/text/wildcard.ts';
import type { HttpClient } from './http-client.ts';
import { assertRoom, Memberships } from './memberships.ts';
import { readPages, textAt, type PagedRequest, type PageLimits } from './pages.ts';

/** Groups that are read side by side; servers count requests that run at once. */
const sideBySide = 3;

type StepOf<Kind extends Step['do']> = Extract<Step, { do: Kind }>;
type Listed = { url: string } & Pick<PagedRequest, 'records' | 'paging' | 'headers' | 'absentWhen'>;

/** Reads a list of things with names, by their keys. */
export async function readTable(
  client: HttpClient,
  step: Listed & { key: readonly string[]; name: string },
  limits: PageLimits,
): Promise<Map<string, string>> {
  const keys = step.key.map((key) => parsePath(key));
  const path = parsePath(step.name);
  const names = new Map<string, string>();
  for await (const thing of listed(client, step, limits)) {
    const [name] = valuesAt(thing, path);
    if (typeof name === 'string') names.set(keyOf(thing, keys), name);
    assertRoom(names.size, limits.name);
  }
  return names;
}

/**
 * Reads who is in which groups, by what tells members apart.
 * @param notes gets what a person should hear about the groups
 * @throws InputError where no group is wanted, or any of it cannot be had
 */
export async function readGroups(
  client: HttpClient,
  step: StepOf<'members' | 'links' | 'memberships'>,
  limits: PageLimits,
  notes: string[],
): Promise<Memberships> {
  const found = new Memberships(limits.name);
  if (step.do === 'members') await readMembers(client, step, limits, found);
  else if (step.do === 'links') await readLinks(client, step, limits, found);
  else await readEach(client, step, limits, { found, notes });
  return found;
}

/** A list of groups with their members. */
async function readMembers(
  client: HttpClient,
  step: StepOf<'members'>,
  limits: PageLimits,
  found: Memberships,
): Promise<void> {
  const [name, members] = [parsePath(step.name), parsePath(step.members)];
  for await (const group of listed(client, step, limits)) {
    const [called] = valuesAt(group, name);
    if (typeof called !== 'string') continue;
    for (const member of valuesAt(group, members)) found.add(String(member), called);
  }
}

/** A list of memberships, and one of groups. */
async function readLinks(
  client: HttpClient,
  step: StepOf<'links'>,
  limits: PageLimits,
  found: Memberships,
): Promise<void> {
  const names = await readTable(client, { ...step.groups, key: [step.groups.key] }, limits);
  const [member, group] = [parsePath(step.member), parsePath(step.group)];
  for await (const link of listed(client, step, limits)) {
    const [name] = valuesAt(link, group).flatMap((id) => names.get(JSON.stringify([cellText([id])])) ?? []);
    if (name === undefined) continue;
    for (const id of valuesAt(link, member)) found.add(String(id), name);
  }
}

/** A list of groups, and for each that is wanted the list of its members. Paths lead into a group, or a member. */
async function readEach(
  client: HttpClient,
  step: StepOf<'memberships'>,
  limits: PageLimits,
  { found, notes }: { found: Memberships; notes: string[] },
): Promise<void> {
  const [path, only] = [parsePath(step.each.member), step.each.only && parsePath(step.each.only.path)];
  const groups = await wantedGroups(client, step, limits, notes);
  await pLimit(sideBySide).map(groups, async ({ key, name }) => {
    const request = { ...step.each, url: step.each.url.replace('{id}', encodeURIComponent(key)) };
    const members = new Set<string>();
    for await (const member of listed(client, request, limits)) {
      const value = textAt(member, path);
      if (value !== '' && (!only || textAt(member, only) === step.each.only?.is)) members.add(value);
    }
    for (const member of members) found.add(member, name);
  });
}

async function wantedGroups(
  client: HttpClient,
  step: StepOf<'memberships'>,
  limits: PageLimits,
  notes: string[],
): Promise<{ key: string; name: string }[]> {
  const patterns = step.wanted.split(';').flatMap((pattern) => pattern.trim() || []);
  const tests = patterns.map((pattern) => ({ pattern, fits: anyOf([pattern]), count: 0 }));
  const [keyPath, namePath] = [parsePath(step.key), parsePath(step.name)];
  const groups: { key: string; name: string }[] = [];
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
  for (const [name, { length }] of Map.groupBy(groups, ({ name }) => name)) {
    if (length > 1) notes.push(`${length} groups are called ${quote(name)}: their members are in one group here.`);
  }
  return groups;
}

async function* listed(client: HttpClient, step: Listed, limits: PageLimits): AsyncGenerator {
  const { url, records, paging, headers, absentWhen } = step;
  const request: PagedRequest = {
    url: client.follow(url, client.url),
    method: 'GET',
    ...defined({ records, paging, headers, absentWhen }),
  };
  for await (const page of readPages(client, request, limits)) yield* page;
}

/** What two things have in common that mean the same. */
export function keyOf(value: unknown, paths: readonly ReturnType<typeof parsePath>[]): string {
  return JSON.stringify(paths.map((path) => cellText(valuesAt(value, path).slice(0, 1))));
}
