// Opens a configured source for a run, or reports that nothing has changed since its last run.
import { scryptSync } from 'node:crypto';
import type { Config } from '../../config/load.ts';
import type { SourceConfig } from '../../config/source-schema.ts';
import { namesInOneCell } from '../../src/core/cells/read-cell.ts';
import { defined } from '../../src/core/defined.ts';
import { NoUsableRowsError } from '../../src/core/errors.ts';
import { pageByPage } from '../../src/core/page-by-page.ts';
import { type MappingOptions, columnsToRead } from '../../src/core/mapping/mapping-options.ts';
import { dependsOnDay, joinDependsOnDay } from '../../src/core/mapping/mapping-rules.ts';
import { SourceUnchanged, type Validators } from '../../src/core/rows/source.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { say } from '../../src/core/words/say.ts';
import { readVersion } from '../../src/process/version.ts';
import { configured, mappingOf, openConfigured, requireSource } from '../../src/roster/configured-source.ts';
import { notesOfRenamed } from '../../src/roster/fetch/group-tables.ts';
import type { RosterFile } from '../../src/roster/roster-file.ts';
import type { Configured, PlanningContext, WithLedger } from '../../src/wiring/context.ts';
import { announceUnchanged } from './announce.ts';
import type { OpenedRoster } from './planning-run.ts';

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

/**
 * The roster is the one of an earlier run that sent everything: there is nothing to do. Not a failure: whoever opens sources
 * handles it.
 */
export class RosterUnchanged extends Error {
  readonly since: string;
  constructor(source: string, since: string) {
    super(`${source} is unchanged since run ${since}`);
    this.since = since;
  }
}

/** How the rows of a source become members where no flags of a command say so. */
export function columnsOfSource(context: Configured, source: string, header?: readonly string[]): MappingOptions {
  return { groups: [], groupColumns: [], today: new Date(), ...mappingOf(configured(context.config, source), header) };
}

/**
 * Opens a source of the config, unless roster, rules and settings are those of its last run, and that one sent everything.
 * @throws InputError when it cannot be had, or used; RosterUnchanged
 */
export async function openForRun(context: PlanningContext, request: OpenRequest): Promise<OpenedRoster> {
  const { config, ledger } = context;
  const { source, service, anew, compareBytes = false, runId, signal, onWait } = request;
  const settings = requireSource(config, source);
  const steady = !anew && isSameEveryDay(settings);
  const digest = steady ? digestOf(settings, config, await ledger.ledgerId()) : undefined;
  const last = digest && (await ledger.recallSource({ service, source, digest, ...(runId && { runId }) }));
  async function unchangedSince(run: string): Promise<RosterUnchanged> {
    await announceUnchanged(context, run, new Date());
    return new RosterUnchanged(source, run);
  }
  const columns = columnsOfSource(context, source);
  const opening: Promise<OpenedRoster['roster'] & { validators?: Validators }> = settings.scim
    ? openPushed(context, source, columns)
    : openConfigured(context, source, columns, {
        ...defined({ signal, onWait }),
        ...(last && { validators: last.validators }),
      });
  const roster = await opening.catch(async (error: unknown) => {
    throw error instanceof SourceUnchanged && last ? await unchangedSince(last.runId) : error;
  });
  try {
    if (last && compareBytes && (await checksumOf(roster, signal)) === last.checksum) {
      throw await unchangedSince(last.runId);
    }
  } catch (error) {
    await roster.close();
    throw error;
  }
  return {
    roster,
    columns: columnsOfSource(context, source, roster.form.header),
    ...(digest !== undefined && { version: { digest, validators: roster.validators ?? {} } }),
  };
}

/** Whether the same rows give the same people on every day. */
function isSameEveryDay(settings: SourceConfig): boolean {
  const { rules = {}, defaults = {} } = mappingOf(settings);
  if (joinDependsOnDay(settings.read?.join)) return false;
  return settings.refresh === undefined && !dependsOnDay(rules) && !dependsOnDay(defaults);
}

/** It is known once all rows have been read; they are read again for the plan. */
async function checksumOf(roster: OpenedRoster['roster'], signal: AbortSignal | undefined): Promise<string> {
  for await (const batch of roster.batches()) if (batch.length > 0) signal?.throwIfAborted();
  return roster.checksum();
}

/**
 * Identifies all that decides what is sent, except the roster: the source, what holds for all sources, and this version's
 * ways. Secrets are in it, since some of them say whose people are fetched; so it takes long to try one out. When the
 * source is read, and by whom that is asked for, does not change what is sent.
 * @param salt this ledger's identity
 */
function digestOf(settings: SourceConfig, { delivery }: Config, salt: string): string {
  const { schedule: _schedule, webhook: _webhook, ...source } = settings;
  const { forceSync, invite } = delivery;
  const text = JSON.stringify(
    [readVersion(), { forceSync, invite }, source],
    function reveal(this: object, key, value) {
      const own: unknown = Reflect.get(this, key);
      return own instanceof Secret ? own.reveal() : (value as unknown);
    },
  );
  return scryptSync(text, salt, 32).toString('hex');
}

function nobodyPushed(source: string): NoUsableRowsError {
  const next = [{ act: 'access.createToken' as const, name: source }];
  return new NoUsableRowsError(say('nobodyPushed', 1, { source }), { next });
}

/**
 * Opens everybody who was pushed to a source: a row each, with the names of their groups in the column `groupNames`.
 * @throws NoUsableRowsError where there is nobody
 */
async function openPushed({ ledger }: WithLedger, source: string, columns: MappingOptions): Promise<RosterFile> {
  if ((await ledger.pushedUsers({ source, after: 0, limit: 1 })).length === 0) throw nobodyPushed(source);
  const renamed = new Set<string>();
  async function* records(): AsyncGenerator<Record<string, unknown>> {
    const read = (after: number, limit: number) => ledger.pushedUsers({ source, after, limit });
    for await (const { id, resource, groups } of pageByPage(0, read, ({ number }) => number))
      yield { ...resource, id, groupNames: namesInOneCell(groups, renamed) };
  }
  const { openRecords } = await import('../../src/roster/open-records.ts');
  const roster = await openRecords(records(), { name: `${source} (SCIM)`, ...columnsToRead(columns) });
  roster.form.notes.push(...notesOfRenamed(renamed));
  return roster;
}
