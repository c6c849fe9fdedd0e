// Runs a source without a terminal: opens, plans, then releases or holds.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Context } from '../../src/wiring/context.ts';
import { BusyError, EncodingQuestion, InputError, RosterSyncError } from '../../src/core/errors.ts';
import type { MappingOptions } from '../../src/core/mapping/mapping.ts';
import type { Trigger } from '../../src/core/run/run.ts';
import type { RunStatus } from '../../src/core/run/run-states.ts';
import type { NewRun } from '../../src/ledger/moves/begin-run.ts';
import type { Run } from '../../src/ledger/runs/runs.ts';
import { announce } from './announce.ts';
import { type OpenedSource, openForRun } from './open-source.ts';
import { keepHold } from './keep-hold.ts';
import { writeRejectsFile } from './rejects-file.ts';
import { releaseOrHold } from './release-plan.ts';
import { runSettings } from './run-settings.ts';
import { planRoster } from './plan-roster.ts';

/** A run of a source that is started without a terminal. */
export interface SourceRun {
  /** A source of the config; any name, where a roster is given. */
  source: string;
  trigger: Trigger;
  /** A roster that is open already, in place of the source's own; its opener closes it. */
  roster?: OpenedSource['roster'];
  /** How the rows of that roster become members, where not as the source's own. */
  columns?: MappingOptions;
  /** False if this failed before and was announced then. */
  announceFailure?: boolean;
  /** Addresses of the only people wanted; absent for everybody, never an empty list. */
  only?: readonly string[] | undefined;
  /** The time that roster speaks of, where somebody says so. */
  asOf?: Date;
  /** Send the unchanged too. */
  all?: boolean | undefined;
  /** What was asked for this run alone. */
  invite?: boolean | undefined;
  /** Read and planned whatever is known about the source; else it may turn out to be unchanged. */
  anew?: boolean | undefined;
  /** Stops the reading. Then nothing is left of the run, and its reason is thrown. */
  signal?: AbortSignal;
}

/** What a run of a source works with: everything but the means to deliver. */
export type SourceRunContext = Context & { service: { address: string } };

/** What happened to it. */
export interface SourceRunResult {
  /**
   * Of `unchanged`, the run since which nothing has changed; of `busy`, the one that is in the way, or none if it has
   * ended meanwhile.
   */
  runId: string;
  /** The state of the run; `unchanged`: nothing was to be done; `busy`: another run of the source plans or delivers. */
  status: RunStatus | 'unchanged' | 'busy';
  /** The reason in words, for `failed`, `busy` and `held`. */
  reason: string;
}

/**
 * Reads, plans and releases a source, or holds what guards stop, without a terminal: for the schedule, events and the API.
 * It delivers nothing itself: the delivering process finds it due. A roster that cannot be had or used is a run that `failed`,
 * with its reason kept; a source that is busy is a result too.
 * @throws InputError for a source that is not in the config, and for an empty list of people
 */
export async function runSource(context: SourceRunContext, request: SourceRun): Promise<SourceRunResult> {
  if (request.roster === undefined) context.requireSource(request.source);
  if (request.only?.length === 0)
    throw new InputError('only is empty, which would mean everybody: leave it out for that.');
  const run = newRun(context, request);
  try {
    await context.ledger.createRun(run);
  } catch (error) {
    if (error instanceof BusyError) return busy(context, request.source);
    throw error;
  }
  return carryOut(context, run, request);
}

/** The row of a run that is about to begin. */
export function newRun(
  { config, ledger, service }: SourceRunContext,
  { source, trigger, invite, roster }: SourceRun,
): NewRun {
  const deliver = Object.hasOwn(config.sources, source) ? config.sources[source]?.deliver : undefined;
  return {
    id: randomBytes(4).toString('hex'),
    source,
    service: service.address,
    trigger,
    settings: runSettings(config, deliver, { invite }),
    worker: ledger.worker,
    beside: trigger === 'event' && roster?.form.isPartial === true,
  };
}

