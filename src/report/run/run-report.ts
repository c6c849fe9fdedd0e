// The type of a run's report, and its JSON.
import { defined } from '../../core/defined.ts';
import { type HoldView, holdCommands } from './hold-view.ts';
import type { Content } from '../documents/documents.ts';
import type { Outcome } from '../../core/call/outcome.ts';
import type { Reject } from '../../core/rows/row.ts';
import type { Departures, PlanCounts, RosterCounts, Stop } from '../../core/run/run.ts';
import type { RunStatus } from '../../core/run/run-states.ts';

export type OutcomeCounts = Record<Outcome, number>;

export interface GroupTotals {
  group: string;
  calls: number;
  inserts: number;
  warnings: number;
  /** People to whom it was refused, or of whom nobody can say. */
  failures: number;
}

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

/** Of the settings that are stored with a run, those to show. */
export interface ShownSettings {
  forceSync: boolean;
  invite: boolean;
  /** The pace as a person writes it: `50/1s`. */
  rate: string;
  attempts: number;
}

/** What a list of runs needs of each. */
export interface RunSummary {
  run: string;
  source: string;
  /** What started the run: `import`, `schedule`, `webhook` and so on. */
  trigger: string;
  mode: 'embedded' | 'production';
  status: RunStatus;
  /** It is `delivering`, and nobody delivers: its process ended without signing off, or no worker runs. */
  isAbandoned?: true;
  /** ISO 8601. */
  startedAt: string;
  /** ISO 8601; null while it has not ended. */
  finishedAt: string | null;
  roster: RosterCounts;
  plan: PlanCounts;
  outcome: OutcomeCounts;
  inserts: number;
  warnings: number;
  calls: number;
  /** Deliveries that were planned and have not ended. */
  pending: number;
  /** What of it waits for an approval. */
  hold?: HoldView;
}

export interface RunReport extends RunSummary {
  dryRun: boolean;
  /** The normalised address of the service, or `SANDBOX` and its address. */
  service: string;
  groups: GroupView[];
  /** Milliseconds spent delivering. */
  durationMs: number;
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
  settings: ShownSettings;
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
  /** Until when the service has asked not to be called, and why; absent once the run is finished. */
  throttled?: { until: string; reason: string };
}

/** A run's state in the words that people see: `delivering` is said only where somebody delivers. */
export function stateWord({ status, isAbandoned, mode }: Pick<RunReport, 'status' | 'isAbandoned' | 'mode'>): string {
  if (!isAbandoned) return status;
  return mode === 'production' ? 'without a worker' : 'interrupted';
}

/** The object that `import … --json`, `show … --json` and `resume … --json` print: counts and no person. */
export function runJson(report: RunReport): Content<'run'> {
  const { run, source, mode, dryRun, service, roster, plan, outcome, groups } = report;
  const { inserts, warnings, calls, durationMs, status } = report;
  return {
    run,
    source,
    mode,
    dryRun,
    service,
    roster,
    plan,
    outcome,
    groups: groups.map(({ succeeded: _onPages, ...totals }): GroupTotals => totals),
    inserts,
    warnings,
    calls,
    durationMs,
    status,
    ...(report.hold && { hold: holdJson(run, report.hold) }),
    ...defined({ throttled: report.throttled }),
  };
}

/** What of a run is held, for the person who decides about it: guards may name groups, and no person. */
function holdJson(run: string, hold: HoldView): NonNullable<Content<'run'>['hold']> {
  const { deliveries, reasons, hash, expiresAt } = hold;
  const commands = holdCommands(run, hold).map(({ command }) => command);
  return { deliveries, reasons: reasons.map(({ guard, message }) => ({ guard, message })), hash, expiresAt, commands };
}

export function runsJson(runs: readonly RunSummary[]): Extract<Content<'runs'>, { runs: unknown }> {
  return {
    runs: runs.map((each) => {
      const { run, source, trigger, status, startedAt, finishedAt, roster, plan, outcome } = each;
      const { inserts, warnings, calls, pending, hold } = each;
      const counts = { roster, plan, outcome, inserts, warnings, calls, pending, held: hold?.deliveries ?? 0 };
      return { run, source, trigger, status, startedAt, finishedAt, ...counts };
    }),
  };
}
