// Finds who departed, and applies the source's policy for them.
import { sql } from 'kysely';
import { fingerprint, personKey } from '../../core/person/member.ts';
import type { Departures } from '../../core/run/run.ts';
import {
  type Database,
  isThere,
  type KeyRange,
  rowsOf,
  toJson,
  rowOf,
  keyRanges,
  rangesOf,
  rowsInRange,
  valuesOf,
} from '../database/database.ts';
import { isCalled } from '../moves/feed.ts';
import { isOfLeaver, isStillThere, leaverMark, settleLeftBehind } from '../people/left-behind.ts';
import type { RunOfSource } from '../runs/runs.ts';
import { isElsewhere } from './elsewhere.ts';
import { isAbsent, isUnlisted, listedOfOthers, notAbsent, toldSince, unlisted } from './absent.ts';

/** What is done about people who left. */
export interface DeparturePolicy {
  /** The group they are put into. */
  group: string;
  /** Whether that is the only group they keep. */
  forceSync: boolean;
  /** After how many rosters in a row that lack them. */
  after: number;
}

/** A run whose roster may say who left. */
export interface DepartureQuestion extends RunOfSource {
  /** Whether the roster is complete, so that people missing from it have left. */
  isSnapshot: boolean;
  /** Keys or employee ids, in lower case, of people who are never sent: nothing is done about them. */
  spared: readonly string[];
  policy?: DeparturePolicy;
}

/** Somebody whose row says that they left. */
export interface LeaverRow {
  key?: string;
  employeeId?: string;
}

/**
 * Whether the roster of a run ends no day of grace: one that was counted before, read again, or of the same night as one that was,
 * since a schedule may read several times a night.
 */
const isReadAgain = (runId: string) => sql<boolean>`exists (
  select 1 from runs own join runs former on former.service = own.service and former.source = own.source
  where own.id = ${runId} and former.id <> own.id and former.missing_noted and former.snapshot
    and ((former.roster->>'checksum' = own.roster->>'checksum' and former.roster->>'time' = own.roster->>'time')
      or (former.roster->>'readAgain' is null and (own.roster->>'time')::timestamptz - (former.roster->>'time')::timestamptz
        between interval '-20 hours' and interval '20 hours')))`;

/** Whether the roster in which person `p` was first missing is of the same night as that of a run. */
const isOfFirstNight = (runId: string) => sql<boolean>`exists (
  select 1 from runs own join runs former on former.service = own.service and former.source = own.source
  join departures d on d.run_id = former.id and d.person_key = p.person_key and d.is_fresh
  where own.id = ${runId} and former.id <> own.id and former.missing_noted
    and (own.roster->>'time')::timestamptz - (former.roster->>'time')::timestamptz
      between interval '-20 hours' and interval '20 hours')`;

/** How many rosters in a row lack person `p` more by the one of a run. */
const countsFor = (runId: string) =>
  sql<number>`case when p.missing_runs > 0 and (${isReadAgain(runId)} or ${isOfFirstNight(runId)}) then 0 else 1 end`;

/** The number of people planned at a time. */
const page = rowsInRange;
/** For each number of them everybody who is listed is read. */
const leaversAtOnce = 10_000;

/**
 * Keeps who left by their own rows, as far as this source gave them anything. Somebody whose address it never gave anything,
 * since HR has overwritten it, is known by the employee id, unless several people have it; with another employee id, the address
 * is a successor's.
 */
export async function stageLeavers(
  db: Database,
  { runId, service, source }: RunOfSource,
  rows: readonly LeaverRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const given = sql`people p where p.service = ${service} and p.source = ${source} and p.fingerprint is not null`;
  await sql`
    with l as materialized (select distinct * from jsonb_to_recordset(${toJson(rows)}::jsonb) as l (key text, "employeeId" text)),
    of_one as materialized (
      select p.employee_id as id, min(p.person_key) as key from ${given} and p.employee_id in (select "employeeId" from l)
      group by 1 having count(*) = 1)
    insert into departures (run_id, person_key, by_row, is_fresh)
    select distinct ${runId}, p.person_key, true, p.missing_runs = 0
    from (
      select l.key, l."employeeId" as id from l
      union select o.key, o.id from l join of_one o on o.id = l."employeeId"
        where not exists (select 1 from ${given} and p.person_key = l.key)) who
    join people p on p.service = ${service} and p.source = ${source} and p.fingerprint is not null
      and p.person_key = who.key and coalesce(p.employee_id = who.id, true)
    on conflict do nothing`.execute(db);
}

