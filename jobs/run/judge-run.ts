// Collects the facts about a plan and runs the guards on them.
import { defined } from '../../src/core/defined.ts';
import type { Configured, WithLedger } from '../../src/wiring/context.ts';
import type { GuardFacts, Trip } from '../../src/core/guards/trip.ts';
import { appearedGroups, changedGroups, shrinkingGroups } from '../../src/core/guards/guard-groups.ts';
import { defaultGuards, exceeds, type GuardSettings } from '../../src/core/guards/guard-settings.ts';
import { mostWithheld } from '../../src/core/guards/guard-people.ts';
import { judge } from '../../src/core/guards/guards.ts';
import { type RosterCensus, partOf, type Usual, usualOf } from '../../src/core/guards/usual.ts';
import type { RosterFacts, RunPlan } from '../../src/core/run/run.ts';
import { columnKey } from '../../src/core/columns/columns.ts';
import { likeGroups, severalGroups } from '../../src/core/inspect/like-groups.ts';
import {
  type LeftOut,
  leftOutKeys,
  type LeftOutValue,
  newlyLeftOut,
  wordsOfLeavers,
} from '../../src/core/inspect/presence/left-out-taker.ts';
import type { Sign } from '../../src/core/inspect/presence/sign.ts';
import { isCode } from '../../src/core/mapping/odd-values.ts';
import { quote } from '../../src/core/text/format.ts';
import { say } from '../../src/core/words/say.ts';
import { configured } from '../../src/roster/configured-source.ts';
import type { PlanningRun } from './planning-run.ts';
import type { stageRoster } from './stage-roster.ts';

/** What was found of a run, by which it is judged. */
interface Found {
  facts: RosterFacts;
  plan: RunPlan;
  /** What was counted while the roster was read. */
  counted: Pick<RosterCensus, 'read' | 'filled' | 'domains' | 'groups'>;
  /** Names of groups that anybody was given at the service. */
  knownGroups: readonly string[];
  /** People who have left or not started, and would be sent. */
  signs: readonly Sign[];
  /** By which people are left out though no rule names it. */
  leftOut: readonly LeftOut[];
  /** The same of columns that are no status. */
  leftOutValues: readonly LeftOutValue[];
  /** Columns that say who is not there. */
  tells: readonly string[];
}

/** The most groups whose members are followed. */
const mostFollowed = 200;
/** With more of its people known than this, a roster is its own source's: nobody needs to be asked whose it is. */
const ownShare = 0.5;

/**
 * Judges a plan by the guards of its source, and remembers what its roster looks like for the next one. Returns what has
 * to wait for an approval. What is costly to find out is asked for only where something is amiss.
 */
export async function judgeRun(context: Configured, run: PlanningRun, found: Found): Promise<Trip[]> {
  const { ledger, config } = context;
  const { runId, source, service, trigger, settings } = run;
  const { facts, plan, counted, signs, tells } = found;
  // Where nobody is put among the leavers, nothing is done to who is left out.
  const leftOut = (plan.departures?.sent ?? 0) > 0 ? await leftOutLeavers(ledger, runId, found) : [];
  const guards = configured(config, source)?.guards ?? defaultGuards;
  const history = await ledger.historyOf({ service, source });
  const usual = usualOf(history.censuses, history.most);
  const known = usual?.leftOut ?? [];
  const isPartial = facts.partial;
  const isFirst = isPartial ? history.last === undefined : !history.hadWhole;
  const { rows, members, filtered, rejects } = facts.counts;
  const { unchanged, again, changed, new: fresh, later } = plan.counts;
  const knowsFew = !isFirst && unchanged + again < Math.max(1, members - later) * ownShare;
  const knownBy = knowsFew ? await ledger.knownBySource({ runId, service }) : undefined;
  const own = knownBy ? (knownBy.find((each) => each.source === source)?.people ?? 0) : unchanged + again;
  // A column that only some files have tells nothing about the people of the others.
  const lacking = facts.form.lacking ?? [];
  const header = lostOf(facts.form.header, lacking);
  const census: RosterCensus = {
    ...{ ...counted, rows, members, filtered, rejects, changed, new: fresh },
    ...(!isFirst && { known: own, waiting: later }),
    tells: lostOf(tells, lacking),
    leftOut: [...new Set([...known, ...leftOut.flatMap(leftOutKeys)])],
    isUnended: facts.form.isUnended ?? false,
  };
  const { last } = history;
  const at = { runId, service, source };
  const isSwitched = last !== undefined && last.forceSync !== settings.forceSync;
  // A run that an event began judges nobody as gone: until a roster that was held for that is settled, one that lacks as many waits as well.
  const isWhole = !isPartial && !facts.hasLostRows && plan.calls > 0;
  const asks = trigger === 'event' && isWhole && (await ledger.holdsMissing(at));
  const { missing } = asks ? await ledger.countMissing(at) : { missing: 0 };
  const isOften = guards.rejects !== 'off' && exceeds(guards.rejects, rejects, rows);
  const trips = judge(
    {
      ...{ source, census, isPartial, isFirst, signs, calls: plan.calls },
      counts: { ...plan.counts, departed: Math.max(plan.counts.departed, missing) },
      possibleInvitations: plan.possibleInvitations,
      leavers: plan.departures?.sent ?? 0,
      isUnattended: !(run.isWatched ?? trigger === 'import'),
      isRebuilt: await ledger.isRebuilt({ service, source }, isPartial),
      isForcedElsewhere:
        !settings.forceSync &&
        (takesOutLeavers(config, source) || (await ledger.isForcedElsewhere({ service, source }))),
      withheld: await ledger.withheldOf(at, mostWithheld + 1),
      leftOut: newlyLeftOut(leftOut, known),
      lostTells: lostOf(usual?.tells ?? [], header),
      unknownGroups: unknownGroups(found, usual),
      ...(usual && !isPartial ? await followPeople(context, run, { usual, census, guards }) : { moves: [] }),
      ...(isSwitched && {
        switched: { to: settings.forceSync, since: last.id, isAskedFor: run.isForceSyncAskedFor ?? false },
      }),
      ...((isPartial || !usual || knowsFew) && !isFirst && { known: await ledger.countKnown({ service, source }) }),
      ...defined({
        runId: run.isDryRun ? undefined : runId,
        maxInvitations: config.delivery.maxInvitations,
        usual,
        knownBy,
        removals: settings.forceSync ? await ledger.removalsOf(at) : undefined,
        unfinished: await ledger.unfinishedOf(at),
        dropped: isPartial ? undefined : await ledger.droppedOf(at),
        cancelled: await ledger.cancelledOf(at),
        earlier:
          run.beside || (isPartial && trigger === 'api') ? await ledger.earlierParts({ service, source }) : undefined,
        // The column that causes many rejects.
        blamed: isOften ? await ledger.mostBlamed(runId) : undefined,
      }),
    },
    guards,
  );
  const asked = usual && guards.group !== 'off' ? shrinkingGroups(trips, census, usual, guards.group) : [];
  const shrinking = [...new Set([...(usual?.shrinking ?? []), ...asked])];
  await ledger.keepCensus(runId, { ...census, shrinking });
  return trips;
}

