// Plans a kept upload, and holds all of it until somebody approves it.
import { createHash } from 'node:crypto';
import { runSource, stopRun } from '../../../jobs/index.ts';
import type { SourceRunResult } from '../../../jobs/run/run-source.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { hasEnded } from '../../core/run/run-states.ts';
import { sourceNameProblem } from '../../core/rows/source.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import type { DeliveryContext } from '../../wiring/context.ts';
import type { Correction, KeptUpload } from './kept-uploads.ts';
import { columnsOfUpload, mappingOfUpload, openUpload } from './open-upload.ts';

export interface PlanAsked {
  by: string;
  signal: AbortSignal;
}

/**
 * Plans an upload by its own mapping. Whatever it would send is held until somebody approves it. What was planned of it
 * before and is still held is cancelled first, unless it is the same.
 * @returns the upload with its run, or with the reason why there is none; `isNew` is false where the plan before it stays
 * @throws InputError when the file cannot be read as it is said to be
 */
export async function planUpload(
  context: DeliveryContext,
  upload: KeptUpload,
  { by, signal }: PlanAsked,
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
  const roster = await openUpload(upload);
  try {
    const { deliver } = mappingOfUpload(upload);
    const result = await runSource(context, {
      source: upload.source,
      roster,
      columns: columnsOfUpload(upload),
      trigger: 'api',
      broughtBy: by,
      signal,
      ...defined({ ownMapping: upload.mapping }),
      invite: deliver?.invite,
      forceSync: deliver?.forceSync,
      announceFailure: false,
    });
    const { runId, status, reason } = result;
    if (status === 'failed' || status === 'busy') return { upload: { ...state, problem: reason }, result, isNew: true };
    return { upload: { ...state, planned: { runId, as } }, result, isNew: true };
  } finally {
    await roster.close();
  }
}

/** The run that an upload was planned as; undefined if it was not, or is gone. */
export async function plannedRun(
  { ledger }: Pick<DeliveryContext, 'ledger'>,
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

/** The upload with one more cell corrected; a cell that was corrected before is corrected anew. */
export function correct(upload: KeptUpload, correction: Correction): KeptUpload {
  const others = upload.corrections.filter(
    ({ file, line, column }) => file !== correction.file || line !== correction.line || column !== correction.column,
  );
  return { ...upload, corrections: [...others, correction] };
}

function digestOf({ source, mapping, corrections }: KeptUpload): string {
  return createHash('sha256')
    .update(JSON.stringify([source, mapping, corrections]))
    .digest('hex');
}
