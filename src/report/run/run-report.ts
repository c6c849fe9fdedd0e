// A run's report: what programs get, what only people see, and what its file is made from.
import type { z } from 'zod';
import type { RunDocument, RunsDocument, ShowDocument } from '../../acts/shapes/run.ts';
import type { Reject } from '../../core/rows/row.ts';
import type { Departures, Stop, ResultRow } from '../../core/run/run.ts';
import type { HoldView } from './hold-view.ts';

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
