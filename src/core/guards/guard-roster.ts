// Guards of the whole roster: shrunk, emptied, or somebody else's.
import { columnKey } from '../columns/columns.ts';
import { onRun } from '../errors.ts';
import type { GuardFacts, Trip } from './trip.ts';
import { exceeds, isFarFrom, type GuardSettings } from './guard-settings.ts';
import { count, figure, percentOf, someOf, shownText } from '../text/format.ts';
import { type RosterCensus, partOf, recentDays, sum, type Usual } from './usual.ts';
import { say, sentence } from '../words/say.ts';

export function judgeFile(facts: GuardFacts, guards: GuardSettings): Trip[] {
  const { census, usual, isPartial } = facts;
  const trips = [judgeRejects(facts, guards)];
  if (usual && !isPartial) {
    const domains = judgeDomains(census, usual, guards);
    const slowly = (): FileTrip => judgeShrink(census, { ...usual, ...usual.most }, guards, recently());
    trips.push(judgeShrink(census, usual, guards) ?? slowly(), judgeFill(facts, usual, guards), domains);
    trips.push(judgeWhose(facts, usual, guards, domains !== undefined));
  }
  return trips.flatMap((trip) => (trip ? [{ ...trip, scope: 'all' as const }] : []));
}

/** How messages name the most that there was. */
export const recently = (): string => say('recently', 1, { days: recentDays });

type FileTrip = Omit<Trip, 'scope'> | undefined;

function judgeRejects(
  { census: { rejects, rows }, usual, blamed, runId }: GuardFacts,
  { rejects: guard }: GuardSettings,
): FileTrip {
  if (guard === 'off') return undefined;
  // A source that always has some people without an address is not held for that every night.
  const more = rejects - (usual ? Math.round((usual.rejects / Math.max(1, usual.rows)) * rows) : 0);
  if (!exceeds(guard, more, rows)) return undefined;
  const often = usual ? say('beforeThat', 1, { usual: figure(usual.rejects) }) : '';
  const said = { rejects: figure(rejects), percent: percentOf(rejects, rows), often };
  const blame = blamed && { some: figure(blamed.rejects), column: `"${shownText(blamed.column)}"` };
  const name = blamed ? (blamed.column === '' ? 'unusableAsRows' : 'unusableByColumn') : 'unusable';
  const message = say(name, rows, { ...said, ...blame });
  return { guard: 'rejects', message, brief: say('unusable', rows, said), next: onRun(runId, 'rejects') };
}

function judgeShrink(
  census: RosterCensus,
  usual: Usual,
  { shrink: guard }: GuardSettings,
  often = say('often', 1),
): FileTrip {
  if (guard === 'off' || usual.isOfBatches) return undefined;
  const { rows, members, filtered, rejects } = census;
  const cut = census.isUnended && !usual.isUnended ? say('endsCut', 1) : '';
  const said = { often, usual: figure(usual.rows), cut };
  if (exceeds(guard, usual.rows - rows, usual.rows)) {
    const isHalf = census.isUnended || rows * 5 < usual.rows * 3;
    const name = isHalf ? (rows * 5 > usual.rows * 2 ? 'halfFile' : 'partOfFile') : 'shrank';
    return {
      guard: 'shrink',
      message: say(name, rows, { ...said, percent: percentOf(usual.rows - rows, usual.rows) }),
    };
  }
  if (!exceeds(guard, usual.members - members, usual.members))
    return cut === '' ? undefined : { guard: 'shrink', message: say('fewRows', rows, said) };
  const more = { filtered: filtered - usual.filtered, rejects: rejects - usual.rejects };
  const why =
    Math.max(more.filtered, more.rejects) <= 0
      ? say('isComplete', 1)
      : more.filtered > more.rejects
        ? say('moreFiltered', filtered, { usual: figure(usual.filtered) })
        : say('moreUnusable', rejects, { usual: figure(usual.rejects) });
  const people = { people: count(members, 'person', 'people'), before: figure(usual.members), why };
  const name = Math.abs(rows - usual.rows) * 50 <= usual.rows ? 'fewPeople' : 'fewRowsAndPeople';
  return { guard: 'shrink', message: say(name, rows, { ...said, ...people }) };
}

