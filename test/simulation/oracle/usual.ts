import type { Roster } from './roster.ts';

/** A night of a source, once everything of it has been sent. */
export interface Night {
  roster: Roster;
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
  /** It gives other people each time: that has happened twice. */
  isOfBatches: boolean;
}

/** As many nights as count for what is usual. */
const mostNights = 5;

/** What these nights, the newest first, say about the next one: the medians of the last five, or of those since an approval. */
export function usualOf(all: readonly Night[]): Usual | undefined {
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
    isOfBatches: others.length > 1 && others.every(Boolean),
  };
}

/** The share of one name, 0 to 1. */
export const share = (parts: ReadonlyMap<string, number>, name: string, whole: number): number =>
  (parts.get(name) ?? 0) / Math.max(1, whole);
