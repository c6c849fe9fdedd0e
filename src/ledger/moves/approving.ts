// Records approvals and releases what they approve.
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Approval as ApprovalOfRun } from '../../acts/shapes/requests.ts';
import { NotNowError, onRun } from '../../core/errors.ts';
import { type ApprovalScope, isSamePart, type Trip } from '../../core/guards/trip.ts';
import { say } from '../../core/words/say.ts';
import type { Dated } from '../../core/plain.ts';
import type { Rate } from '../../core/pace/pacing.ts';
import { lockRun, setRate } from '../runs/runs.ts';
import {
  type Database,
  inTransaction,
  changed,
  isThere,
  rowOf,
  rowsOf,
  toJson,
  type KeyRange,
  keyRanges,
} from '../database/database.ts';
import { lastStage } from '../../core/run/canary.ts';
import type { RunStatus } from '../../core/run/states.ts';
import { countHeld, countHeldPart, heldOf, isAbout, isApproved } from '../runs/holds.ts';
import { moveRun, refuseBusy, renewDeadline, takeTurn } from './move-run.ts';
import { hastenRun, takeEffect, tidyUp } from './release.ts';
import {
  closeOlderHolds,
  supersedeByNewer,
  supersedeGiven,
  supersedeLeaving,
  supersedeMovedSince,
} from './supersede.ts';
import { canariesOf, hasStages, stageOf } from './plan-deliveries.ts';

export interface Approval {
  /** A user at a machine, or who is known to the API. */
  by: string;
  note: string;
  hash: string;
  scope: ApprovalScope;
}

/** What an approval came to. */
export type Approved = Omit<Dated<z.output<typeof ApprovalOfRun>>, 'run'>;

/**
 * Releases what is approved of a run and still needed, and records who approved it: in one transaction, so that of two who ask
 * one does it. Asked again for the same part, of which the answer may have been lost, it says who has done it. Of a run of many
 * only the checks and the record are one transaction, and others get their turn after each range of people; after a crash in
 * between all is still held, and whoever asks again goes on.
 * @param options.rate another rate of its own
 * @param options.leaving the kinds of events that say that people leave: whom those named since the time of the roster is not sent
 * @returns undefined when nothing of the run is held any more, since somebody else decided
 * @throws NotNowError when the approval fits nothing that is held, or leaves out a group that nobody held is in; BusyError while another run of its source plans or delivers
 */
export async function approveHeld(
  db: Database,
  runId: string,
  approval: Approval,
  { canary = false, leaving, rate }: { canary?: boolean; leaving?: readonly string[] | undefined; rate?: Rate } = {},
): Promise<Approved | undefined> {
  // Their events may wait while the source cannot be read.
  await inTransaction(db, async (transaction) => {
    await supersedeLeaving(transaction, runId, leaving);
    await supersedeMovedSince(transaction, runId);
  });
  const ranges = await keyRanges(db, runId);
  const approve = (each: Database): Promise<Approved | undefined> =>
    release(each, runId, approval, { canary, ranges, rate });
  const approved = await (ranges.length > 1 ? approve(db) : inTransaction(db, approve));
  if (approved && !approved.already) await tidyUp(db, runId);
  return approved;
}

