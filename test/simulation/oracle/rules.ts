import { bounds } from '../world/settings.ts';
import type { Roster } from './roster.ts';
import { share, type Usual } from './usual.ts';

/** A night that is about to be planned. */
export interface Facts {
  roster: Roster;
  /** Absent of the first night of a source. */
  usual?: Usual;
  /** The same bytes were sent before, and others since. */
  isOld: boolean;
  new: number;
  changed: number;
  departed: number;
  /** People whom nobody has given anything: they may be invited. */
  invitations: number;
  maxInvitations?: number;
  /** Somebody has handed in the file, and has yet to look at the plan. */
  isBrought: boolean;
  /** It waited for that. */
  wasHeld: boolean;
  /** Somebody sees the plan before it is sent, or has to look at it. */
  isWatched: boolean;
  /** There is a column that says who is still there. */
  tellsStatus: boolean;
  /** How many of these people this source has given anything, and how many the other one has. */
  known: number;
  knownElsewhere: number;
  /** How many people this source has given anything, whether they are in the roster or not. */
  everybody: number;
  /** Memberships that `forceSync` would take away, of those that this source gave and no other gives. */
  removals: number;
  /** Groups of those who are sent that nobody is in. */
  newGroups: number;
}

/** What a guard sees of a night: something to judge, and whether it holds anything. */
interface Verdict {
  sees: boolean;
  holds: boolean;
}

const verdict = (part: number, holds: boolean): Verdict => ({ sees: part > 0, holds });

/**
 * What each guard says about a night where nothing has gone wrong before. Written from docs/approvals.md and
 * docs/configuration.md, without the product's code.
 */
export function judgeNight(facts: Facts): Map<string, Verdict> {
  const {
    roster,
    usual,
    isOld,
    maxInvitations = Infinity,
    invitations,
    isBrought,
    wasHeld,
    isWatched,
    tellsStatus,
  } = facts;
  const calls = facts.new + facts.changed;
  const usualRejects = usual ? Math.round((usual.rejects / Math.max(1, usual.rows)) * roster.rows) : 0;
  return new Map([
    ['brought', { sees: isBrought, holds: isBrought && (calls > 0 || wasHeld) }],
    ['everybody', { sees: tellsStatus && calls > 0, holds: tellsStatus && calls > 0 && roster.gone > 0 }],
    ['maxInvitations', { sees: maxInvitations < Infinity && invitations > 0, holds: invitations > maxInvitations }],
    ['rejects', verdict(roster.rejects, isBeyond(bounds.rejects, roster.rejects - usualRejects, roster.rows))],
    ['time', { sees: usual !== undefined, holds: isOld }],
    ...(usual ? compare(facts, usual) : ([['invites', { sees: calls > 0, holds: calls > 0 && !isWatched }]] as const)),
  ]);
}

/** The guards that compare with what is usual. */
function compare(facts: Facts, usual: Usual): [string, Verdict][] {
  const { roster, invitations, removals, newGroups } = facts;
  const { members } = roster;
  const given = [...usual.groups.values()].reduce((sum, { size }) => sum + size, 0);
  const isMuch = removals > bounds.removals.max || isBeyond(bounds.removals, removals, given);
  return [
    ['changed', verdict(facts.changed, isBeyond(bounds.changed, facts.changed, members))],
    ['departed', verdict(facts.departed, isBeyond(bounds.departed, facts.departed, usual.members))],
    ['fill', judgeFill(roster, usual)],
    ['invites', verdict(invitations, isBeyond(bounds.invites, invitations, members))],
    ['newGroups', verdict(newGroups, newGroups > bounds.newGroups.count)],
    ['removals', verdict(removals, isMuch)],
    // New people each time are no reason for any of these.
    ...(usual.isOfBatches ? [] : judgeLikeness(facts, usual)),
  ];
}

