// Claim, begin, hand back: a worker takes a delivery, and with it the lane of its person.
import { sql } from 'kysely';
import type { Member } from '../../core/person/member.ts';
import type { RunSettings } from '../../core/run/run.ts';
import { type Database, rowsOf } from '../database/database.ts';
import { type FedDelivery, isUnclaimed, isMine, lanesOf } from './feed.ts';
import { isOfLeaver } from '../people/left-behind.ts';
import { supersedeOvertaken } from './supersede.ts';

/** The groups of a row; for member `m`, who has not left, without the group of leavers, which is the last one. */
const withoutLeavers = (row: 'p' | 'w') => sql`
  case when m.action <> 'departed' and ${isOfLeaver(`${row}.fingerprint`)} then ${sql.ref(`${row}.groups`)} - -1
    else coalesce(${sql.ref(`${row}.groups`)}, '[]') end`;

/**
 * By delivery, the groups that other sources than that of its run gave the person, or may have given where a call ended as `partial` or
 * `unknown`. Asked once their lanes are ours: a statement that waits for a lane does not see what was recorded when that became free.
 */
async function groupsOfOthers(db: Database, ids: readonly number[]): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await rowsOf<{ id: number; groups: string[] }>(db)`
    select c.id, jsonb_agg(distinct g) as groups
    from unnest(${ids}::bigint[]) as i (id)
    cross join lateral (select * from deliveries where id = i.id offset 0) c
    join runs r on r.id = c.run_id
    cross join lateral (select * from members where run_id = c.run_id and person_key = c.person_key offset 0) m
    cross join lateral (
      select * from people where service = c.service and person_key = c.person_key and source <> r.source offset 0) p
    left join lateral (select * from members where run_id = p.last_run and person_key = p.person_key offset 0) w
      on p.last_outcome in ('partial', 'unknown')
    cross join lateral jsonb_array_elements_text(${withoutLeavers('p')} || ${withoutLeavers('w')}) g
    group by c.id`;
  return new Map(rows.map(({ id, groups }) => [id, groups]));
}

/** A delivery in the hands of a worker: everything its call needs. */
export interface ClaimedDelivery {
  id: number;
  runId: string;
  attempts: number;
  /** Whether an earlier call of it may have arrived. */
  repeated: boolean;
  settings: RunSettings;
  /** As it will be sent; with `forceSync` its groups are united with what other sources gave this person, or may have. */
  member: Member;
}

interface ClaimedRow extends Omit<ClaimedDelivery, 'member' | 'settings'>, Omit<Member, 'telephone'> {
  /** Of its run, at the first delivery of it only: they are far the longest of it all. */
  settings: RunSettings | null;
  /** What is otherwise for this member. */
  forceSync: boolean | null;
  isDeparted: boolean;
  telephone: string | null;
}

/** That a delivery `d` of a run `r` may be called: it is due, and its stage of a canary release is open. */
const isOpen = sql<boolean>`(r.status = 'delivering' and d.state = 'due' and d.stage <= r.stage)`;

/**
 * Claims deliveries whose jobs a worker has. The lane (R3) is the key of `in_hand`: a person who is in somebody's hands
 * already, anybody's, is not claimed again; that delivery is due again a little later. What was fed differently since, or
 * is not to be sent any more, is left alone: somebody else has dealt with it. The rows of the deliveries are locked, so
 * that nobody supersedes one at the same moment. Asked again after the first answer was lost, it returns
 * the same. Returns the claimed ones only.
 */
