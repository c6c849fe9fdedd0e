// Reads the groups of a source and who is in them, once, and holds that in bounded memory.
import { say } from '../../core/words/say.ts';
import { refusal, InputError } from '../../core/errors.ts';
import pLimit from 'p-limit';
import type { Step } from '../presets/preset-schema.ts';
import { defined } from '../../core/defined.ts';
import { cellText, parsePath, type Path, valuesAt } from '../../core/rows/path.ts';
import { quote, someOf } from '../../core/text/format.ts';
import { cleanCell, listIn } from '../../core/cells/read-cell.ts';
import { anyOf, foldText } from '../../core/text/wildcard.ts';
import type { HttpClient } from './http-client.ts';
import { textAt } from './answer.ts';
import { readPages, type PagedRequest, type PageLimits } from './pages.ts';

/** Groups that are read side by side; servers count requests that run at once. */
const sideBySide = 3;

export type StepOf<Kind extends Step['do']> = Extract<Step, { do: Kind }>;

/** What went wrong for single people; reported at the end. */
export interface StepNotes {
  /** People whose details were refused, by status. */
  refused: Map<number, number>;
  /** People of whom something that is needed is hidden. */
  hidden: number;
  /** Group names that had a `;` in them, which would make two groups of one. */
  renamed: Set<string>;
  /** What else a person should hear, a sentence each. */
  others: string[];
}

export interface Fetching {
  client: HttpClient;
  limits: PageLimits;
  notes: StepNotes;
}

type Listed = { url: string } & Pick<PagedRequest, 'records' | 'paging' | 'headers' | 'absentWhen'>;

/** Reads a list of things with names, by their keys. */
export async function readTable(
  step: Listed & { key: readonly string[]; name: string },
  fetching: Fetching,
): Promise<Map<string, string>> {
  const [keys, path] = [step.key.map(parsePath), parsePath(step.name)];
  const names = new Map<string, string>();
  for await (const thing of listed(step, fetching)) {
    const [name] = valuesAt(thing, path);
    if (typeof name === 'string') names.set(keyOf(thing, keys), name);
    assertRoom(names.size, fetching.limits.name);
  }
  return names;
}

/**
 * Reads who is in which groups, by what tells members apart: from a list of groups with their members; from a list of
 * memberships and one of groups; or from a list of groups and one of members for each that is wanted.
 * @throws InputError where no group is wanted, or any of it cannot be had
 */
export async function readGroups(
  step: StepOf<'members' | 'links' | 'memberships'>,
  fetching: Fetching,
): Promise<Memberships> {
  const found = noMemberships(fetching.limits.name);
  if (step.do === 'members') {
    const [name, members] = [parsePath(step.name), parsePath(step.members)];
    for await (const group of listed(step, fetching)) {
      const [called] = valuesAt(group, name);
      if (typeof called !== 'string') continue;
      for (const member of valuesAt(group, members)) found.add(String(member), called);
    }
  } else if (step.do === 'links') {
    const names = await readTable({ ...step.groups, key: [step.groups.key] }, fetching);
    const [member, group] = [parsePath(step.member), parsePath(step.group)];
    for await (const link of listed(step, fetching)) {
      const [name] = valuesAt(link, group).flatMap((id) => names.get(JSON.stringify([cellText([id])])) ?? []);
      if (name === undefined) continue;
      for (const id of valuesAt(link, member)) found.add(String(id), name);
    }
  } else {
    const [path, only] = [parsePath(step.each.member), step.each.only && parsePath(step.each.only.path)];
    await pLimit(sideBySide).map(await wantedGroups(step, fetching), async ({ key, name }) => {
      const request = { ...step.each, url: step.each.url.replace('{id}', encodeURIComponent(key)) };
      const members = new Set<string>();
      for await (const member of listed(request, fetching)) {
        const value = textAt(member, path);
        if (value !== '' && (!only || textAt(member, only) === step.each.only?.is)) members.add(value);
      }
      for (const member of members) found.add(member, name);
    });
  }
  return found;
}

