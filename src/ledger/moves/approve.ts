// Approve: what a guard held is due, or waits for its stage of a canary release.
import { type RawBuilder, sql } from 'kysely';
import type { ApprovalScope } from '../../core/guards/hold.ts';
import type { Trip } from '../../core/run/trip.ts';
import type { Database } from '../database/database.ts';
import { isStopped } from '../runs/holds.ts';
import { canariesOf, stageOf } from './canary.ts';

/** Makes due what is approved; with care, only the first stage of it. Returns how many deliveries that are. */
export async function setFree(
  db: Database,
  runId: string,
  { scope, trips, canary }: { scope: ApprovalScope; trips: readonly Trip[]; canary: boolean },
): Promise<number> {
  const isSentNow = sql<boolean>`exists (
    select 1 from deliveries d
    where d.run_id = m.run_id and d.person_key = m.person_key and d.state = 'held' and ${isApproved(scope, trips)})`;
  const first = canary ? await canariesOf(db, runId, isSentNow) : undefined;
  const { numAffectedRows } = await sql`
    update deliveries d
    set state = case when s.stage > 0 then 'waiting' else 'due' end, stage = s.stage, due_at = clock_timestamp()
    from (
      select m.person_key, ${stageOf(first, isSentNow)} as stage from members m where m.run_id = ${runId} and ${isSentNow}
    ) s
    where d.run_id = ${runId} and d.person_key = s.person_key and d.state = 'held'`.execute(db);
  await sql`update runs set stage = 0 where id = ${runId} and ${first !== undefined}::boolean`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Whether an approval covers the delivery `d` of a member `m`; `trips` are those of the run. */
export function isApproved(
  { only = [], exceptGroups = [], exceptReasons = [] }: ApprovalScope,
  trips: readonly Trip[],
): RawBuilder<boolean> {
  const named = sql<boolean>`d.action = any (${only}::text[])`;
  const left = exceptReasons.flatMap((place) => trips[place - 1] ?? []);
  return sql<boolean>`(${only.length === 0}::boolean or ${named}) and not m.groups ?| ${exceptGroups}::text[]
    and not ${left.length === 0 ? sql`false` : isStopped(left)}`;
}