function judgeLikeness(facts: Facts, usual: Usual): [string, Verdict][] {
  const { roster, known, knownElsewhere, everybody } = facts;
  const { members } = roster;
  const missing = { rows: usual.rows - roster.rows, members: usual.members - members };
  const isShrunk = [usual, usual.most].some(
    (before) =>
      isBeyond(bounds.shrink, before.rows - roster.rows, before.rows) ||
      isBeyond(bounds.shrink, before.members - members, before.members),
  );
  const domains = judgeDomains(roster, usual);
  const usually = Math.min(usual.members, everybody);
  const areOthers = known * 2 < knownElsewhere && isBeyond(bounds.wrongFile, knownElsewhere, members);
  const areStrangers =
    isBeyond(bounds.wrongFile, usually - known, usually) && isBeyond(bounds.wrongFile, members - known, members);
  return [
    ['domains', domains],
    ['group', judgeGroups(roster, usual)],
    ['new', verdict(facts.new, isBeyond(bounds.new, facts.new, members))],
    ['shrink', verdict(Math.max(missing.rows, missing.members), isShrunk)],
    // New addresses for everybody already say why nobody is known.
    ['wrongFile', { sees: known * 2 < members, holds: areOthers || (areStrangers && !domains.holds) }],
  ];
}

/** Empty cells in a column that members are made of. */
function judgeFill({ rows, filled }: Roster, { fill }: Usual): Verdict {
  const { points, count } = bounds.fill;
  const emptier = [...fill].map(([name, before]) => before - share(filled, name, rows));
  return {
    sees: emptier.some((by) => by > 0),
    holds: emptier.some((by) => isAbove(by * 100, points) && isAbove(by * rows, count)),
  };
}

/** The share of addresses that would need another domain for the usual mix. */
function judgeDomains({ rows, rejects, domains }: Roster, usual: Usual): Verdict {
  const { points, count } = bounds.domains;
  const names = new Set([...domains.keys(), ...usual.domains.keys()]);
  const usable = rows - rejects;
  const apart =
    [...names].reduce((sum, name) => sum + Math.abs(share(domains, name, usable) - (usual.domains.get(name) ?? 0)), 0) /
    2;
  return verdict(apart, isAbove(apart * 100, points) && isAbove(apart * usable, count));
}

/** A group that is too small or too large now, or whose people are together in a group that was not there. */
function judgeGroups({ groups, members }: Roster, usual: Usual): Verdict {
  const isShrunk = [usual, usual.most].some((each) => isBeyond(bounds.shrink, each.members - members, each.members));
  const slow = slowlyLost(groups, usual);
  const fresh = [...groups].filter(([group]) => !usual.groups.has(group)).map(([, people]) => people);
  const changes = [...usual.groups].map(([group, before]) => ({
    ...{ before, now: groups.get(group)?.size ?? 0 },
    size: slow.get(group) ?? before.size,
  }));
  const holds = changes.some(({ before, now, size }) => {
    if (!isBeyond(bounds.group, Math.abs(now - size), size)) return false;
    if (now > size || !isShrunk) return true;
    return fresh.some((people) => [...before].filter((key) => people.has(key)).length * 2 >= size);
  });
  return { sees: changes.some(({ before, now }) => before.size !== now), holds };
}

/** The groups that lost too much over some days, none too much in one night, with the most that each had. */
export function slowlyLost(groups: Roster['groups'], { groups: last, most, shrinking }: Usual): Map<string, number> {
  const found = new Map<string, number>();
  for (const [group, { size }] of last) {
    const now = groups.get(group)?.size ?? 0;
    if (now >= size || shrinking.has(group) || isBeyond(bounds.group, size - now, size)) continue;
    const before = Math.max(size, most.groups.get(group) ?? 0);
    if (isBeyond(bounds.group, before - now, before)) found.set(group, before);
  }
  return found;
}

/** Both the share and the number of what a guard bounds are exceeded. */
const isBeyond = (bound: { percent: number; count: number }, part: number, whole: number): boolean =>
  part > bound.count && part * 100 > bound.percent * whole;

/** Shares are fractions: the last bit of one says nothing. */
const isAbove = (figure: number, bound: number): boolean => figure > bound + 1e-9;
