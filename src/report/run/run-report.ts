// A run's report: what programs get, what only people see, and what its file is made from.
import type { z } from 'zod';
import type { RunDocument, RunsDocument, ShowDocument } from '../../acts/shapes/run.ts';
import type { Reject } from '../../core/rows/row.ts';
import type { Departures, ResultRow, Stop } from '../../core/run/run.ts';
import type { Trip } from '../../core/guards/trip.ts';
import { partOf, type RosterCensus } from '../../core/guards/usual.ts';
import { say } from '../../core/words/say.ts';

type Document = z.output<typeof RunDocument>;
type Listed = z.output<typeof RunsDocument>['runs'][number];
export type OutcomeCounts = Document['outcome'];
export type GroupTotals = Document['groups'][number];

export interface GroupView extends GroupTotals {
  /** People who were given it. */
  succeeded: number;
}

/** Deliveries that did not succeed for one and the same reason. */
export interface Problem {
  outcome: 'partial' | 'failed' | 'unknown';
  reason: string;
  count: number;
  /** The address of one of them, masked. */
  example: string;
}

export interface RunReport extends Omit<Document, 'run' | 'groups' | 'hold'>, Listed {
  groups: GroupView[];
  /** What of it waits for an approval. */
  hold?: HoldView;
  /** It is `delivering`, and nobody delivers: its process ended without signing off, or no worker runs. */
  isAbandoned?: true;
  /** Why a run is held, paused, halted, cancelled or failed. */
  statusReason?: string;
  /** The newer run that took its place; absent where none did. */
  supersededBy?: string;
  /** What paused a run; absent unless `status` is `paused`. */
  pausedBy?: Stop['by'];
  /** People whose call may have happened twice. */
  repeated: number;
  /** Those of them who were new, and may have been invited twice; absent if nobody is. */
  repeatedInvitations?: number;
  departures?: Departures;
  /** Of the settings that are stored with the run, those to show; the pace as a person writes it: `50/1s`. */
  settings: { forceSync: boolean; invite: boolean; rate: string; attempts: number };
  /** The roster as the person named it: a file, a folder, a pattern; absent while none was read. */
  rosterFile?: string;
  /** Where the rejected rows were written, when there are any. */
  rejectsFile?: string;
  rejectSamples: Reject[];
  problems: Problem[];
  /** Its people were given everything elsewhere; nothing was sent. */
  baseline?: boolean;
  /** People whom the service refused as in the run before, and who were named then. */
  refusedAgain?: number;
}

/** A run's state in the words that people see: `delivering` is said only where somebody delivers. */
export function stateWord({ status, isAbandoned, mode }: Pick<RunReport, 'status' | 'isAbandoned' | 'mode'>): string {
  if (!isAbandoned) return status;
  return mode === 'production' ? 'without a worker' : 'interrupted';
}

/** A line of a report file. */
export type ReportRow = ResultRow;

export const reportColumns = [
  ...(['email', 'firstname', 'lastname', 'group', 'outcome', 'status', 'inserts', 'warnings', 'attempts'] as const),
  ...(['hash', 'responseTime', 'httpStatus', 'reason', 'action', 'repeated'] as const),
] as const satisfies readonly (keyof ReportRow)[];

/** What a report says about a run besides the run's own figures: who approved it, what was read, what to check. */
export type RunDetails = z.output<typeof ShowDocument>['details'];

export interface ReportSource {
  report: RunReport;
  details: RunDetails;
  rows(options?: { notable?: boolean }): AsyncIterable<ReportRow>;
}

/** It expires where nobody has decided; null while the rest of the run is still delivered. */
export interface HoldView extends Omit<NonNullable<z.output<typeof RunDocument>['hold']>, 'reasons'> {
  /** Of its deliveries, people in none of the groups that guards stop (`groupsToExcept`). */
  inOtherGroups: number;
  /** That its people are more than may still be invited today. */
  overDay?: string;
  reasons: Trip[];
}

const mostGroups = 5;

/** The groups that guards stop, as far as a command can name them all. */
export function groupsToExcept(reasons: HoldView['reasons']): string[] {
  const groups = groupsOf(reasons);
  return groups.length > mostGroups ? [] : groups;
}

export function groupsOf(reasons: HoldView['reasons']): string[] {
  const groups = reasons.flatMap(({ scope }) => (scope !== 'all' && 'groups' in scope ? scope.groups : []));
  return [...new Set(groups)];
}

/** A figure of rosters: of the last few, the oldest first, and of the one that is held. */
export interface UsualFigure {
  /** What is counted: `people`, `people in Marketing`. */
  of: string;
  before: { at: Date; value: number }[];
  now: number;
}

/** By guard, the name of the sentence that says what it counts, and its value. */
const figures: Partial<Record<string, [of: string, value: (census: RosterCensus) => number]>> = {
  shrink: ['figurePeople', ({ members }) => members],
  new: ['figureNew', (census) => census.new],
  invites: ['figureNew', (census) => census.new],
  maxInvitations: ['figureNew', (census) => census.new],
  changed: ['figureChanged', ({ changed }) => changed],
  rejects: ['figureRejects', ({ rejects }) => rejects],
};

/** The figure that a guard is about; undefined where it is about none, or nothing is known to compare with. */
export function usualFigureOf(
  { guard, scope }: Trip,
  { before, now }: { before: readonly { at: Date; census: RosterCensus }[]; now?: RosterCensus },
): UsualFigure | undefined {
  const [newest] = before.slice(-1);
  if (now === undefined || newest === undefined) return undefined;
  const [group] = guard === 'group' && scope !== 'all' && 'groups' in scope ? scope.groups : [];
  if (group !== undefined) {
    // Of earlier rosters the groups are not kept.
    const last = { at: newest.at, value: partOf(newest.census.groups, group) };
    return { of: say('figureOfGroup', 1, { group }), before: [last], now: partOf(now.groups, group) };
  }
  const [of, value] = figures[guard] ?? [];
  if (of === undefined || value === undefined) return undefined;
  return { of: say(of, 1), before: before.map(({ at, census }) => ({ at, value: value(census) })), now: value(now) };
}
