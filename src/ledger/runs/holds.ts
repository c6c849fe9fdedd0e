// What guards hold: how much of it there is, by reason and by approval, and when it closes.
import { type RawBuilder, sql } from 'kysely';
import type { ApprovalScope, Trip } from '../../core/guards/trip.ts';
import type { RunStatus } from '../../core/run/states.ts';
import { type Database, countOf, isThere, rowOf, rowsOf, theRow } from '../database/database.ts';
import type { Run, SourceAt } from './runs.ts';

export function isSent(all: boolean): RawBuilder<boolean> {
  return sql<boolean>`(m.action <> 'later' and (m.action <> 'unchanged' or m.resend or ${all}::boolean))`;
}

/** Whether member `m` is in one of these groups, or was and loses it by a call. */
export function isAbout(groups: readonly string[]): RawBuilder<boolean> {
  if (groups.length === 0) return sql<boolean>`false`;
  return sql<boolean>`(m.groups ?| ${groups}::text[] or exists (
    select 1 from runs r join people p on p.service = r.service and p.source = r.source
    where r.id = m.run_id and p.person_key = m.person_key and p.groups ?| ${groups}::text[]))`;
}

/** Whether guards stop what member `m` is sent. */
export function isStopped(trips: readonly Trip[]): RawBuilder<boolean> {
  const scopes = trips.map(({ scope }) => scope);
  if (scopes.includes('all')) return sql<boolean>`true`;
  const named = scopes.filter((scope) => scope !== 'all');
  const actions = named.flatMap((scope) => ('actions' in scope ? scope.actions : []));
  const groups = named.flatMap((scope) => ('groups' in scope ? scope.groups : []));
  const people = named.flatMap((scope) => ('people' in scope ? scope.people : []));
  return sql<boolean>`(m.action = any (${actions}::text[]) or m.person_key = any (${people}::text[]) or ${isAbout(groups)})`;
}

/** Whether an approval covers the delivery `d` of a member `m`; `trips` are those of the run. */
export function isApproved(
  { only = [], exceptGroups = [], exceptReasons = [] }: ApprovalScope,
  trips: readonly Trip[],
): RawBuilder<boolean> {
  const named = sql<boolean>`d.action = any (${only}::text[])`;
  const left = exceptReasons.flatMap((place) => trips[place - 1] ?? []);
  return sql<boolean>`(${only.length === 0}::boolean or ${named}) and not ${isAbout(exceptGroups)}
    and not ${left.length === 0 ? sql`false` : isStopped(left)}`;
}

/** How many of a planned run's deliveries guards stop. */
export async function countStopped(
  db: Database,
  runId: string,
  { all, trips }: { all: boolean; trips: readonly Trip[] },
): Promise<number> {
  if (trips.length === 0) return 0;
  return countOf(db)`
    select count(*) as count from members m
    where m.run_id = ${runId} and ${isSent(all)} and ${isStopped(trips)}`;
}

/** The deliveries `d` of a run that wait for an approval; also those that one set free whose process ended before the run was delivered. */
export function heldOf(runId: string): RawBuilder<unknown> {
  return sql`(
    select * from deliveries where run_id = ${runId} and state = 'held'
    union all
    select o.* from runs r join deliveries o on o.run_id = r.id
    where r.id = ${runId} and r.status = 'held' and o.state = 'due') d`;
}

/** How many deliveries of a run wait for an approval; of people who neither are in these groups nor lose them. */
export async function countHeld(db: Database, runId: string, exceptGroups: readonly string[] = []): Promise<number> {
  return countOf(db)`
    select count(*) as count from ${heldOf(runId)}
    where (${exceptGroups.length === 0}::boolean or not exists (
      select 1 from members m
      where m.run_id = d.run_id and m.person_key = d.person_key and ${isAbout(exceptGroups)}))`;
}

