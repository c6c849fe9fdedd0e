// How many people a part of a hold is: of one reason, and of what an approval names.
import { type RawBuilder, sql } from 'kysely';
import type { ApprovalScope } from '../../core/guards/trip.ts';
import type { Database } from '../database/database.ts';
import { heldOf, isApproved, isStopped } from './holds.ts';
import type { Run } from './runs.ts';

export interface HeldPart {
  people: number;
  /** Of these, people who are new, and so may be invited. */
  fresh: number;
}

/** How much of what a run holds an approval would send, as far as nothing newer is in its place. */
export async function countHeldPart(db: Database, runId: string, scope: ApprovalScope): Promise<HeldPart> {
  return countOf(db, runId, isApproved(scope, await tripsOf(db, runId)));
}

/** How much of what a run holds each of its reasons stops, in their order. */
export async function heldByReason(db: Database, runId: string): Promise<HeldPart[]> {
  const parts: HeldPart[] = [];
  for (const trip of await tripsOf(db, runId)) parts.push(await countOf(db, runId, isStopped([trip])));
  return parts;
}

/** How many people somebody has set free of what a run held; not those who were superseded or cancelled after all. */
export async function countSetFree(db: Database, runId: string): Promise<number> {
  const trips = await tripsOf(db, runId);
  if (trips.length === 0) return 0;
  const { rows } = await sql<{ people: number }>`
    select count(*) as people from deliveries d join members m on m.run_id = d.run_id and m.person_key = d.person_key
    where d.run_id = ${runId} and d.state <> 'held' and coalesce(d.outcome, '') not in ('superseded', 'cancelled')
      and ${isStopped(trips)}`.execute(db);
  return rows[0]?.people ?? 0;
}

async function tripsOf(db: Database, runId: string) {
  const { rows } = await sql<Pick<Run, 'trips'>>`select trips from runs where id = ${runId}`.execute(db);
  return rows[0]?.trips ?? [];
}

async function countOf(db: Database, runId: string, isMeant: RawBuilder<boolean>): Promise<HeldPart> {
  const { rows } = await sql<HeldPart>`
    select count(*) as people, count(*) filter (where d.action = 'new') as fresh
    from ${heldOf(runId)} join members m on m.run_id = d.run_id and m.person_key = d.person_key where ${isMeant}`.execute(
    db,
  );
  return rows[0] ?? { people: 0, fresh: 0 };
}
