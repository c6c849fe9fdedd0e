// Opens a kept upload, and plans it: all of it is held until somebody approves it.
import { createHash } from 'node:crypto';
import { type SourceRunContext, runSource, type SourceRunResult } from '../../jobs/run/run-source.ts';
import { UploadMapping } from '../../config/source-schema.ts';
import { closing } from '../core/closing.ts';
import { columnsToRead, type MappingOptions } from '../core/mapping/mapping-options.ts';
import { bySettings, type MappingRules, type Wording } from '../core/mapping/mapping-rules.ts';
import { type Mapping, resolveColumns } from '../core/mapping/mapping.ts';
import { type Correction, Corrector, type MadeCorrection } from '../core/rows/corrections.ts';
import { timezoneOf } from '../roster/configured-source.ts';
import type { RosterFile } from '../roster/roster-file.ts';
import { openInThread, threadLimits } from '../roster/thread/open-in-thread.ts';
import type { CheckProblem, CheckView } from './check-view.ts';
import { takeReadingPlace } from './reading-places.ts';
import { settleRules, examineRows } from './understand.ts';
import { type KeptUpload, UploadSent } from './kept-uploads.ts';
import { InputError } from '../core/errors.ts';
import { stopRun } from '../../jobs/run/steer-run.ts';
import { defined } from '../core/defined.ts';
import { say } from '../core/words/say.ts';
import { hasEnded } from '../core/run/states.ts';
import { sourceNameProblem } from '../core/rows/source.ts';
import type { Run } from '../ledger/runs/runs.ts';

/** The mapping of an upload, checked; an empty one where none was proposed or given. */
export function mappingOfUpload({ mapping }: Pick<KeptUpload, 'mapping'>): UploadMapping {
  return UploadMapping.parse(mapping ?? {});
}

/** How the rows of an upload become members: by its own mapping, and nothing else. */
export function columnsOfUpload(upload: Pick<KeptUpload, 'mapping'>): MappingOptions {
  const { read: _, deliver: _deliver, everybody: _everybody, ...rules } = mappingOfUpload(upload);
  const day = { today: new Date(), timezone: timezoneOf(undefined) };
  return { groups: [], groupColumns: [], rules: rules satisfies MappingRules, wording: byPage, ...day };
}

/** Groups are given names on the page on which the file is checked. */
const whereNamed = 'under Groups, where you check the file';
const byPage: Wording = {
  ...bySettings,
  naming: () => `give them names ${whereNamed}`,
  merging: () => `give them one name ${whereNamed}`,
};

type Use<Result> = (roster: RosterFile) => Promise<Result> | Result;

/**
 * Opens it for as long as it is used, once few enough are read: corrected cells hold what somebody wrote instead.
 * @param signal ends the reading, and the wait for it: its reason is thrown
 * @throws InputError when it cannot be read; RequestError when too many wait
 */
export async function withUpload<Result>(upload: KeptUpload, use: Use<Result>, signal?: AbortSignal): Promise<Result> {
  using _ = await takeReadingPlace(signal);
  return await openUpload(upload, use, signal);
}

async function openUpload<Result>(upload: KeptUpload, use: Use<Result>, signal?: AbortSignal): Promise<Result> {
  const { read } = mappingOfUpload(upload);
  const asked = columnsToRead(columnsOfUpload(upload));
  const roster = await openInThread(upload.file, { ...read, name: upload.name, ...asked }, threadLimits, signal);
  await using _ = closing(roster);
  return await use(upload.corrections.length === 0 ? roster : withCorrections(roster, upload.corrections));
}

function withCorrections(roster: RosterFile, corrections: readonly Correction[]): RosterFile {
  let made: readonly MadeCorrection[] = [];
  return {
    ...roster,
    corrections: () => made,
    async *batches() {
      const corrector = new Corrector(corrections, roster.form.header);
      for await (const batch of roster.batches()) yield batch.map((row) => corrector.correct(row));
      made = corrector.made();
    },
  };
}

/** The mapping of an upload for its columns; undefined, with what is wrong added to the problems, where it cannot be used. */
export async function resolveUpload(
  { ledger, service }: Pick<SourceRunContext, 'ledger' | 'service'>,
  upload: KeptUpload,
  roster: RosterFile,
  problems: CheckProblem[],
): Promise<Mapping | undefined> {
  const columns = columnsOfUpload(upload);
  if ((columns.rules?.groups ?? []).length === 0) {
    problems.push({ message: say('noGroupYet', 1), field: 'groups' });
    return undefined;
  }
  const settled = settleRules(roster, { ...columns, knownGroups: await ledger.groupsGiven(service.address) });
  if (!('problem' in settled)) return settled;
  problems.push({ message: settled.problem, field: 'columns' });
  return undefined;
}

