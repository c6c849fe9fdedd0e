import type { Roster } from './roster.ts';

/** A night of a source, once everything of it has been sent. */
export interface Night {
  roster: Roster;
  /** The clock on the wall when it was read, ms. */
  at: number;
  /** Groups whose slow loss was approved, until then. */
  shrinking: ReadonlySet<string>;
  /** Some of it was held, and approved. */
  wasHeld: boolean;
  /** How many of its people the source had given anything before; absent of the first. */
  known?: number;
}

/** What the rosters of a source are usually like. */
export interface Usual {
  rows: number;
  members: number;
  rejects: number;
  /** The share of rows in which a column has something. */
  fill: ReadonlyMap<string, number>;
  /** The share of each domain. */
  domains: ReadonlyMap<string, number>;
  /** Who was in each group on the last night. */
  groups: Roster['groups'];
  /** The most that the last rosters of the last days had, since an approval. */
  most: { rows: number; members: number; groups: ReadonlyMap<string, number> };
  /** Groups whose slow loss was approved. */
  shrinking: ReadonlySet<string>;
  /** It gives other people each time: that has happened twice. */
  isOfBatches: boolean;
}

/** As many nights as count for what is usual. */
const mostNights = 5;

/** The days in which a slow loss adds up. */
const recentMs = 14 * 86_400_000;

/** What these nights, the newest first, say about the next one: the medians of the last five, or of those since an approval. */
export function usualOf(all: readonly Night[], now: number): Usual | undefined {
  const nights = all.slice(0, mostNights);
  const approved = nights.findIndex(({ wasHeld }) => wasHeld);
  const rosters = nights.slice(0, approved === -1 ? mostNights : approved + 1).map(({ roster }) => roster);
  const [newest] = rosters;
  if (!newest) return undefined;
  const median = (of: (roster: Roster) => number): number =>
    rosters.map(of).toSorted((a, b) => a - b)[Math.floor(rosters.length / 2)] ?? 0;
  const domains = new Set(rosters.flatMap((roster) => [...roster.domains.keys()]));
  // A source that only grows has everybody of the night before.
  const others = nights.flatMap(({ known, roster }, at) =>
    known === undefined ? [] : known * 2 < Math.min(roster.members, nights[at + 1]?.roster.members ?? roster.members),
  );
  return {
    rows: median(({ rows }) => rows),
    members: median(({ members }) => members),
    rejects: median(({ rejects }) => rejects),
    fill: new Map(
      [...newest.filled.keys()].map((name) => [name, median(({ filled, rows }) => share(filled, name, rows))]),
    ),
    domains: new Map(
      [...domains].map((name) => [name, median((each) => share(each.domains, name, each.rows - each.rejects))]),
    ),
    groups: newest.groups,
    most: mostOf(all.filter(({ at }) => at > now - recentMs)),
    shrinking: nights[0]?.shrinking ?? new Set(),
    isOfBatches: others.length > 1 && others.every(Boolean),
  };
}

/** Of these nights the last of each day, since an approval. */
function mostOf(recent: readonly Night[]): Usual['most'] {
  const approved = recent.findIndex(({ wasHeld }) => wasHeld);
  const since = approved === -1 ? recent : recent.slice(0, approved + 1);
  const dayOf = ({ at }: Night): string => new Date(at).toISOString().slice(0, 10);
  const last = since.filter((night, at) => since.findIndex((other) => dayOf(other) === dayOf(night)) === at);
  const names = new Set(last.flatMap(({ roster }) => [...roster.groups.keys()]));
  const most = (of: (roster: Roster) => number): number => Math.max(0, ...last.map(({ roster }) => of(roster)));
  return {
    rows: most(({ rows }) => rows),
    members: most(({ members }) => members),
    groups: new Map([...names].map((name) => [name, most(({ groups }) => groups.get(name)?.size ?? 0)])),
  };
}

/** The share of one name, 0 to 1. */
export const share = (parts: ReadonlyMap<string, number>, name: string, whole: number): number =>
  (parts.get(name) ?? 0) / Math.max(1, whole);
