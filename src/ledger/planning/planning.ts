// Compares staged members with what was last delivered, and returns the plan.
import { sql } from 'kysely';
import { defined } from '../../core/defined.ts';
import type { Member } from '../../core/person/member.ts';
import type { Action, PlanCounts, RunPlan } from '../../core/run/run.ts';
import {
  type Database,
  rowsOf,
  theRow,
  changed,
  type KeyRange,
  keyRanges,
  sumOver,
  toJson,
  valuesOf,
} from '../database/database.ts';
import { bringBack, type DepartureQuestion, planDepartures } from './departed.ts';
import { postpone, type PostponeQuestion } from './invitations.ts';
import { hasSomeRows, isOfLeaver, keptByPlan, unitedMark } from '../people/left-behind.ts';
import { isCalled } from '../moves/feed.ts';
import { isSent } from '../runs/holds.ts';
import { memberOf, place } from './staging.ts';
import type { RunOfSource } from '../runs/runs.ts';
import { analyzeIfGrown, analyzePeopleIfGrown } from '../database/vacuum.ts';
import { keysMoved, leaveOutLeaving, stillTells } from './absent.ts';
import { listedCount } from './unchanged-people.ts';

/** What decides who is sent. */
export interface PlanQuestion extends RunOfSource {
  forceSync: boolean;
  invite: boolean;
  /** Send the unchanged too. */
  all: boolean;
  /** Send also the unchanged who were last given something longer ago than this. */
  refreshMs?: number;
  /** Of how many rosters in a row somebody is missing who may have been taken out by hand; 1 unless said. */
  grace?: number;
  /** Who is put off; absent if nobody can be. */
  postpone?: Pick<PostponeQuestion, 'today' | 'budget'>;
  /** The kinds of events since the time of the roster that say that somebody leaves, or does not come; absent where none came. */
  leaving?: readonly string[] | undefined;
  /** First and last names on rejected rows without an address, and whether there are such rows that may be anybody's. */
  unowned?: { names: readonly (readonly [first: string, last: string])[]; isAnybodys: boolean };
  /** Absent where the roster cannot tell who left. */
  departures?: Pick<DepartureQuestion, 'isSnapshot' | 'spared' | 'policy'>;
}

/**
 * Compares the members of a run with what this source last gave them successfully at this service, and
 * records the action of those who are not unchanged, as everybody is staged. Without `forceSync` a person whose groups only shrank is unchanged:
 * the interface cannot remove. Not so one who comes back, or who gets back a group: that they still have it is only what we believe,
 * since somebody may have taken them out by hand. Who was missing for less than the grace was not away.
 *
 * Each member is looked up by its key, and written where it lies: a database that does not know yet how many people a run has would
 * compare each with all.
 */
async function classify(
  db: Database,
  { runId, source, service, forceSync, refreshMs, grace = 1 }: PlanQuestion,
  isInRange: KeyRange,
): Promise<void> {
  const wasAway = sql`(own.missing_runs >= ${grace})`;
  const hasLess = sql`(not ${forceSync}::boolean and not ${isOfLeaver('own.fingerprint')} and not ${wasAway} and own.groups @> m.groups
    and (own.firstname, own.lastname, own.email, own.telephone) is not distinct from (m.firstname, m.lastname, m.email, m.telephone))`;
  await sql`
    update members m
    set action = c.action, left_behind = c.left_behind, resend = c.resend
    from (
      select m.ctid as place,
        case
          when own.last_outcome in ('partial', 'failed', 'unknown') or ${isCalled(sql`${service}`, sql`${source}`, sql`m.person_key`)} then 'again'
          when own.fingerprint = m.fingerprint and not ${wasAway} then 'unchanged'
          when own.fingerprint is null and not exists (
            select 1 from people p where p.service = ${service} and p.person_key = m.person_key and p.fingerprint is not null
          ) then 'new'
          when ${hasLess} then 'unchanged'
          else 'changed'
        end as action,
        coalesce(own.fingerprint <> m.fingerprint and ${hasLess} and not m.groups @> own.groups, false) as left_behind,
        coalesce(own.given_at < clock_timestamp() - ${refreshMs ?? null}::double precision * interval '1 millisecond', false) as resend
      from members m
      left join lateral (
        select * from people p where p.service = ${service} and p.source = ${source} and p.person_key = m.person_key limit 1
      ) own on true
      where m.run_id = ${runId} and ${isInRange(sql`m.person_key`)}
    ) c
    where m.ctid = c.place
      and (m.action, m.left_behind, m.resend) is distinct from (c.action, c.left_behind, c.resend)`.execute(db);
}