async function release(
  db: Database,
  runId: string,
  approval: Approval,
  { canary, ranges, rate }: { canary: boolean; ranges: readonly KeyRange[]; rate: Rate | undefined },
): Promise<Approved | undefined> {
  const begun = await inTransaction(db, (transaction) => begin(transaction, runId, approval, rate));
  if (begun === undefined || 'released' in begun) return begun;
  let superseded = await supersedeByNewer(db, runId);
  const isSentNow = isApproved(approval.scope, begun.trips);
  for (const isInRange of ranges) superseded += await supersedeGiven(db, runId, isInRange);
  const isEarly = sql<boolean>`exists (select 1 from ${heldOf(runId)} where d.person_key = m.person_key and ${isSentNow})`;
  // While the rest of the run is still sent in stages, nobody has seen the answers to its first calls yet.
  const isStaged = begun.status === 'delivering' && (await hasStages(db, runId));
  if (!isStaged) await sql`update runs set stage = 0 where id = ${runId}`.execute(db);
  let stage = stageOf(canary && !isStaged ? await canariesOf(db, runId, isEarly) : undefined);
  if (isStaged) stage = canary ? sql`${lastStage}::integer` : sql`(select stage from runs where id = ${runId})`;
  let released = 0;
  for (const isInRange of ranges) released += await setFree(db, runId, { isSentNow, isInRange, stage });
  const isDelivering = await inTransaction(db, async (transaction) => {
    await takeTurn(transaction, runId);
    const { releasedAt, status } = await lockRun(transaction, runId);
    // Somebody may have cancelled it meanwhile.
    if (releasedAt === null && status === 'held') {
      // Those that it may replace, as somebody has said now.
      await closeOlderHolds(transaction, runId);
      await takeEffect(transaction, runId);
    }
    // A newer one may have been released meanwhile.
    superseded += await supersedeByNewer(transaction, runId);
    await hastenRun(transaction, runId);
    await moveRun(transaction, runId, 'approve');
    return (await lockRun(transaction, runId)).status === 'delivering';
  });
  return isDelivering ? { released, superseded, stillHeld: await countHeld(db, runId) } : undefined;
}

/** Checks an approval, and records it, with the whole of the deadline for its run; or says what it came to before. */
async function begin(
  transaction: Database,
  runId: string,
  approval: Approval,
  rate: Rate | undefined,
): Promise<Approved | { status: RunStatus; trips: readonly Trip[] } | undefined> {
  const { scope } = approval;
  await takeTurn(transaction, runId);
  const { status, trips } = await lockRun(transaction, runId);
  const given = await approvedBefore(transaction, runId, scope);
  if (given) return given;
  if (status !== 'held' && status !== 'delivering') return undefined;
  await refuseReplaced(transaction, runId);
  const held = await countHeld(transaction, runId);
  if (status === 'delivering' && held === 0 && !(await isRecorded(transaction, runId, approval))) return undefined;
  await refuseUnknownGroups(transaction, runId, scope);
  refuseUnknownReasons(runId, scope, trips.length);
  await refuseLess(transaction, runId, isApproved(scope, trips));
  const { people } = await countHeldPart(transaction, runId, scope);
  if (people === 0 && held > 0) throw new NotNowError(say('nothingApproved', held, { runId, held }));
  await refuseBusy(transaction, runId);
  await recordApproval(transaction, runId, approval);
  await renewDeadline(transaction, runId);
  // Before anything of it is due: the rest of the run may be delivering.
  if (rate !== undefined) await setRate(transaction, runId, rate);
  return { status, trips };
}

/** A file that somebody brought says nothing any more once a newer roster of its source was sent: what it would do is out of date. */
async function refuseReplaced(db: Database, runId: string): Promise<void> {
  const newer = await rowOf<{ id: string }>(db)`
    select n.id from runs r join runs n on n.service = r.service and n.source = r.source and n.number > r.number
    where r.id = ${runId} and not coalesce((r.roster->>'partial')::boolean, false) and r.trips @> '[{"guard": "brought"}]'
      and n.released_at is not null and not n.beside and not coalesce((n.roster->>'partial')::boolean, false)
      and (n.roster->>'time')::timestamptz > (r.roster->>'time')::timestamptz limit 1`;
  if (newer) throw new NotNowError(say('replacedSince', 1, { runId, newer: newer.id }));
}

/** A reason that is not there is a typing error too. */
function refuseUnknownReasons(runId: string, { exceptReasons = [] }: ApprovalScope, reasons: number): void {
  const unknown = exceptReasons.find((place) => !Number.isInteger(place) || place < 1 || place > reasons);
  if (unknown === undefined) return;
  throw new NotNowError(say('noSuchReason', reasons, { runId, reasons, unknown }));
}