export async function claimDeliveries(
  db: Database,
  worker: string,
  deliveries: readonly FedDelivery[],
): Promise<ClaimedDelivery[]> {
  // `offset 0` and the lateral joins: each is found by its id, however many others there are. In order, so that two
  // processes that claim the same people wait for each other and do not block each other.
  const inOrder = deliveries.toSorted((a, b) => a.id - b.id);
  const rows = await rowsOf<ClaimedRow>(db)`
    with wanted as (
      select d.id, d.service, d.person_key, d.run_id, d.attempts, d.repeated, d.calls
      from jsonb_to_recordset(${JSON.stringify(inOrder)}::jsonb) as w (id bigint, feeds integer)
      cross join lateral (select * from deliveries where id = w.id for no key update) d
      join runs r on r.id = d.run_id
      where d.feeds = w.feeds and ${isOpen}
    ), claimed as (
      insert into in_hand (service, person_key, delivery_id, run_id, worker, call)
      select distinct on (service, person_key) service, person_key, id, run_id, ${worker}, calls + 1 from wanted
      order by service, person_key, id
      on conflict (service, person_key) do update set worker = excluded.worker
        where in_hand.delivery_id = excluded.delivery_id and in_hand.worker = excluded.worker and in_hand.called_at is null
      returning delivery_id
    )
    select c.id, c.run_id, c.attempts, c.repeated, m.firstname, m.lastname, m.email, m.telephone, m.groups,
      case when row_number() over (partition by c.run_id) = 1 then r.settings end as settings,
      m.force_sync, m.action = 'departed' as is_departed
    from wanted c
    join runs r on r.id = c.run_id
    cross join lateral (select * from members where run_id = c.run_id and person_key = c.person_key offset 0) m
    where c.id in (select delivery_id from claimed)`;
  if (rows.length < deliveries.length) {
    const had = new Set(rows.map(({ id }) => id));
    await putOff(
      db,
      inOrder.filter(({ id }) => !had.has(id)),
    );
  }
  const settings = new Map(rows.flatMap((row) => (row.settings === null ? [] : [[row.runId, row.settings]])));
  const claimed = rows.map((row) => ({ row, settings: settingsOf(row, settings.get(row.runId)) }));
  const forced = claimed.flatMap(({ row, settings: { forceSync } }) => (forceSync ? [row.id] : []));
  const others = await groupsOfOthers(db, forced);
  return claimed.map(({ row, settings: own }) => ({
    id: row.id,
    runId: row.runId,
    attempts: row.attempts,
    repeated: row.repeated,
    settings: own,
    member: memberOf(row, others.get(row.id)),
  }));
}

function settingsOf({ runId, forceSync, isDeparted }: ClaimedRow, run: RunSettings | undefined): RunSettings {
  if (run === undefined) throw new Error(`the settings of run ${runId} are missing`);
  return { ...run, forceSync: forceSync ?? run.forceSync, invite: run.invite && !isDeparted };
}

function memberOf(
  { firstname, lastname, email, telephone, groups }: ClaimedRow,
  others: readonly string[] = [],
): Member {
  return {
    firstname,
    lastname,
    email,
    ...(telephone === null ? {} : { telephone }),
    groups: [...new Set([...groups, ...others])],
  };
}

/** Whose lane is taken comes back in a second; who is in somebody's hands already is left there. */
async function putOff(db: Database, deliveries: readonly FedDelivery[]): Promise<void> {
  const ids = deliveries.map(({ id }) => id);
  await sql`
    update deliveries d set feeds = d.feeds + 1, due_at = clock_timestamp() + interval '1 second'
    from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as w (id bigint, feeds integer)
    cross join lateral (select run_id from deliveries where id = w.id offset 0) own
    join runs r on r.id = own.run_id
    where d.id = any (${ids}::bigint[]) and d.id = w.id and d.feeds = w.feeds and ${isOpen}
      and ${isUnclaimed}`.execute(db);
}

/**
 * Still ours, and the run still delivers? Returns those that may be called, with the number of the call; asking twice
 * changes nothing.
 */
export async function beginCalls(db: Database, worker: string, ids: readonly number[]) {
  return rowsOf<{ id: number; call: number }>(db)`
    update in_hand h set called_at = clock_timestamp()
    from ${lanesOf(sql`(select unnest(${ids}::bigint[]) as id)`)} mine
    where ${isMine(worker)}
      and exists (select 1 from runs r where r.id = h.run_id and r.status = 'delivering' offset 0)
    returning h.delivery_id as id, h.call`;
}

export async function handBack(
  db: Database,
  worker: string,
  handed: readonly { id: number; waitMs: number }[],
): Promise<void> {
  const inOrder = handed.toSorted((a, b) => a.id - b.id);
  const ids = inOrder.map(({ id }) => id);
  await sql`
    with handed as (
      select * from jsonb_to_recordset(${JSON.stringify(inOrder)}::jsonb) as h (id bigint, "waitMs" double precision)
    ), given as (
      delete from in_hand h using ${lanesOf(sql`handed`, { locked: true })} mine
      where ${isMine(worker)} returning h.delivery_id as id
    )
    update deliveries d
    set feeds = d.feeds + 1, due_at = clock_timestamp() + h."waitMs" * interval '1 millisecond'
    from given g join handed h on h.id = g.id
    where d.id = any (${ids}::bigint[]) and d.id = g.id and d.state = 'due'`.execute(db);
  await supersedeOvertaken(db, ids);
}