/**
 * Finds who left, and plans what is done about it: members whose action is `departed`. Returns the counts. Somebody who is
 * in the roster, also on a rejected row, or in a newer event, has not left, whatever another row says.
 */
export async function planDepartures(db: Database, question: DepartureQuestion): Promise<Departures> {
  const { runId, service, source, isSnapshot, spared, policy } = question;
  await sql`update runs set snapshot = ${isSnapshot} where id = ${runId}`.execute(db);
  await sql`
    delete from departures d where d.run_id = ${runId} and exists (
      select 1 from members m where m.run_id = d.run_id and m.person_key = d.person_key
      union all select 1 from rejects j where j.run_id = d.run_id and j.person_key = d.person_key
      union all select 1 from (${toldSince(runId)}) t where t.person_key = d.person_key)`.execute(db);
  if (isSnapshot) {
    await sql`
      with ${notAbsent(runId)}, ${unlisted(question)}
      insert into departures (run_id, person_key, by_row, is_fresh)
      select ${runId}, p.person_key, false, true from unlisted p where ${isAbsent(runId, spared)}
      on conflict do nothing`.execute(db);
  }
  const sent = policy ? await planLeavers(db, question, policy) : { sent: 0, overdue: 0 };
  const isPlanned = sql`exists (select 1 from members m where m.run_id = ${runId} and m.person_key = p.person_key)`;
  const isMoved = policy
    ? sql<boolean>`(not ${isDone(policy)} and ${isElsewhere(service, source, policy.after)})`
    : sql<boolean>`false`;
  const row = await rowOf<Record<'fresh' | 'left' | 'waiting' | 'elsewhere', number>>(db)`
    with ${notAbsent(runId)}
    select (select count(*) from departures d join people p on p.service = ${service} and p.source = ${source}
        and p.person_key = d.person_key
        where d.run_id = ${runId} and d.is_fresh and not ${policy ? isDone(policy) : sql`false`}) as fresh,
      count(*) filter (where not ${isOut(policy)} and not ${hasNothing} and not ${isMoved}) as "left",
      ${policy ? sql`count(*) filter (where not ${isDone(policy)} and not ${isPlanned} and not ${isMoved})` : sql`0`} as waiting,
      count(*) filter (where ${isMoved} and not ${hasNothing}) as elsewhere
    from people p
    where p.service = ${service} and p.source = ${source} and p.fingerprint is not null
      and (p.missing_runs > 0 or exists (select 1 from departures d where d.run_id = ${runId} and d.person_key = p.person_key))
      and ${isAbsent(runId, spared)}`;
  const { fresh = 0, left = 0, waiting = 0, elsewhere = 0 } = row ?? {};
  // Somebody who was counted when first missing is not counted again when their grace period ends.
  return {
    departed: fresh + sent.overdue,
    left,
    sent: sent.sent,
    waiting,
    ...(elsewhere > 0 && { elsewhere }),
    ...(policy?.forceSync && sent.sent > 0 && { forceSync: true }),
  };
}

/** Whether person `p` was put into the group of leavers by a call that took them out of every other one. */
const isOut = (policy: DeparturePolicy | undefined) =>
  policy
    ? sql<boolean>`coalesce(p.groups = ${JSON.stringify([policy.group])}::jsonb and p.force_sync, false)`
    : sql<boolean>`false`;

/** Whether somebody said about all that person `p` had that it was taken out by hand. */
const hasNothing = sql<boolean>`(p.groups = '[]' and not exists (
  select 1 from left_behind l where l.service = p.service and l.person_key = p.person_key and ${isStillThere}))`;

/** Whether what a policy says was done about person `p`. */
const isDone = (policy: DeparturePolicy) =>
  sql<boolean>`(p.last_outcome = 'succeeded' and not ${isCalled(sql`p.service`, sql`p.source`, sql`p.person_key`)}
    and (${isOut(policy)} or (not ${policy.forceSync}::boolean and p.groups ? ${policy.group}::text)))`;

interface Leaver {
  personKey: string;
  firstname: string;
  lastname: string;
  email: string;
  telephone: string | null;
  employeeId: string | null;
  isOverdue: boolean;
}