/**
 * With `forceSync` a call may take the person out of every group it does not name. A file of rejects, an export of
 * nothing but changes, a roster of which rows may be lost, and one with a rejected row that may be theirs, hold only some of a
 * person's rows: what the others gave is united with them, but not what somebody was given as one who left.
 */
async function keepWhatOtherRowsGave(db: Database, question: PlanQuestion): Promise<void> {
  const { runId, source, service, unowned: { names, isAnybodys } = { names: [], isAnybodys: false } } = question;
  const isNamed = sql`(split_part(lower(m.firstname), ' ', 1), split_part(lower(m.lastname), ' ', -1)) in (
    select split_part(lower(n->>0), ' ', 1), split_part(lower(n->>1), ' ', -1) from jsonb_array_elements(${toJson(names)}::jsonb) n)`;
  await sql`
    update members m
    set groups = m.groups || (select coalesce(jsonb_agg(g), '[]') from jsonb_array_elements(own.groups) g where not m.groups @> g),
      fingerprint = ${unitedMark} || m.fingerprint
    from people own, runs r
    where m.run_id = ${runId} and r.id = m.run_id
      and ((r.roster->'form'->>'isPartial')::boolean or ${isAnybodys} or ${names.length > 0 ? isNamed : sql`false`} or ${hasSomeRows})
      and own.service = ${service} and own.source = ${source} and own.person_key = m.person_key
      and own.groups is not null and not m.groups @> own.groups and ${isOfLeaver('own.fingerprint')} is not true`.execute(
    db,
  );
}

/** The runs of events that came since the time of the roster of a run. */
async function newerEvents(db: Database, { runId, source, service }: PlanQuestion): Promise<string[]> {
  return valuesOf<string>(db)`
    select newer.id from runs newer, runs r
    where r.id = ${runId} and not r.beside and newer.beside and newer.service = ${service} and newer.source = ${source}
      and newer.released_at is not null and (newer.roster->>'time')::timestamptz > (r.roster->>'time')::timestamptz`;
}

/** Whom a newer event has put off is sent once they may be, and as it says; a source without first days and limits puts nobody off. */
async function sayAsEvents(db: Database, { runId, postpone }: PlanQuestion, newer: readonly string[]): Promise<void> {
  if (!postpone || newer.length === 0) return;
  await sql`
    update members m set (firstname, lastname, email, telephone, groups, employee_id, starts_on, fingerprint)
      = (e.firstname, e.lastname, e.email, e.telephone, e.groups, coalesce(e.employee_id, m.employee_id), e.starts_on, e.fingerprint)
    from (
      select distinct on (t.person_key) t.* from members t join runs r on r.id = t.run_id and r.status <> 'cancelled'
      where t.run_id in (select unnest(${newer}::text[])) order by t.person_key, (r.roster->>'time')::timestamptz desc
    ) e
    where m.run_id = ${runId} and e.person_key = m.person_key and e.action = 'later'`.execute(db);
}

/**
 * Time does not run backwards for a person (R13): of whom an event has told since the time of this roster, it says nothing
 * new, whatever is in it. They count as unchanged, also while what the event told is still to be sent; where the unchanged are sent too,
 * they wait for a newer roster. So does who has another address by then.
 */
async function leaveToNewerEvents(
  db: Database,
  { runId, postpone, all }: PlanQuestion,
  newer: readonly string[],
): Promise<void> {
  if (newer.length === 0) return;
  await sql`
    update members m set action = ${all ? 'later' : 'unchanged'}, left_behind = false, resend = false
    where m.run_id = ${runId} and (m.action <> 'unchanged' or m.resend or ${all}::boolean) and exists (
      select 1 from members e join runs newer on newer.id = e.run_id
      left join deliveries d on d.run_id = e.run_id and d.person_key = e.person_key
      where e.person_key = m.person_key and e.run_id in (select unnest(${newer}::text[])) and ${stillTells(sql`e.person_key`)}
        and (e.action is distinct from 'later' or not ${postpone !== undefined}::boolean)
        and (d.outcome is null or d.outcome = 'succeeded'))`.execute(db);
  const moved = await keysMoved(db, runId, newer);
  await sql`
    update members set action = 'later' where run_id = ${runId} and person_key = any (${moved}::text[])`.execute(db);
}