function judgeFill(
  { census, counts, lostTells = [] }: GuardFacts,
  { fill, tells }: Usual,
  { fill: guard }: GuardSettings,
): FileTrip {
  if (guard === 'off') return undefined;
  const { read, filled } = census;
  const emptier = Object.entries(filled).flatMap(([column, cells]) => {
    const before = partOf(fill, column);
    const now = cells / Math.max(1, read);
    // However small its share, where anybody is sent: they may be those whom it kept out.
    const isSent = counts.new + counts.changed + counts.again > 0;
    const isSilent = cells === 0 && before * read >= guard.count && isSent && tells.includes(column);
    if (!isSilent && !isFarFrom(guard, before - now, read)) return [];
    return `"${shownText(column)}" is filled in ${percentOf(now, 1)} of the rows, usually ${percentOf(before, 1)}`;
  });
  // A column that no rule finds any more is read by nobody, as if it were empty.
  const today = new Set(Object.keys(filled).map(columnKey));
  const gone = Object.entries(fill).flatMap(([column, before]) => {
    if (today.has(columnKey(column)) || lostTells.includes(column) || !isFarFrom(guard, before, read)) return [];
    return `"${shownText(column)}", which is usually filled in ${percentOf(before, 1)} of the rows`;
  });
  // However few it had something to say of.
  gone.push(...lostTells.map((column) => `"${shownText(column)}", which said who has left or not started`));
  const said = [
    { columns: emptier, message: 'emptierColumns', brief: 'emptierColumnsBriefly' },
    { columns: gone, message: 'columnsNotRead', brief: 'columnsNotReadBriefly' },
  ].filter(({ columns }) => columns.length > 0);
  if (said.length === 0) return undefined;
  const join = ([first = '', ...others]: readonly string[]): string => [first, ...others.map(sentence)].join(' ');
  return {
    guard: 'fill',
    message: join(said.map(({ columns, message }) => say(message, columns.length, { columns: someOf(columns) }))),
    brief: join(said.map(({ columns, brief }) => say(brief, columns.length))),
  };
}

function judgeDomains(census: RosterCensus, usual: Usual, { domains: guard }: GuardSettings): FileTrip {
  if (guard === 'off' || usual.isOfBatches) return undefined;
  const total = sum(census.domains);
  const shareOf = (domain: string): number => partOf(census.domains, domain) / Math.max(1, total);
  const names = [...new Set([...Object.keys(census.domains), ...Object.keys(usual.domains)])];
  const shifts = names.map((name) => ({ name, now: shareOf(name), before: partOf(usual.domains, name) }));
  // Half of all differences is the share of addresses that would have to change for the usual mix.
  const apart = shifts.reduce((all, { now, before }) => all + Math.abs(now - before), 0) / 2;
  if (!isFarFrom(guard, apart, total)) return undefined;
  const most = shifts.toSorted((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before)).slice(0, 3);
  const said = most.map(
    ({ name, now, before }) => `${shownText(name)} has ${percentOf(now, 1)} of them, usually ${percentOf(before, 1)}`,
  );
  const message = say('otherDomains', 1, { domains: said.join('; ') });
  return { guard: 'domains', message, brief: say('otherDomainsBriefly', 1), next: [{ act: 'people.resolveMoves' }] };
}

function judgeWhose(facts: GuardFacts, usual: Usual, { wrongFile: guard }: GuardSettings, isSaid: boolean): FileTrip {
  const { source, census, knownBy } = facts;
  if (guard === 'off' || !knownBy || usual.isOfBatches) return undefined;
  const { members } = census;
  const own = knownBy.find((each) => each.source === source)?.people ?? 0;
  const [other] = knownBy
    .filter((each) => each.source !== source)
    .toSorted((a, b) => b.people - a.people || (a.source < b.source ? -1 : 1));
  const most = (people: number): string => percentOf(people, members);
  if (other && own * 2 < other.people && exceeds(guard, other.people, members)) {
    const said = {
      theirs: most(other.people),
      other: shownText(other.source),
      own: most(own),
      source: shownText(source),
    };
    return { guard: 'wrongFile', message: say('otherSource', 1, said) };
  }
  const usually = Math.min(usual.members, facts.known ?? usual.members);
  if (isSaid || !exceeds(guard, usually - own, usually) || !exceeds(guard, members - own, members)) return undefined;
  const said = { own: figure(own), share: most(own), usually: figure(usually) };
  return { guard: 'wrongFile', message: say('fewKnown', members, said) };
}