/** By which people are left out who may be there, and are put among the leavers. */
async function leftOutLeavers(ledger: WithLedger['ledger'], runId: string, { leftOut, leftOutValues }: Found) {
  const keys = leftOutValues.flatMap((value) => value.keys);
  return [...leftOut, ...wordsOfLeavers(leftOutValues, new Set(await ledger.leaversAmong(runId, keys)))];
}

/** Whether another source calls with `forceSync` for those who left it: such a call takes them out of what this one no longer gives. */
function takesOutLeavers({ sources }: Configured['config'], source: string): boolean {
  return Object.entries(sources).some(([name, { departed }]) => name !== source && departed?.forceSync === true);
}

/** The columns that are not among those of a header, however it writes them. */
function lostOf(columns: readonly string[], header: readonly string[]): string[] {
  const keys = new Set(header.map(columnKey));
  return columns.filter((column) => !keys.has(columnKey(column)));
}

/** Groups of this plan that nobody was ever given at the service, nor seen in this source's last roster. */
function unknownGroups({ plan, knownGroups }: Found, usual: Usual | undefined): GuardFacts['unknownGroups'] {
  const known = new Set([...knownGroups, ...Object.keys(usual?.groups ?? {})]);
  const unknown = plan.groups
    .filter(({ group }) => !known.has(group))
    .map(({ group, adds }) => ({ group, people: adds }));
  const alike = new Map([
    ...likeGroups(unknown, [...known]).map(({ group, like }): [string, string[]] => [group, [like]]),
    ...severalGroups(
      plan.groups.map(({ group }) => group),
      [...known],
    ),
  ]);
  const hadCodes = [...known].some(isCode);
  return unknown.map((each) => ({
    ...each,
    ...defined({ like: alike.get(each.group) }),
    isCode: !hadCodes && isCode(each.group),
  }));
}

/** The new groups to which the people of vanishing groups moved, and how many of these are sent nothing. */
async function followPeople(
  { ledger }: WithLedger,
  run: PlanningRun,
  { usual, census, guards: { group } }: { usual: Usual; census: RosterCensus; guards: GuardSettings },
): Promise<Pick<GuardFacts, 'moves' | 'lostSilently'>> {
  const changes = group === 'off' ? [] : changedGroups(census, usual, group);
  const named = (groups: readonly { group: string }[]) => groups.slice(0, mostFollowed).map((each) => each.group);
  const from = named(changes.filter(({ before, now }) => now < before));
  if (from.length === 0) return { moves: [] };
  const to = named(appearedGroups(census, usual));
  return {
    moves: to.length === 0 ? [] : await ledger.groupMoves(run, { from, to }),
    lostSilently: await ledger.lostSilently({ ...run, forceSync: run.settings.forceSync }, from),
  };
}

/** As much emptier than before, a column of groups is not what it was. */
const emptier = 0.1;

/**
 * Holds all of a roster: one that somebody brought, until somebody has looked at everybody; one whose addresses are shifted; and
 * one in blocks, where nobody sees that remark and the rosters before were not like that.
 */
export async function holdWhole(
  { ledger }: WithLedger,
  { broughtBy, isWatched, trigger, service, source }: PlanningRun,
  { shifted, blocks: [block], taker }: Awaited<ReturnType<typeof stageRoster>>,
  { calls }: Pick<Found['plan'], 'calls'>,
): Promise<Trip[]> {
  const trips: Trip[] = [];
  const hold = (guard: Trip['guard'], message: string, brief: string): void =>
    void trips.push({ guard, scope: 'all', message, brief });
  if (broughtBy !== undefined) {
    hold('brought', say('brought', 1, { by: quote(broughtBy) }), 'somebody brought this file on the pages');
  }
  if (calls === 0) return trips;
  if (shifted !== undefined) hold('addresses', shifted, 'addresses spell the names of other rows');
  if (block && !(isWatched ?? trigger === 'import')) {
    const share = ({ filled, read }: Pick<RosterCensus, 'filled' | 'read'>): number =>
      partOf(filled, block.column) / read;
    const most = share(taker.counted()) + emptier;
    const { censuses } = await ledger.historyOf({ service, source });
    if (!censuses.some(({ census }) => share(census) < most)) {
      hold('fill', block.said, 'a column of groups is empty below filled cells');
    }
  }
  return trips;
}