async function busy({ ledger, service }: SourceRunContext, source: string): Promise<SourceRunResult> {
  const other = await ledger.activeRun(service.address, source);
  return { runId: other?.id ?? '', status: 'busy', reason: sayBusy(source, other) };
}

/** Why a run does not begin. */
export function sayBusy(source: string, other: Run | undefined): string {
  return other
    ? `run ${other.id} of ${source} is still ${other.status}; it is left to finish`
    : `another run of ${source} was active at that moment`;
}

/**
 * Continues a run whose row is in the ledger: opens its source, plans it, and releases or holds it.
 * @throws the reason of `request.signal` once that is aborted; nothing is left of the run then
 */
export async function carryOut(context: SourceRunContext, run: NewRun, request: SourceRun): Promise<SourceRunResult> {
  const { ledger, log } = context;
  const { id: runId, source } = run;
  let opened: OpenedSource | undefined;
  try {
    request.signal?.throwIfAborted();
    if (request.roster === undefined) {
      const found = await openForRun(context, {
        ...{ source, runId, service: run.service, compareBytes: true },
        anew: request.anew === true || request.all === true || (request.only?.length ?? 0) > 0,
        ...(request.signal && { signal: request.signal }),
        onWait: (what, ms) => log.info({ source, ms }, what),
      });
      if ('unchangedSince' in found) {
        await ledger.discardRun(runId);
        const since = found.unchangedSince.runId;
        return { runId: since, status: 'unchanged', reason: `unchanged since run ${since}` };
      }
      opened = found;
    }
    return await planAndRelease(context, { run, request, opened });
  } catch (error) {
    if (request.signal?.aborted) {
      await ledger.discardRun(runId);
      throw error;
    }
    const reason = reasonOf(error);
    log.error({ run: runId, source, cause: reason }, 'the run failed; nothing was sent');
    await ledger.failRun(run, reason);
    if (request.announceFailure !== false) await announce(context, runId);
    return await resultOf(context, runId, reason);
  } finally {
    await opened?.roster.close();
  }
}

async function planAndRelease(
  context: SourceRunContext,
  { run, request, opened }: { run: NewRun; request: SourceRun; opened: OpenedSource | undefined },
): Promise<SourceRunResult> {
  const { ledger, config, directory } = context;
  const { id: runId, source, service, trigger, settings } = run;
  const { roster = opened?.roster, asOf, only = [], all = false, signal } = request;
  if (roster === undefined) throw new Error('a run without a roster');
  const mapping = Object.hasOwn(config.sources, source)
    ? context.mappingOf(context.requireSource(source), roster.form.header)
    : {};
  const planned = await planRoster(context, {
    ...{ runId, source, service, trigger, settings, roster, only, all },
    ...(asOf && { asOf }),
    columns: request.columns ?? opened?.columns ?? { groups: [], groupColumns: [], today: new Date(), ...mapping },
    onRows: () => signal?.throwIfAborted(),
  });
  const kept = await keepHold(context, planned, { all });
  // Nothing is new: people who were notified about that hold get a daily reminder.
  if (kept !== undefined) return resultOf(context, kept, '');
  if (planned.facts.counts.rejects > 0 && directory) {
    await writeRejectsFile(context, runId, join(directory.rejects, `${runId}-rejects.csv`));
  }
  // People who wait for a decision must be named by every run until then.
  if (opened?.version && planned.waiting === 0) await ledger.rememberSource({ ...opened.version, runId });
  await releaseOrHold(context, planned, { all });
  return resultOf(context, runId, '');
}

/** As the ledger has it now. */
async function resultOf({ ledger }: SourceRunContext, runId: string, reason: string): Promise<SourceRunResult> {
  const [now] = await ledger.findRuns(runId);
  return { runId, status: now?.status ?? 'failed', reason: now?.statusReason ?? reason };
}

/** The stored text of an error. An unexpected error may say more than we may store; the log has it. */
function reasonOf(error: unknown): string {
  if (error instanceof EncodingQuestion) return error.withoutWords;
  if (error instanceof RosterSyncError) return error.message;
  return `an unexpected error (${error instanceof Error ? error.name : typeof error}); nothing was sent`;
}