/** A group without held people is a typing error: excepting it would except nobody. */
async function refuseUnknownGroups(db: Database, runId: string, { exceptGroups = [] }: ApprovalScope): Promise<void> {
  const unknown: string[] = [];
  for (const group of exceptGroups) {
    const isKnown = await isThere(db)`
      select 1 from ${heldOf(runId)} join members m on m.run_id = d.run_id and m.person_key = d.person_key
      where ${isAbout([group])} limit 1`;
    if (!isKnown) unknown.push(group);
  }
  if (unknown.length === 0) return;
  const names = unknown.map((group) => JSON.stringify(group)).join(', ');
  throw new NotNowError(say('noSuchGroup', 1, { runId, names }), { next: onRun(runId, 'get') });
}

/** What an interrupted approval set free would be sent by another one too, also where that leaves it out. */
async function refuseLess(db: Database, runId: string, isSentNow: RawBuilder<boolean>): Promise<void> {
  const isLess = await isThere(db)`
    select 1 from ${heldOf(runId)} join members m on m.run_id = d.run_id and m.person_key = d.person_key
    where d.state <> 'held' and not (${isSentNow}) limit 1`;
  if (isLess) throw new NotNowError(say('largerApproval', 1, { runId }), { next: onRun(runId, 'get') });
}

/** What an approval comes to of a part of a run that was approved before; undefined if it was not, or that is not done yet. */
export async function approvedBefore(db: Database, runId: string, scope: ApprovalScope): Promise<Approved | undefined> {
  const given = (await approvalsOf(db, runId)).find((each) => isSamePart(each.scope, scope));
  if (given === undefined || (await countHeldPart(db, runId, scope)).people > 0) return undefined;
  const { by, at } = given;
  return { released: 0, superseded: 0, stillHeld: await countHeld(db, runId), already: { by, at } };
}

/** Records that somebody approved a run; asked again after the first answer was lost, it is there. */
export async function recordApproval(db: Database, runId: string, approval: Approval): Promise<void> {
  if (await isRecorded(db, runId, approval)) return;
  const { by, note, hash, scope } = approval;
  await sql`
    insert into approvals (run_id, approved_by, note, hash, scope)
    values (${runId}, ${by}, ${note}, ${hash}, ${toJson(scope)}::jsonb)`.execute(db);
}

/** Whether the same person approved the same a moment ago. */
async function isRecorded(db: Database, runId: string, { by, note, scope }: Approval): Promise<boolean> {
  return isThere(db)`
    select 1 from approvals a
    where a.run_id = ${runId} and a.approved_by = ${by} and a.note = ${note}
      and a.scope = ${toJson(scope)}::jsonb
      and a.at > clock_timestamp() - interval '1 minute'`;
}

export interface GivenApproval extends Approval {
  at: Date;
}

/** The approvals of a run, the oldest first. */
export async function approvalsOf(db: Database, runId: string): Promise<GivenApproval[]> {
  return rowsOf<GivenApproval>(db)`
    select at, approved_by as by, note, hash, scope from approvals where run_id = ${runId} order by id`;
}

/** Makes due what is approved of a range of people; with care, only the first stage of it. Returns how many deliveries that are. */
async function setFree(
  db: Database,
  runId: string,
  { isSentNow, isInRange, stage }: { isSentNow: RawBuilder<boolean>; isInRange: KeyRange; stage: RawBuilder<number> },
): Promise<number> {
  return changed(db)`
    update deliveries set state = 'due', stage = s.stage, due_at = clock_timestamp()
    from (
      select d.id, ${stage} as stage from ${heldOf(runId)} cross join lateral (
        select * from members where run_id = d.run_id and person_key = d.person_key limit 1) m
      where ${isInRange(sql`d.person_key`)} and ${isSentNow}
    ) s where deliveries.id = s.id`;
}
