// Claims deliveries, takes the last look, writes receipts, hands back.
import { type RawBuilder, sql } from 'kysely';
import type { Answer } from '../../core/call/answer.ts';
import type { Member } from '../../core/person/member.ts';
import type { Outcome } from '../../core/call/outcome.ts';
import type { RunSettings } from '../../core/run/run.ts';
import type { Database } from '../database/database.ts';
import type { FedDelivery } from './feeding.ts';
import { toJson } from '../database/json.ts';
import { isOfLeaver } from '../planning/leaver-mark.ts';
import { isOfRejects, leftByAnswers } from '../people/left-behind.ts';
import { supersedeOvertaken } from './overtaken-by-newer.ts';

/** A delivery in the hands of a worker: everything its call needs. */
export interface ClaimedDelivery {
  id: number;
  runId: string;
  attempts: number;
  settings: RunSettings;
  /** As it will be sent; with `forceSync` its groups are united with what other sources gave this person, or may have. */
  member: Member;
}

interface ClaimedRow extends Omit<ClaimedDelivery, 'member'> {
  firstname: string;
  lastname: string;
  email: string;
  telephone: string | null;
  groups: string[];
  /** Groups that other sources gave this person, or may have given; null without `forceSync`. */
  others: string[] | null;
}

/*
 * What is asked here for every call finds its few rows by their ids, however many others there are and whatever the
 * planner believes of them: `offset 0` keeps it from joining the other way round, and conditions are written so that
 * none of the small indexes (of what is queued, of what is claimed) seems to fit: they are full of dead entries.
 */

