// Reads the groups of a source and who is in them, once.
import { defined } from '../../core/defined.ts';
import type { HttpSource } from '../source-location.ts';
import { InputError } from '../../core/errors.ts';
import { cellText, parsePath, valuesAt } from '../../core/rows/path.ts';
import type { HttpClient } from './http-client.ts';
import { readPages, type PageLimits } from './pages.ts';

/** Memberships that are held in memory at most; a few hundred MB. */
const mostEntries = 5_000_000;

export type Listed = { url: string } & Pick<HttpSource, 'records' | 'paging'>;

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
    assertRoom(names.size, limits);
  }
  return names;
}

/** Reads a list of groups with their members: the names of the groups of each. */
export async function readMembers(
  client: HttpClient,
  step: { members: string; name: string } & Listed,
  limits: PageLimits,
): Promise<Map<string, string[]>> {
  const [name, members] = [parsePath(step.name), parsePath(step.members)];
  const groups = new Map<string, string[]>();
  let entries = 0;
  for await (const group of listed(client, step, limits)) {
    const [called] = valuesAt(group, name);
    if (typeof called !== 'string') continue;
    for (const member of valuesAt(group, members)) {
      const own = groups.get(String(member));
      if (own) own.push(called);
      else groups.set(String(member), [called]);
      assertRoom((entries += 1), limits);
    }
  }
  return groups;
}

/** Reads a list of memberships and one of groups: the names of the groups of each member. */
export async function readLinks(
  client: HttpClient,
  step: { member: string; group: string; groups: Listed & { key: string; name: string } } & Listed,
  limits: PageLimits,
): Promise<Map<string, Set<string>>> {
  const names = await readTable(client, { ...step.groups, key: [step.groups.key] }, limits);
  const [member, group] = [parsePath(step.member), parsePath(step.group)];
  const groups = new Map<string, Set<string>>();
  let entries = 0;
  for await (const link of listed(client, step, limits)) {
    const [name] = valuesAt(link, group).flatMap((id) => names.get(JSON.stringify([cellText([id])])) ?? []);
    if (name === undefined) continue;
    for (const id of valuesAt(link, member)) {
      const own = groups.get(String(id));
      if (own) own.add(name);
      else groups.set(String(id), new Set([name]));
      assertRoom((entries += 1), limits);
    }
  }
  return groups;
}

async function* listed(client: HttpClient, { url, records, paging }: Listed, limits: PageLimits): AsyncGenerator {
  const request = {
    url: client.follow(url, client.url),
    method: 'GET' as const,
    ...defined({ records, paging }),
  };
  for await (const page of readPages(client, request, limits)) yield* page;
}

/** What two things have in common that mean the same. */
export function keyOf(value: unknown, paths: readonly ReturnType<typeof parsePath>[]): string {
  return JSON.stringify(paths.map((path) => cellText(valuesAt(value, path).slice(0, 1))));
}

function assertRoom(entries: number, { name }: PageLimits): void {
  if (entries > mostEntries) throw new InputError(`${name}: it has more than ${mostEntries} memberships.`);
}