/**
 * Whether a run of a source was held as a whole since too many people are missing from its roster, and nobody has approved that:
 * not until a whole roster was released since, also where the hold was cancelled or expired.
 */
export async function holdsMissing(db: Database, { service, source }: SourceAt): Promise<boolean> {
  return isThere(db)`
    select 1 from runs r where service = ${service} and source = ${source}
      and (status = 'held' or status = 'cancelled' and released_at is null and superseded_by is null)
      and trips @> '[{"guard": "departed", "scope": "all"}]' and not exists (
        select 1 from runs later where later.service = r.service and later.source = r.source and later.number > r.number
          and later.released_at is not null and not coalesce((later.roster->>'partial')::boolean, true))
    limit 1`;
}

/** Runs of the same source held as a whole, with the same bytes, calls and counts; none for a partial roster. */
export async function likeHolds(db: Database, runId: string): Promise<{ id: string; trips: Trip[] }[]> {
  return rowsOf<{ id: string; trips: Trip[] }>(db)`
    select o.id, o.trips from runs o join runs n on n.id = ${runId}
    where o.service = n.service and o.source = n.source and o.id <> n.id and o.status = 'held'
      and not coalesce((n.roster->>'partial')::boolean, true) and not coalesce((o.roster->>'partial')::boolean, true)
      and o.roster->>'checksum' = n.roster->>'checksum' and o.plan->>'hash' = n.plan->>'hash'
      and o.plan->'counts' = n.plan->'counts'
    order by o.number desc`;
}

/** The run that took the place of a run in the end: of those that superseded each other, the newest. */
export async function supersededBy(db: Database, runId: string) {
  return rowOf<{ id: string; status: RunStatus }>(db)`
    with recursive chain as (
      select id, status, superseded_by, 0 as step from runs where id = ${runId}
      union all
      select n.id, n.status, n.superseded_by, c.step + 1 from chain c join runs n on n.id = c.superseded_by
    )
    select id, status from chain where step > 0 order by step desc limit 1`;
}

export interface HeldPart {
  people: number;
  /** Of these, people to whom nobody has given anything at the service, and so may be invited. */
  fresh: number;
}

/** How much of what a run holds an approval would send, as far as nothing newer is in its place. */
export async function countHeldPart(db: Database, runId: string, scope: ApprovalScope): Promise<HeldPart> {
  return heldPart(db, runId, isApproved(scope, await tripsOf(db, runId)));
}

/** How much of what a run holds each of its reasons stops, in their order. */
export async function heldByReason(db: Database, runId: string): Promise<HeldPart[]> {
  const parts: HeldPart[] = [];
  for (const trip of await tripsOf(db, runId)) parts.push(await heldPart(db, runId, isStopped([trip])));
  return parts;
}

/** How many people somebody has set free of what a run held; not those who were superseded or cancelled after all. */
export async function countSetFree(db: Database, runId: string): Promise<number> {
  const trips = await tripsOf(db, runId);
  if (trips.length === 0) return 0;
  return countOf(db)`
    select count(*) as count from deliveries d join members m on m.run_id = d.run_id and m.person_key = d.person_key
    where d.run_id = ${runId} and d.state <> 'held' and coalesce(d.outcome, '') not in ('superseded', 'cancelled')
      and ${isStopped(trips)}`;
}

async function tripsOf(db: Database, runId: string) {
  const row = await rowOf<Pick<Run, 'trips'>>(db)`select trips from runs where id = ${runId}`;
  return row?.trips ?? [];
}

async function heldPart(db: Database, runId: string, isMeant: RawBuilder<boolean>): Promise<HeldPart> {
  return theRow<HeldPart>(db)`
    select count(*) as people, count(*) filter (where d.action in ('new', 'again') and not exists (
      select 1 from people p where p.service = d.service and p.person_key = d.person_key and p.fingerprint is not null)) as fresh
    from ${heldOf(runId)} join members m on m.run_id = d.run_id and m.person_key = d.person_key where ${isMeant}`;
}