/** Whether a delivery `d` is claimed by a worker; only claimed ones have an owner. */
function heldBy(worker: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(d.claimed_by, '') = ${worker}`;
}

/**
 * Claims queued deliveries for a worker. The lane (R3): a person who is claimed already, by anyone, is not
 * claimed again; that delivery, and those of runs that no longer deliver, go back to the ledger as due. What was
 * queued differently or is no longer queued is left alone: somebody else has dealt with it. Asked again after the
 * answer to the first time was lost, it returns the same. Returns the claimed ones only.
 */
export async function claimDeliveries(
  db: Database,
  worker: string,
  deliveries: readonly FedDelivery[],
): Promise<ClaimedDelivery[]> {
  const claimed = await claimTogether(db, worker, deliveries).catch(async (error: unknown) => {
    if (!isLaneTaken(error) && !isDeadlock(error)) throw error;
    // Another process is claiming some of these people right now: claim one by one to see which.
    const one: ClaimedDelivery[] = [];
    for (const delivery of deliveries) {
      one.push(
        ...(await claimTogether(db, worker, [delivery]).catch((again: unknown) =>
          isLaneTaken(again) ? [] : Promise.reject(again as Error),
        )),
      );
    }
    return one;
  });
  if (claimed.length < deliveries.length) {
    const had = new Set(claimed.map(({ id }) => id));
    await giveBack(
      db,
      deliveries.filter(({ id }) => !had.has(id)),
    );
  }
  return claimed;
}

function isLaneTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'deliveries_lane';
}

/** Two processes may claim the same people in different orders: claiming one person at a time avoids a deadlock. */
function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40P01';
}

async function claimTogether(
  db: Database,
  worker: string,
  deliveries: readonly FedDelivery[],
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedRow>`
    with candidate as (
      select distinct on (d.service, d.person_key) d.id
      from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as w (id bigint, feeds integer)
      cross join lateral (select * from deliveries where id = w.id offset 0) d
      join runs r on r.id = d.run_id
      where d.feeds = w.feeds and r.status = 'delivering'
        and (d.state = 'queued' or (${heldBy(worker)} and d.called_at is null))
        and not exists (
          select 1 from deliveries o
          where o.service = d.service and o.person_key = d.person_key and o.claimed_by is not null and o.id <> d.id offset 0
        )
      order by d.service, d.person_key, d.id
    ), claimed as (
      update deliveries d set state = 'claimed', claimed_by = ${worker}
      from candidate c where d.id = c.id and d.state not in ('due', 'done') and coalesce(d.claimed_by, ${worker}) = ${worker}
      returning d.id, d.run_id, d.service, d.person_key, d.attempts
    )
    select c.id, c.run_id as "runId", c.attempts, m.firstname, m.lastname, m.email, m.telephone, m.groups,
      r.settings || jsonb_strip_nulls(jsonb_build_object('forceSync', m.force_sync,
        'invite', case when m.action = 'departed' then false end)) as settings,
      case when coalesce(m.force_sync, (r.settings->>'forceSync')::boolean) then (
        select jsonb_agg(distinct g) from people p
        left join members w on p.last_outcome in ('partial', 'unknown') and w.run_id = p.last_run and w.person_key = p.person_key
        cross join lateral jsonb_array_elements_text(coalesce(p.groups, '[]') || coalesce(w.groups, '[]')) g
        where p.service = c.service and p.person_key = c.person_key and p.source <> r.source
      ) end as others
    from claimed c
    join runs r on r.id = c.run_id
    join members m on m.run_id = c.run_id and m.person_key = c.person_key`.execute(db);
  return rows.map(({ id, runId, attempts, settings, firstname, lastname, email, telephone, groups, others }) => ({
    id,
    runId,
    attempts,
    settings,
    member: {
      firstname,
      lastname,
      email,
      ...(telephone === null ? {} : { telephone }),
      groups: [...new Set([...groups, ...(others ?? [])])],
    },
  }));
}

async function giveBack(db: Database, deliveries: readonly FedDelivery[]): Promise<void> {
  await sql`
    update deliveries d set state = 'due', due_at = clock_timestamp() + interval '1 second'
    from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as w (id bigint, feeds integer)
    where d.id = w.id and d.feeds = w.feeds and d.state = 'queued'`.execute(db);
}

/**
 * The last look before the request is written: still ours, and the run still delivers? From here on the call
 * counts as in flight. Returns those that may be called, with the number of the call; asking twice changes nothing.
 */
export async function beginCalls(
  db: Database,
  worker: string,
  ids: readonly number[],
): Promise<{ id: number; call: number }[]> {
  const { rows } = await sql<{ id: number; call: number }>`
    update deliveries d set called_at = clock_timestamp()
    where d.id = any (${ids}::bigint[]) and ${heldBy(worker)}
      and exists (select 1 from runs r where r.id = d.run_id and r.status = 'delivering' offset 0)
    returning d.id, d.calls + 1 as call`.execute(db);
  return rows;
}

/** Hands deliveries that were claimed but not called back to the ledger, due after `waitMs`. */
export async function handBack(
  db: Database,
  worker: string,
  handed: readonly { id: number; waitMs: number }[],
): Promise<void> {
  await sql`
    update deliveries d
    set state = 'due', claimed_by = null, called_at = null, due_at = clock_timestamp() + h."waitMs" * interval '1 millisecond'
    from jsonb_to_recordset(${JSON.stringify(handed)}::jsonb) as h (id bigint, "waitMs" double precision)
    where d.id = h.id and ${heldBy(worker)}`.execute(db);
  await supersedeOvertaken(
    db,
    handed.map(({ id }) => id),
  );
}

/** A call that was made, what came back, and what is to become of its delivery. */
export interface CallRecord {
  id: number;
  call: number;
  answer: Answer;
  /** The delivery's end, or the wait in ms until it is due again. */
  end: { outcome: Outcome } | { waitMs: number };
  attempts: number;
  repeated: boolean;
  reason: string;
}

/** What member `m` of run `r` was given; of a corrected file of rejects together with what their other rows gave. */
const withOtherRows = sql`case when not ${isOfRejects} then m.groups else m.groups || (
  select coalesce(jsonb_agg(g), '[]') from people own cross join lateral jsonb_array_elements(own.groups) g
  where own.service = e.service and own.source = r.source and own.person_key = e.person_key and not m.groups @> g) end`;

/**
 * Writes receipts, per-group results, the new state of the deliveries, what the people were given and what that leaves behind,
 * all in one statement. Who left and is put among the leavers without `forceSync` keeps what they had. A receipt is kept even
 * when the delivery has meanwhile slipped out of the worker's hands; it ends only the very call that it is of, not a later
 * one that the worker has begun since.
 */
export async function recordAnswers(db: Database, worker: string, records: readonly CallRecord[]): Promise<void> {
  const inputs = records.map(({ id, call, answer, end, attempts, repeated, reason }) => {
    const response = 'response' in answer ? answer.response : undefined;
    return {
      id,
      call,
      kind: answer.kind,
      http_status: response?.httpStatus ?? null,
      headers: response?.headers ?? {},
      body: response?.body ?? null,
      body_cut: response?.bodyCut ?? false,
      hash: answer.kind === 'accepted' ? answer.hash : null,
      response_time: answer.kind === 'accepted' ? answer.responseTime : null,
      results: answer.kind === 'accepted' ? answer.results : [],
      notable:
        answer.kind !== 'accepted' ||
        answer.results.some(({ status, warnings }) => status !== 'success' || warnings > 0),
      answer_reason: answer.kind === 'accepted' ? '' : answer.reason,
      outcome: 'outcome' in end ? end.outcome : null,
      wait_ms: 'waitMs' in end ? end.waitMs : null,
      attempts,
      repeated,
      reason,
    };
  });
  await sql`
    with input as (
      select * from jsonb_to_recordset(${toJson(inputs)}::jsonb) as i (id bigint, call integer, kind text,
        http_status integer, headers jsonb, body text, body_cut boolean, hash text, response_time double precision, results jsonb, notable boolean,
        answer_reason text, outcome text, wait_ms double precision, attempts integer, repeated boolean, reason text)
    ), receipt as (
      insert into receipts (delivery_id, run_id, call, kind, http_status, hash, response_time, results, notable, reason, headers, body,
        body_cut, called_at, answered_at)
      select d.id, d.run_id, i.call, i.kind, i.http_status, i.hash, i.response_time, i.results, i.notable, i.answer_reason, i.headers, i.body,
        i.body_cut,
        coalesce(d.called_at, clock_timestamp()), clock_timestamp()
      from input i join deliveries d on d.id = i.id
      on conflict (delivery_id, call) do nothing
    ), ended as (
      update deliveries d
      set state = case when i.outcome is null then 'due' else 'done' end,
        outcome = i.outcome, attempts = i.attempts, calls = i.call, repeated = d.repeated or i.repeated, reason = i.reason,
        answer_kind = i.kind, answer_status = i.http_status,
        claimed_by = null, called_at = null,
        due_at = case when i.outcome is null then clock_timestamp() + i.wait_ms * interval '1 millisecond' else d.due_at end,
        ended_at = case when i.outcome is null then null else clock_timestamp() end
      from input i
      where d.id = i.id and ${heldBy(worker)} and d.calls = i.call - 1
      returning d.id, d.service, d.person_key, d.run_id, d.outcome, d.outcome = 'failed' and d.answer_kind = 'rejected' as refused
    ),${leftByAnswers}
    insert into people (service, source, person_key, fingerprint, firstname, lastname, email, telephone, groups, force_sync,
      given_at, given_run, last_outcome, last_run, employee_id, refusals)
    select e.service, r.source, e.person_key,
      case when given then m.fingerprint end, case when given then m.firstname end, case when given then m.lastname end,
      case when given then m.email end, case when given then m.telephone end, case when given then ${withOtherRows} end,
      case when given then coalesce(m.force_sync, (r.settings->>'forceSync')::boolean) end, case when given then clock_timestamp() end,
      case when given then e.run_id end, e.outcome, e.run_id, m.employee_id, case when e.refused then 1 else 0 end
    from ended e
    join runs r on r.id = e.run_id
    join members m on m.run_id = e.run_id and m.person_key = e.person_key
    cross join lateral (select e.outcome = 'succeeded' as given) g
    where e.outcome is not null
    on conflict (service, person_key, source) do update set
      fingerprint = coalesce(excluded.fingerprint, people.fingerprint),
      firstname = case when excluded.fingerprint is null then people.firstname else excluded.firstname end,
      lastname = case when excluded.fingerprint is null then people.lastname else excluded.lastname end,
      email = case when excluded.fingerprint is null then people.email else excluded.email end,
      telephone = case when excluded.fingerprint is null then people.telephone else excluded.telephone end,
      groups = case when excluded.fingerprint is null then people.groups
        when ${isOfLeaver('excluded.fingerprint')} and not excluded.force_sync
          then (coalesce(people.groups, '[]') - (excluded.groups->>0)) || excluded.groups
        else excluded.groups end,
      force_sync = case when excluded.fingerprint is null then people.force_sync else excluded.force_sync end,
      given_at = coalesce(excluded.given_at, people.given_at),
      given_run = coalesce(excluded.given_run, people.given_run),
      last_outcome = excluded.last_outcome,
      last_run = excluded.last_run,
      employee_id = coalesce(excluded.employee_id, people.employee_id),
      refusals = case when excluded.refusals = 0 then 0 else coalesce(people.refusals, 0) + 1 end`.execute(db);
  await supersedeOvertaken(
    db,
    records.flatMap(({ id, end }) => ('waitMs' in end ? [id] : [])),
  );
}