/** Puts those whose grace is over, or whose row says so, into the group of leavers. */
async function planLeavers(
  db: Database,
  { runId, service, source, isSnapshot, spared }: DepartureQuestion,
  policy: DeparturePolicy,
): Promise<{ sent: number; overdue: number }> {
  let [after, sent, overdue] = ['', 0, 0];
  for (;;) {
    const rows = await rowsOf<Leaver>(db)`
      with ${notAbsent(runId)}
      select p.person_key, p.firstname, p.lastname, p.email, p.telephone, p.employee_id,
        d.is_fresh is not true and p.missing_runs >= ${policy.after}
          and coalesce(p.last_outcome, 'succeeded') = 'succeeded' as "isOverdue"
      from people p left join departures d on d.run_id = ${runId} and d.person_key = p.person_key
      where p.service = ${service} and p.source = ${source} and p.person_key > ${after} and p.fingerprint is not null
        and (d.by_row or (${isSnapshot}::boolean and (d.is_fresh or p.missing_runs > 0) and p.missing_runs + ${countsFor(runId)} >= ${policy.after}))
        and not ${isDone(policy)} and not ${isElsewhere(service, source, policy.after)}
        and ${isAbsent(runId, spared)}
      order by p.person_key limit ${page}`;
    const last = rows.at(-1);
    if (last === undefined) return { sent, overdue };
    await insertLeavers(db, runId, rows, policy);
    after = last.personKey;
    sent += rows.length;
    overdue += rows.filter(({ isOverdue }) => isOverdue).length;
  }
}

/** Which of these keys are of people whom a planned run puts among the leavers. */
export async function leaversAmong(db: Database, runId: string, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  return valuesOf<string>(db)`
    select person_key from members
    where run_id = ${runId} and action = 'departed' and person_key in (select unnest(${keys}::text[]))`;
}

async function insertLeavers(
  db: Database,
  runId: string,
  people: readonly Leaver[],
  { group, forceSync }: DeparturePolicy,
): Promise<void> {
  const rows = people.map(({ personKey: key, firstname, lastname, email, telephone, employeeId }) => {
    // The address as it was sent, unless the account was renamed at the service since.
    const address = personKey(email) === key ? email : key;
    const member = { firstname, lastname, email: address, ...(telephone !== null && { telephone }), groups: [group] };
    return { ...member, key, employee_id: employeeId, fingerprint: leaverMark + fingerprint(member, forceSync) };
  });
  await sql`
    insert into members (run_id, person_key, file, lines, firstname, lastname, email, telephone, groups, employee_id,
      fingerprint, action, force_sync)
    select ${runId}, key, '', '[]', firstname, lastname, email, telephone, groups, employee_id, fingerprint, 'departed',
      ${forceSync}::boolean
    from jsonb_to_recordset(${toJson(rows)}::jsonb) as row (key text, firstname text, lastname text, email text,
      telephone text, groups jsonb, employee_id text, fingerprint text)`.execute(db);
}

/**
 * A call with `forceSync` left them only the group of leavers, or may have; if they come back, by whatever brings them and whatever the policy
 * is by now, another such call takes them out.
 */
export async function bringBack(
  db: Database,
  { runId, service, source }: RunOfSource,
  isInRange: KeyRange,
): Promise<void> {
  await sql`
    update members m set force_sync = true
    where m.run_id = ${runId} and ${isInRange(sql`m.person_key`)} and m.action in ('changed', 'again') and (
      select (p.force_sync and ${isOfLeaver('p.fingerprint')} and not m.groups @> p.groups)
        or (p.last_outcome = 'unknown' and exists (
          select 1 from members w where w.run_id = p.last_run and w.person_key = p.person_key
            and w.force_sync and ${isOfLeaver('w.fingerprint')} and not m.groups @> w.groups))
      from people p where p.service = ${service} and p.source = ${source} and p.person_key = m.person_key)`.execute(db);
}

/**
 * Records once, after the release while its people are staged, what a roster says about people who are not sent: what they keep,
 * who is missing from it and who is back.
 */
