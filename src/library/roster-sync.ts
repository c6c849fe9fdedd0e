// The interface that a program gets: plan, sync, resume, look at runs, close; a plan, and the result of a run.
import type { Ask } from '../acts/act.ts';
import type { MappingOptions } from '../core/mapping/mapping-options.ts';
import type { OpenOptions } from '../roster/roster-file.ts';
import type { PlanCounts, RosterCounts, RunPlan } from '../core/run/run.ts';
import type { PlanRow } from '../report/plan/plan-row.ts';
import { exitCode } from '../acts/exit-code.ts';
import type { ReportRow, RunReport } from '../report/run/run-report.ts';

/** How a roster is read, where roster-sync should not detect it. */
export type ReadOptions = Pick<
  OpenOptions,
  'format' | 'encoding' | 'delimiter' | 'headerLine' | 'sheet' | 'allSheets' | 'records' | 'name'
>;

/** Which column is what. What you leave out is found by the usual names of columns, in 37 languages. */
export type Columns = Partial<
  Pick<MappingOptions, 'map' | 'groups' | 'groupColumns' | 'groupMatrix' | 'splits' | 'allowValues'>
>;

/** A roster: the path of a file or folder, or its bytes. An async iterable is read once. */
export type Roster = string | AsyncIterable<Uint8Array | string>;

/** A roster, and what is wanted of it. */
export interface PlanRequest {
  /**
   * The name under which the ledger remembers who came from here; two rosters of different people need different names. If the
   * settings have a source of this name, its rules apply.
   */
  source: string;
  /** Without it, the source of the settings is read: its file, server or HR system. */
  roster?: Roster;
  /** How `roster` is read. */
  read?: ReadOptions;
  /** Before the rules of the settings. */
  columns?: Columns;
  /** Only people with these addresses. */
  only?: readonly string[];
  /** Send people who already have everything, too. */
  all?: boolean;
  /** What to do with people who, by the roster's own columns, have left or not started. Unless you say, the run is held. */
  inactive?: 'leave out' | 'send';
  /** Invite new people by e-mail, for this run alone; else as the settings say. */
  invite?: boolean;
  /** Take people out of groups that the roster does not name, for this run alone; else as the settings say. */
  forceSync?: boolean;
}

/** A roster that is to be sent. */
export interface SyncRequest extends PlanRequest {
  /**
   * Looks at the plan before anything is sent. What you return is consent as if a person had typed `y`: `approvedBy`
   * names them, and the ledger keeps the name. `false`: nothing is sent, and nothing is kept.
   */
  confirm(plan: PlanToConfirm): Promise<false | { approvedBy: string }>;
  /** Who asks for it. The run keeps the name; with `server.twoPeople`, this person may not approve what is held. */
  begunBy?: string;
  /** Aborted, the run pauses after the calls in flight; `resume` continues it. */
  signal?: AbortSignal;
  /** Called every 200 ms or less often with how many deliveries ended in which way so far. */
  onProgress?(outcome: Partial<RunResult['outcome']>): void;
}

/** How a run is continued. */
export type ResumeOptions = Pick<SyncRequest, 'signal' | 'onProgress'>;

/** An open ledger, and the way to the service. */
export interface RosterSync extends AsyncDisposable {
  /**
   * Reads a roster and plans what a sync would send. Sends nothing and keeps nothing of it.
   * @throws InputError for a roster that cannot be used; BusyError while another run of the source plans or delivers
   */
  plan(request: PlanRequest): Promise<Plan>;

  /**
   * Reads a roster, plans, has the plan confirmed, and delivers: one call for each person, at the pace of the settings. What a
   * guard holds is not sent until somebody approves it (`roster-sync approve`, the pages, or the API); then the status is `held`.
   * Resolves when the run has stopped, whatever its status.
   * @returns undefined where `confirm` said no
   * @throws InputError for a roster that cannot be used: nothing was sent; BusyError while another run of the source plans
   * or delivers; StorageError when ledger or queue fail: what was sent is remembered, and `resume` continues
   */
  sync(request: SyncRequest): Promise<RunResult | undefined>;

  /**
   * Continues a run that was paused, halted, or interrupted because its process ended. Resolves when it has stopped.
   * @throws InputError when there is no such run, or nothing to continue
   */
  resume(run: string, options?: ResumeOptions): Promise<RunResult>;

  /**
   * How a run stands now.
   * @param run its id, a unique beginning of it, or `latest`
   * @throws InputError when there is none
   */
  result(run: string): Promise<RunResult>;

  /**
   * What the service answered, one person and group at a time; a run of any size takes little memory.
   * @throws InputError when there is no such run
   */
  receipts(run: string): AsyncIterable<Receipt>;

  /**
   * Asks for one of the acts that this module exports: `await rosterSync.ask(pauseRun, { run: 'latest' })`. It is in the audit,
   * under the `name` that was given when opening.
   * @throws InputError when what is named is not there, or it is not possible now
   */
  ask: Ask;

  /** Finishes the calls in flight, pauses the runs that have more to send, and closes everything. `resume` continues them. */
  close(): Promise<void>;
}

/** One person of a plan, what happens to them and why; or a rejected row, with the cell to blame. */
export type PlannedPerson = PlanRow;

/** What a sync would send. */
export interface Plan extends Pick<RunPlan, 'calls' | 'possibleInvitations' | 'groups'> {
  /** Rows of the roster: `rows = members + merged + filtered + rejects`. */
  roster: RosterCounts;
  /** People: `members = new + changed + again + unchanged + later`. */
  people: PlanCounts;
  /** Of `calls`, those that guards hold until somebody approves them. */
  held: number;
  /** Whether a guard holds the run or a part of it. */
  isHeld: boolean;
  /** Why: the name of the guard, and a sentence for a person. */
  reasons: { guard: string; message: string }[];
  /** Columns that say who has left or not started, a sentence each. Say with `inactive` what to do with these people. */
  undecided: string[];
  /** What was noticed while the roster was read, a sentence each. */
  remarks: string[];
  /** Stands for exactly what would be sent. */
  hash: string;
}

/** The same while it waits for a yes. */
export interface PlanToConfirm extends Plan {
  /** The id of the run. */
  run: string;
  /** Every person and every rejected row, without people who already have everything; only until `confirm` has returned. */
  everybody(): AsyncIterable<PlannedPerson>;
}

/** What the service answered for one person and one of their groups. */
export type Receipt = ReportRow;

const told = [
  ...(['run', 'source', 'service', 'status', 'statusReason', 'roster', 'plan', 'outcome', 'groups'] as const),
  ...(['calls', 'inserts', 'warnings', 'pending', 'durationMs'] as const),
] as const satisfies (keyof RunReport)[];

/** How a run went, or how far it is. */
export interface RunResult extends Pick<RunReport, (typeof told)[number]> {
  /** Of a run that has stopped, as the command line exits: 0 is everything delivered, 3 held, 4 failures, 6 stopped by the service. */
  exitCode: number;
}

export function resultOf(report: RunReport): RunResult {
  const shown = told.filter((name) => name in report).map((name) => [name, report[name]] as const);
  return { ...(Object.fromEntries(shown) as unknown as RunResult), exitCode: exitCode(report) };
}
