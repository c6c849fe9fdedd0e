// Runs a source without a terminal: opens its roster, conducts the run, and keeps why it failed.
import { defined } from '../../src/core/defined.ts';
import type { PlanningContext } from '../../src/wiring/context.ts';
import { BusyError, InputError, NoUsableRowsError, RosterSyncError, briefly } from '../../src/core/errors.ts';
import type { MappingOptions } from '../../src/core/mapping/mapping-options.ts';
import type { Trigger } from '../../src/core/run/run.ts';
import type { RunStatus } from '../../src/core/run/states.ts';
import type { NewRun } from '../../src/ledger/moves/begin-run.ts';
import type { Run } from '../../src/ledger/runs/runs.ts';
import { announce } from './announce.ts';
import { conductRun } from './conduct-run.ts';
import { newRun, type Wishes, type OpenedRoster, type PlanRequest } from './planning-run.ts';
import { columnsOfSource, openForRun, RosterUnchanged } from './open-source.ts';
import { requireSource } from '../../src/roster/configured-source.ts';

export interface SourceRun
  extends Pick<PlanRequest, 'asOf' | 'broughtBy' | 'ownMapping'>, Pick<Wishes, 'forceSync' | 'invite'> {
  /** A source of the config; any name, where a roster is given. */
  source: string;
  trigger: Trigger;
  /** A roster that is open already, in place of the source's own; its opener closes it. */
  roster?: OpenedRoster['roster'];
  /** How the rows of that roster become members, where not as the source's own. */
  columns?: MappingOptions;
  /** False if this failed before and was announced then. */
  announceFailure?: boolean;
  /** Addresses of the only people wanted; absent for everybody, never an empty list. */
  only?: readonly string[] | undefined;
  /** Who asked for it, as the audit names them. */
  by?: string;
  /** Send the unchanged too. */
  all?: boolean | undefined;
  /** Read and planned whatever is known about the source; else it may turn out to be unchanged. */
  anew?: boolean | undefined;
  /** That none of its people can be sent yet is no failure: nothing is kept of the run then. */
  mayBeNobody?: boolean;
  /** Stops the reading. Then nothing is left of the run, and its reason is thrown. */
  signal?: AbortSignal;
}

/** What a run of a source works with: everything but the means to deliver. */
export type SourceRunContext = PlanningContext & { service: { address: string } };

export interface SourceRunResult {
  /**
   * Of `unchanged`, the run since which nothing has changed, or none if nobody can be sent yet; of `busy`, the one that is in the way, or none if it has
   * ended meanwhile.
   */
  runId: string;
  /** The state of the run; `unchanged`: nothing was to be done; `busy`: another run of the source plans or delivers. */
  status: RunStatus | 'unchanged' | 'busy';
  /** The reason in words, for `failed`, `busy` and `held`. */
  reason: string;
}

/** The row of a run that is started without a terminal. */
export function newSourceRun(
  context: SourceRunContext,
  { source, trigger, invite, forceSync, roster, broughtBy, by = broughtBy }: SourceRun,
): NewRun {
  const of = { source, service: context.service.address, trigger };
  return newRun(context, { ...of, wishes: { invite, forceSync }, isPartial: roster?.form.isPartial, begunBy: by });
}

/** Why a run does not begin. */
export function sayBusy(source: string, other: Run | undefined): string {
  return other
    ? `run ${other.id} of ${source} is still ${other.status}; it is left to finish`
    : `another run of ${source} was active at that moment`;
}

/**
 * Reads, plans and releases a source, or holds what guards stop. It delivers nothing itself: the delivering process finds it
 * due. A roster that cannot be had or used is a run that `failed`, with its reason kept; a source that is busy is a result too.
 * @param run its row, where that is in the ledger already
 * @throws InputError for a source that is not in the config, and for an empty list of people; the reason of
 * `request.signal` once that is aborted, and nothing is left of the run then
 */
export async function runSource(
  context: SourceRunContext,
  request: SourceRun,
  run: NewRun = newSourceRun(context, request),
): Promise<SourceRunResult> {
  const { ledger, log } = context;
  const { source, roster, only = [], all = false, asOf, broughtBy, signal } = request;
  if (roster === undefined) requireSource(context.config, source);
  refuseNobody(request);
  let close = async (): Promise<void> => {};

  async function open(): Promise<OpenedRoster> {
    signal?.throwIfAborted();
    if (roster) {
      const { columns = columnsOfSource(context, source, roster.form.header) } = request;
      return { roster, columns };
    }
    const opened = await openForRun(context, {
      source,
      runId: run.id,
      service: run.service,
      compareBytes: true,
      anew: request.anew === true || all || only.length > 0,
      ...defined({ signal }),
      onWait: (what, ms) => log.info({ source, ms }, what),
    });
    close = () => opened.roster.close();
    return opened;
  }

  try {
    const conducted = await conductRun(context, {
      run,
      open,
      only,
      all,
      ...defined({ asOf, ownMapping: request.ownMapping }),
      ...(broughtBy !== undefined && { broughtBy, isWatched: true }),
      ...(request.forceSync === true && { isForceSyncAskedFor: true }),
      whilePlanning: (plan) => plan(() => signal?.throwIfAborted()),
    });
    // If the same is already held, people who were notified about that hold get a daily reminder.
    return await resultOf(context, 'runId' in conducted ? conducted.runId : run.id, '');
  } catch (error) {
    if (error instanceof BusyError) {
      const other = await ledger.activeRun(run.service, source);
      return { runId: other?.id ?? '', status: 'busy', reason: sayBusy(source, other) };
    }
    if (error instanceof RosterUnchanged) {
      await ledger.discardRun(run.id);
      return { runId: error.since, status: 'unchanged', reason: `unchanged since run ${error.since}` };
    }
    if (signal?.aborted) {
      await ledger.discardRun(run.id);
      throw error;
    }
    if (error instanceof NoUsableRowsError && request.mayBeNobody) {
      await ledger.discardRun(run.id);
      return { runId: '', status: 'unchanged', reason: reasonOf(error) };
    }
    const known = error instanceof RosterSyncError;
    const reason = `${reasonOf(error)}${known ? '' : '; nothing was sent'}`;
    log.error(
      { run: run.id, source, cause: reason, ...(!known && error instanceof Error && { stack: error.stack }) },
      'the run failed; nothing was sent',
    );
    await ledger.failRun(run, reason);
    if (request.announceFailure !== false) await announce(context, run.id);
    return await resultOf(context, run.id, reason);
  } finally {
    await close();
  }
}

/** @throws InputError for an empty list of people */
export function refuseNobody({ only }: { only?: readonly string[] | undefined }): void {
  if (only?.length === 0) throw new InputError('only is empty, which would mean everybody: leave it out for that.');
}

/** As the ledger has it now. */
async function resultOf({ ledger }: SourceRunContext, runId: string, reason: string): Promise<SourceRunResult> {
  const [now] = await ledger.findRuns(runId);
  return { runId, status: now?.status ?? 'failed', reason: now?.statusReason ?? reason };
}

/** The stored text of an error. An unexpected error may say more than we may store; the log has it. */
export function reasonOf(error: unknown): string {
  if (error instanceof RosterSyncError) return briefly(error);
  return `an unexpected error (${error instanceof Error ? error.name : typeof error})`;
}