/** Plans a run: gives every staged member an action and returns the plan as a value. */
export async function planRun(db: Database, question: PlanQuestion): Promise<RunPlan> {
  const { runId, all, invite } = question;
  const { members, listed } = await theRow<{ members: number; listed: number }>(db)`
    select (select count(*) from members where run_id = ${runId}) as members, ${listedCount(runId)} as listed`;
  const isGrown = await analyzeIfGrown(db, 'members', members);
  await analyzePeopleIfGrown(db);
  const newer = await newerEvents(db, question);
  await sayAsEvents(db, question, newer);
  if (question.forceSync) await keepWhatOtherRowsGave(db, question);
  const ranges = await keyRanges(db, runId);
  for (const range of ranges) await classify(db, question, range);
  await leaveToNewerEvents(db, question, newer);
  if (question.postpone) await postpone(db, { ...question, ...question.postpone });
  if (question.leaving) await leaveOutLeaving(db, runId, question.leaving);
  // All were unchanged so far.
  if (isGrown) await sql`analyze members (action)`.execute(db);
  const departures = question.departures && (await planDepartures(db, { ...question, ...question.departures }));
  for (const range of ranges) await bringBack(db, question, range);
  const kept = await keptByPlan(db, question, ranges);
  const of = (action: Action) => sql`count(*) filter (where action = ${sql.lit(action)})`;
  const counted = await sumOver(
    db,
    ranges,
    (isInRange) => sql<Record<'new' | 'changed' | 'again' | 'unchanged' | 'later' | 'resent' | 'unknownHere', number>>`
      select ${of('new')} as new, ${of('changed')} as changed, ${of('again')} as again, ${of('unchanged')} as unchanged,
        ${of('later')} as later, count(*) filter (where action = 'unchanged' and resend) as resent,
        count(*) filter (where action in ('new', 'again') and not exists (
          select 1 from people p where p.service = ${question.service} and p.person_key = members.person_key and p.fingerprint is not null
        )) as "unknownHere"
      from members where run_id = ${runId} and ${isInRange(sql`person_key`)}`,
  );
  const { resent, unknownHere, ...byAction } = counted;
  const counts: PlanCounts = {
    ...byAction,
    unchanged: byAction.unchanged + listed,
    departed: departures?.departed ?? 0,
    leftBehind: kept.people,
    ...(kept.groups > 0 && { leftBehindGroups: kept.groups }),
  };
  const again = all ? counts.unchanged : resent;
  return {
    counts,
    calls: counts.new + counts.changed + counts.again + again + (departures?.sent ?? 0),
    possibleInvitations: invite ? unknownHere : 0,
    groups: await groupsSent(db, question, ranges),
    ...defined({ departures }),
  };
}

/** How many people a plan sends to each group, the most first. */
async function groupsSent(db: Database, { runId, all }: PlanQuestion, ranges: readonly KeyRange[]) {
  const people = new Map<string, number>();
  for (const isInRange of ranges) {
    const rows = await rowsOf<{ group: string; adds: number }>(db)`
      select "group", count(*) as adds from members m, jsonb_array_elements_text(m.groups) as "group"
      where m.run_id = ${runId} and ${isInRange(sql`m.person_key`)} and ${isSent(all)} group by 1`;
    for (const { group, adds } of rows) people.set(group, (people.get(group) ?? 0) + adds);
  }
  const groups = [...people].map(([group, adds]) => ({ group, adds }));
  return groups.toSorted((a, b) => b.adds - a.adds || (a.group < b.group ? -1 : 1));
}

/** The first few people of a run as they would be sent. */
export async function sampleMembers(db: Database, runId: string, all: boolean, limit: number): Promise<Member[]> {
  return valuesOf<Member>(db)`
    select ${memberOf('m')} from (
      select * from members m where run_id = ${runId} and ${isSent(all)} order by ${place} limit ${limit}
    ) m order by ${place}`;
}

/** Keeps only the people of these keys in a run that is being planned, also of those whose rows say that they left. */
export async function narrowTo(db: Database, runId: string, keys: readonly string[]): Promise<number> {
  const isOther = sql<boolean>`run_id = ${runId} and person_key <> all (${keys}::text[])`;
  const removed = await changed(db)`delete from members where ${isOther}`;
  await sql`delete from departures where ${isOther}`.execute(db);
  return removed;
}

/** Which of these keys the run does not hold. */
export async function keysMissing(db: Database, runId: string, keys: readonly string[]): Promise<string[]> {
  return valuesOf<string>(db)`
    select key from unnest(${keys}::text[]) as k (key)
    where not exists (select 1 from members where run_id = ${runId} and person_key = key)`;
}