export async function noteRoster(db: Database, runId: string): Promise<void> {
  const noted = await rowOf<{
    service: string;
    source: string;
    snapshot: boolean;
    isUndecided: boolean;
    isDoubted: boolean;
  }>(db)`
    update runs set missing_noted = true, roster = case when ${isReadAgain(runId)} then roster || '{"readAgain": true}' else roster end
    where id = ${runId} and not missing_noted and released_at is not null
    returning service, source, snapshot, ${isAsked} and not ${isDecided} as "isUndecided",
      coalesce(trips @> '[{"guard": "group", "scope": "all"}]', false) and not exists (
        select 1 from approvals a where a.run_id = runs.id and a.scope = '{}') as "isDoubted"`;
  if (noted === undefined) return noteApproved(db, runId);
  // Until somebody has approved all that a guard doubts of the groups, everybody has what they had: the next roster asks again.
  if (!noted.isDoubted)
    for (const isInRange of await keyRanges(db, runId)) await settleLeftBehind(db, runId, isInRange);
  const { service, source, snapshot } = noted;
  // A complete roster also has those who are on its rejected rows; it says nothing of people in newer events.
  const isBack = sql<boolean>`(exists (select 1 from members m
      where m.run_id = ${runId} and m.person_key = p.person_key and m.action <> 'departed')
    or (${snapshot} and not ${isAbsent(runId)} and not exists (select 1 from told_since t where t.person_key = p.person_key)))`;
  await sql`
    with ${notAbsent(runId)}
    update people p set missing_runs = 0, missing_since = null
    where p.service = ${service} and p.source = ${source} and p.missing_runs > 0 and ${isBack}`.execute(db);
  // While nobody has said that they have left, they count as there: the next roster asks again.
  if (noted.isUndecided) return;
  if (!snapshot && !(await isThere(db)`select 1 from departures where run_id = ${runId} limit 1`)) return;
  const left = sql<boolean>`exists (select 1 from departures d where d.run_id = ${runId} and d.person_key = p.person_key)`;
  const missing = snapshot ? sql<boolean>`(${isUnlisted} and ${isAbsent(runId)})` : left;
  // Who was missing from no roster before has departed by the plan.
  const others = sql`people p
    where p.service = ${service} and p.source = ${source} and p.fingerprint is not null and (p.missing_runs > 0 or ${left})`;
  for (const isInRange of await rangesOf(db, sql`p.person_key`, others, leaversAtOnce)) {
    await sql`
      with ${notAbsent(runId)}, others as materialized (select p.person_key as key from ${others} and ${isInRange(sql`p.person_key`)}),
        ${listedOfOthers(runId)}
      update people p set missing_runs = p.missing_runs + ${countsFor(runId)}, missing_since = coalesce(p.missing_since, clock_timestamp())
      from others where p.service = ${service} and p.source = ${source} and p.person_key = others.key and ${missing}`.execute(
      db,
    );
  }
  // Somebody who was never given everything does not count as departed, but may have been given a part.
  await sql`
    with ${notAbsent(runId)}, others as materialized (
      select l.person_key as key from left_behind l where l.service = ${service} and l.source = ${source} and l.since is null),
      ${listedOfOthers(runId)}
    update left_behind l set since = clock_timestamp(), since_run = ${runId}
    from people p
    where l.service = ${service} and l.source = ${source} and l.since is null and ${isStillThere}
      and p.service = l.service and p.source = l.source and p.person_key = l.person_key and p.fingerprint is null
      and ${missing}`.execute(db);
  await sql`delete from departures where run_id = ${runId} and not is_fresh`.execute(db);
}

/** Whether the guard of leavers has asked about those of a run, and whether somebody has approved all of them. */
const isAsked = sql<boolean>`coalesce(trips @> '[{"guard": "departed"}]', false)`;
const isDecided = sql<boolean>`exists (
  select 1 from approvals a where a.run_id = runs.id and not a.scope ?| array['exceptReasons', 'exceptGroups']
    and (not a.scope ? 'only' or a.scope->'only' ? 'departed'))`;

/** Counts those as missing about whom somebody was asked at the release of a run, and who are approved now: nobody asks again. */
async function noteApproved(db: Database, runId: string): Promise<void> {
  await sql`
    update people p set missing_runs = 1, missing_since = clock_timestamp()
    from runs join departures d on d.run_id = runs.id
    where runs.id = ${runId} and runs.missing_noted and ${isAsked} and ${isDecided} and d.is_fresh and p.service = runs.service
      and p.source = runs.source and p.person_key = d.person_key and p.missing_runs = 0
      and not exists (select 1 from (${toldSince(runId)}) t where t.person_key = p.person_key)`.execute(db);
}