/** Encodings in which files of people are saved, the likelier first. */
const encodings = [
  ...['utf-8', 'windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'iso-8859-2'],
  ...['macintosh', 'koi8-r'],
];
/** Larger files are not read once for each encoding: that takes too long for a page. */
const mostBytes = 2_000_000;

/** The readings that give other names than the one in force; empty for what has no encoding to choose. */
export async function readingsOf(
  upload: KeptUpload,
  { names, format }: { names: readonly string[]; format: string },
): Promise<CheckView['readings']> {
  if (format !== 'csv' || upload.sizeBytes > mostBytes || names.every((name) => !/[^\p{ASCII}]/u.test(name))) return [];
  const readings = new Map<string, CheckView['readings'][number]>();
  for (const encoding of encodings) {
    const found = await namesIn(upload, encoding);
    const key = JSON.stringify(found);
    if (found.length > 0 && !readings.has(key)) readings.set(key, { encoding, names: found });
  }
  readings.delete(JSON.stringify(names));
  return [...readings.values()];
}

/** The oddest names in one encoding; none where the file is not in it. Read within another reading of it. */
async function namesIn(upload: KeptUpload, encoding: string): Promise<readonly string[]> {
  const { mapping = {} } = upload;
  const other = { ...upload, mapping: { ...mapping, read: { ...mapping.read, encoding } } };
  try {
    return await openUpload(other, async (roster) => {
      const mapping = resolveColumns(roster.form.header, columnsOfUpload(other));
      return (await examineRows(roster, mapping)).names;
    });
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}

/**
 * Plans an upload by its own mapping. Whatever it would send is held until somebody approves it. What was planned of it
 * before and is still held is cancelled first, unless it is the same.
 * @returns the upload with its run, or with the reason why there is none; `isNew` is false where the plan before it stays
 * @throws InputError when the file cannot be read as it is said to be; UploadSent while what was planned of it before is sent
 */
export async function planUpload(
  context: SourceRunContext,
  upload: KeptUpload,
  { by, closing: signal }: { by: string; closing?: AbortSignal },
): Promise<{ upload: KeptUpload; result: SourceRunResult; isNew: boolean }> {
  const wrong = sourceNameProblem(upload.source);
  if (wrong !== undefined) throw new InputError(wrong);
  using _ = await takeReadingPlace(signal);
  const as = digestOf(upload);
  const before = await plannedRun(context, upload);
  const { problem: _problem, ...state } = upload;
  if (before?.status === 'held' && upload.planned?.as === as) {
    const result = { runId: before.id, status: before.status, reason: before.statusReason };
    return { upload: state, result, isNew: false };
  }
  if (before && !hasEnded(before.status)) {
    if (before.status !== 'held' && before.status !== 'planning') throw new UploadSent(before.id);
    await stopRun(context, before, 'cancel', by);
  }
  const { deliver } = mappingOfUpload(upload);
  const result = await openUpload(upload, (roster) =>
    runSource(context, {
      ...{ source: upload.source, roster, columns: columnsOfUpload(upload), trigger: 'api', broughtBy: by },
      ...defined({ ownMapping: upload.mapping, signal }),
      ...{ invite: deliver?.invite, forceSync: deliver?.forceSync, announceFailure: false },
    }),
  );
  const { runId, status, reason } = result;
  if (status === 'failed' || status === 'busy') return { upload: { ...state, problem: reason }, result, isNew: true };
  return { upload: { ...state, planned: { runId, as } }, result, isNew: true };
}

/** The run that an upload was planned as; undefined if it was not, or is gone. */
export async function plannedRun(
  { ledger }: Pick<SourceRunContext, 'ledger'>,
  { planned }: Pick<KeptUpload, 'planned'>,
): Promise<Run | undefined> {
  if (planned === undefined) return undefined;
  const [run] = await ledger.findRuns(planned.runId);
  return run?.id === planned.runId ? run : undefined;
}

/** Whether the plan of an upload is of what it says now. */
export function isPlanned(upload: KeptUpload): boolean {
  return upload.planned?.as === digestOf(upload);
}

/** The same as long as nobody changes what an upload says. */
export function digestOf({ source, mapping, corrections }: KeptUpload): string {
  return createHash('sha256')
    .update(JSON.stringify([source, mapping, corrections]))
    .digest('hex');
}
