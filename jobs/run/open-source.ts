// Opens a configured source for a run, or reports that nothing has changed since its last run.
import type { SourceConfig } from '../../config/source-schema.ts';
import type { Context } from '../../src/wiring/context.ts';
import type { MappingOptions } from '../../src/core/mapping/mapping.ts';
import { dependsOnDay, joinDependsOnDay } from '../../src/core/mapping/mapping-rules.ts';
import { SourceUnchanged } from '../../src/core/rows/source.ts';
import type { SourceState, UnchangedSince } from '../../src/ledger/planning/source-states.ts';
import { digestOf } from './source-digest.ts';
import { announceUnchanged } from './announce.ts';

/** How a source of the config is to be opened for a run. */
export interface OpenRequest {
  source: string;
  /** The service's normalised address. */
  service: string;
  /** Read it whatever is known about it: some of its people are asked for by name, or the unchanged are to be sent too. */
  anew: boolean;
  /** Compare the bytes of what its server says nothing about: nobody is there who would want to see its plan. */
  compareBytes?: boolean;
  /** The run it is for, where the ledger knows it already. */
  runId?: string;
  signal?: AbortSignal;
  /** Gets what takes time: waiting for a file to settle, or before another try. */
  onWait?(what: string, ms: number): void;
}

/** A source that was opened; the caller closes its roster. */
export interface OpenedSource {
  roster: Awaited<ReturnType<Context['openSource']>>;
  columns: MappingOptions;
  /** To be remembered with the run, so that the next one can tell whether anything has changed. */
  version?: Pick<SourceState, 'digest' | 'validators'>;
}

/** What the flags of a command would say about columns, where there are none. */
const noFlags = (): MappingOptions => ({ groups: [], groupColumns: [], today: new Date() });

/**
 * Opens a source of the config, unless roster, rules and settings are those of its last run, and that one sent everything:
 * then it says which run that was.
 * @throws InputError when it cannot be had, or used
 */
export async function openForRun(
  context: Context,
  request: OpenRequest,
): Promise<OpenedSource | { unchangedSince: UnchangedSince }> {
  const { config, ledger } = context;
  const { source, service, anew, compareBytes = false, runId, signal, onWait } = request;
  const settings = context.requireSource(source);
  const steady = !anew && isSameEveryDay(context, settings);
  const digest = steady ? digestOf(settings, config, await ledger.ledgerId()) : undefined;
  const last = digest && (await ledger.recallSource({ service, source, digest, ...(runId && { runId }) }));
  const columns = { ...noFlags(), ...context.mappingOf(settings) };
  let roster: OpenedSource['roster'];
  try {
    roster = await context.openSource(source, columns, {
      ...(signal && { signal }),
      ...(onWait && { onWait }),
      ...(last && { validators: last.validators }),
    });
  } catch (error) {
    if (error instanceof SourceUnchanged && last) {
      await announceUnchanged(context, last.runId, new Date());
      return { unchangedSince: last };
    }
    throw error;
  }
  try {
    if (last && compareBytes && (await checksumOf(roster, signal)) === last.checksum) {
      await roster.close();
      await announceUnchanged(context, last.runId, new Date());
      return { unchangedSince: last };
    }
  } catch (error) {
    await roster.close();
    throw error;
  }
  return {
    roster,
    columns: { ...noFlags(), ...context.mappingOf(settings, roster.form.header) },
    ...(digest !== undefined && { version: { digest, validators: roster.validators ?? {} } }),
  };
}

/** Whether the same rows give the same people on every day. */
function isSameEveryDay(context: Context, settings: SourceConfig): boolean {
  const { rules = {}, defaults = {} } = context.mappingOf(settings);
  if (joinDependsOnDay(settings.read?.join)) return false;
  return settings.refresh === undefined && !dependsOnDay(rules) && !dependsOnDay(defaults);
}

/** It is known once all rows have been read; they are read again for the plan. */
async function checksumOf(roster: OpenedSource['roster'], signal: AbortSignal | undefined): Promise<string> {
  for await (const batch of roster.batches()) if (batch.length > 0) signal?.throwIfAborted();
  return roster.checksum();
}
