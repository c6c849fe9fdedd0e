// Plans a kept upload, and holds all of it until somebody approves it.
import { createHash } from 'node:crypto';
import { runSource, type SourceRunContext, type SourceRunResult } from '../../jobs/run/run-source.ts';
import { stopRun } from '../../jobs/run/steer-run.ts';
import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import { hasEnded } from '../core/run/states.ts';
import { sourceNameProblem } from '../core/rows/source.ts';
import type { Run } from '../ledger/runs/runs.ts';
import type { Correction, KeptUpload } from './kept-uploads.ts';
import { columnsOfUpload, mappingOfUpload, withUpload } from './open-upload.ts';

/**
 * Plans an upload by its own mapping. Whatever it would send is held until somebody approves it. What was planned of it
 * before and is still held is cancelled first, unless it is the same.
 * @returns the upload with its run, or with the reason why there is none; `isNew` is false where the plan before it stays
 * @throws InputError when the file cannot be read as it is said to be
 */
export async function planUpload(
  context: SourceRunContext,
  upload: KeptUpload,
  { by, closing: signal }: { by: string; closing?: AbortSignal },
): Promise<{ upload: KeptUpload; result: SourceRunResult; isNew: boolean }> {
  const wrong = sourceNameProblem(upload.source);
  if (wrong !== undefined) throw new InputError(wrong);
  const as = digestOf(upload);
  const before = await plannedRun(context, upload);
  const { problem: _, ...state } = upload;
  if (before?.status === 'held' && upload.planned?.as === as) {
    const result = { runId: before.id, status: before.status, reason: before.statusReason };
    return { upload: state, result, isNew: false };
  }
  if (before && !hasEnded(before.status)) await stopRun(context, before, 'cancel', by);
  const { deliver } = mappingOfUpload(upload);
  const result = await withUpload(upload, (roster) =>
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

/** The corrections with one more; a cell that was corrected before is corrected anew. */
export function withCorrection({ corrections }: KeptUpload, added: Correction): Correction[] {
  const others = corrections.filter(
    ({ file, line, column }) => file !== added.file || line !== added.line || column !== added.column,
  );
  return [...others, added];
}

function digestOf({ source, mapping, corrections }: KeptUpload): string {
  return createHash('sha256')
    .update(JSON.stringify([source, mapping, corrections]))
    .digest('hex');
}