async function wantedGroups(step: StepOf<'memberships'>, fetching: Fetching): Promise<{ key: string; name: string }[]> {
  const notes = fetching.notes.others;
  const patterns = step.wanted.split(';').flatMap((pattern) => pattern.trim() || []);
  const tests = patterns.map((pattern) => ({ pattern, fits: anyOf([pattern]), count: 0 }));
  const [keyPath, namePath] = [parsePath(step.key), parsePath(step.name)];
  const groups: { key: string; name: string }[] = [];
  let all = 0;
  for await (const group of listed(step, fetching)) {
    const [key, name] = [textAt(group, keyPath), textAt(group, namePath)];
    if (key === '' || name === '') continue;
    all += 1;
    const fitting = tests.filter(({ fits }) => fits(name) || fits(key));
    for (const test of fitting) test.count += 1;
    if (fitting.length > 0) groups.push({ key, name });
  }
  const { name } = fetching.limits;
  const missing = tests.flatMap(({ pattern, count }) => (count === 0 ? [pattern] : []));
  // One that is named in full was there: who is in it would be taken out of it.
  const named = groups.length === 0 ? missing : missing.filter((pattern) => !pattern.includes('*'));
  if (named.length > 0) {
    const asked = named.map((pattern) => quote(pattern)).join(', ');
    throw refusal('noGroupAsked', { name, all, asked });
  }
  notes.push(`${groups.length} of ${all} groups are read: those that account.groups names.`);
  for (const pattern of missing) {
    notes.push(`No group has a name or an id like ${quote(pattern)}, which account.groups asks for.`);
  }
  const twins = twinsAmong(groups);
  if (twins) throw refusal('groupsOfOneName', { name, ...twins });
  return groups;
}

/**
 * The first groups of one name, also where they differ in blanks beside a sign or in `;` for `,`, or are written as a list: rules may take
 * these away. Names are not unique in a directory, and often anybody may make a group of any name.
 */
export function twinsAmong(groups: readonly { key: string; name: string }[]) {
  const named = groups.flatMap(({ key, name }) => {
    const cell = name.replaceAll(';', ',').trim();
    return (listIn(cell) ?? [cell]).map((one) => ({ key, name: cleanCell(one) }));
  });
  const plain = (name: string): string =>
    foldText(name)
      .replace(/\s+/g, ' ')
      .replace(/ ?([^\p{L}\p{M}\p{N} ]) ?/gu, '$1');
  for (const same of Map.groupBy(named, ({ name }) => plain(name)).values()) {
    const ids = [...new Set(same.map(({ key }) => key))];
    if (ids.length > 1) return { group: quote(same[0]?.name ?? ''), ids: someOf(ids) };
  }
  return undefined;
}

async function* listed(step: Listed, { client, limits }: Fetching): AsyncGenerator {
  const { url, records, paging, headers, absentWhen } = step;
  const request: PagedRequest = {
    url: client.follow(url, client.url),
    method: 'GET',
    ...defined({ records, paging, headers, absentWhen }),
  };
  for await (const page of readPages(client, request, limits)) yield* page;
}

/** What two things have in common that mean the same. */
export function keyOf(value: unknown, paths: readonly Path[]): string {
  return JSON.stringify(paths.map((path) => cellText(valuesAt(value, path).slice(0, 1))));
}

/** Memberships that are held in memory at most; a few hundred MB. */
const mostEntries = 5_000_000;

export type Memberships = ReturnType<typeof noMemberships>;

/** @param source its name, for messages */
export function noMemberships(source: string) {
  const all = new Map<string, string[]>();
  let entries = 0;
  return {
    /** Throws an `InputError` for more than memory is given to. */
    add(member: string, group: string): void {
      assertRoom((entries += 1), source);
      const groups = all.get(member);
      if (groups) groups.push(group);
      else all.set(member, [group]);
    },
    /** The names of the groups of a member, each once. */
    groupsOf: (member: string): string[] => [...new Set(all.get(member))],
  };
}

/** Throws an `InputError` for more entries than are held in memory. */
function assertRoom(entries: number, source: string): void {
  if (entries > mostEntries) throw new InputError(`${source}: it has more than ${mostEntries} memberships.`);
}

/** What a person should hear of groups whose names `namesInOneCell` changed. */
export function notesOfRenamed(renamed: ReadonlySet<string>): string[] {
  return [...renamed].map((name) => say('groupWithCommas', 1, { group: quote(name) }));
}
