// End, try again: a receipt, what it gave the person, and what happens to the delivery; also one that comes late.
import { sql } from 'kysely';
import type { Answer } from '../../core/call/answer.ts';
import type { Outcome } from '../../core/call/outcome.ts';
import { type Database, rowsOf, toJson, valuesOf } from '../database/database.ts';
import { isForced, isOfLeaver, keepsOtherRows, leftByAnswers, unitedMark } from '../people/left-behind.ts';
import { supersedeOvertaken } from './supersede.ts';
import { forgetTotals } from '../runs/failures.ts';

/** A call that was made, what came back, and what is to become of its delivery. */
export interface CallRecord {
  id: number;
  /** The run of the delivery; for a receipt that may be kept in a file. Files of older versions have none. */
  run?: string;
  call: number;
  answer: Answer;
  /** The delivery's end, or the wait in ms until it is due again. */
  end: { outcome: Outcome } | { waitMs: number };
  attempts: number;
  repeated: boolean;
  reason: string;
}

/** What member `m` of run `r` has of its source once it is given: with what other rows gave, as a table of a fingerprint and groups. */
export const withOtherRows = sql`(
  select case when others.groups = '[]' then '' else ${unitedMark} end || m.fingerprint as fingerprint, m.groups || others.groups as groups
  from (
    select coalesce(jsonb_agg(g), '[]') as groups from people own cross join lateral jsonb_array_elements(own.groups) g
    where own.service = r.service and own.source = r.source and own.person_key = m.person_key and not m.groups @> g
      and ${keepsOtherRows('own.fingerprint')}
  ) others)`;

/** A call of which nothing arrived does not settle what an earlier one may have given (R7). */
const keepsLast = sql`(excluded.last_outcome = 'failed' and people.last_outcome in ('partial', 'unknown'))`;

/** What only a success changes, all of it together. */
const givenAsAWhole = sql.join(
  ['firstname', 'lastname', 'email', 'telephone', 'force_sync'].map((column) => {
    const [before, now] = [sql.id('people', column), sql.id('excluded', column)];
    return sql`${sql.id(column)} = case when excluded.fingerprint is null then ${before} else ${now} end`;
  }),
);

/**
 * What is known about a person whom a source was given before, after a success or something else. Who left and is put among
 * the leavers without `forceSync` keeps what they had.
 */
export const orReplaced = sql`
  on conflict (service, person_key, source) do update set ${givenAsAWhole},
    fingerprint = coalesce(excluded.fingerprint, people.fingerprint),
    groups = case when excluded.fingerprint is null then people.groups
      when ${isOfLeaver('excluded.fingerprint')} and not excluded.force_sync
        then (coalesce(people.groups, '[]') - (excluded.groups->>0)) || excluded.groups
      else excluded.groups end,
    given_at = coalesce(excluded.given_at, people.given_at), given_run = coalesce(excluded.given_run, people.given_run),
    last_outcome = case when ${keepsLast} then people.last_outcome else excluded.last_outcome end,
    last_run = case when ${keepsLast} then people.last_run else excluded.last_run end,
    employee_id = coalesce(excluded.employee_id, people.employee_id),
    refusals = case when excluded.refusals = 0 then 0 else coalesce(people.refusals, 0) + 1 end`;

/**
 * Writes receipts, per-group results, the new state of the deliveries, what the people were given and what that leaves behind,
 * all in one statement. Of whom a call may have reached, that is remembered at once: their run may end before it tries again (R7). A receipt is kept even when the delivery has meanwhile slipped out of the worker's hands; it ends only the very call that it is of, not a later
 * one that somebody has begun since: whoever takes a call back counts it, so the number tells.
 */
export async function recordAnswers(db: Database, records: readonly CallRecord[]): Promise<CallRecord[]> {
  const inOrder = records.toSorted((a, b) => a.id - b.id);
  const inputs = inOrder.map(({ id, call, answer, end, attempts, repeated, reason }) => ({
    ...{ id, call, attempts, repeated, reason },
    ...('outcome' in end ? { outcome: end.outcome } : { wait_ms: end.waitMs }),
    ...receiptOf(answer),
  }));
  const ids = inOrder.map(({ id }) => id);
  // `any`, although the join says the same: found by their ids, not by reading all deliveries of a run.
  const settled = await valuesOf<number>(db)`
    with input as (
      select i.*, d.run_id, h.called_at
      from jsonb_to_recordset(${toJson(inputs)}::jsonb) as i (id bigint, call integer, kind text,
        http_status integer, headers jsonb, body text, body_cut boolean, hash text, response_time double precision, results jsonb, notable boolean,
        answer_reason text, outcome text, wait_ms double precision, attempts integer, repeated boolean, reason text)
      cross join lateral (select run_id, service, person_key from deliveries where id = i.id offset 0) d
      left join lateral (
        select called_at from in_hand
        where service = d.service and person_key = d.person_key and delivery_id = i.id and call = i.call offset 0) h on true
    ), ended as (
      update deliveries d
      set state = case when i.outcome is null then 'due' else 'done' end,
        outcome = i.outcome, attempts = i.attempts, calls = i.call, repeated = d.repeated or i.repeated, reason = i.reason,
        answer_kind = i.kind, answer_status = i.http_status,
        feeds = d.feeds + case when i.outcome is null then 1 else 0 end,
        due_at = case when i.outcome is null then clock_timestamp() + i.wait_ms * interval '1 millisecond' else d.due_at end,
        ended_at = case when i.outcome is null then null else clock_timestamp() end
      from input i
      where d.id = any (${ids}::bigint[]) and d.id = i.id and d.calls = i.call - 1 and d.state = 'due'
      returning d.id, d.service, d.person_key, d.run_id, d.outcome, i.kind, i.results,
        coalesce(d.outcome, case when d.repeated then 'unknown' end) as known,
        d.outcome = 'failed' and i.kind = 'rejected' as refused
    ), laid_down as (
      delete from in_hand h using ended e
      where h.service = e.service and h.person_key = e.person_key and h.delivery_id = e.id
    ), receipt as (
      insert into receipts (delivery_id, run_id, call, kind, http_status, hash, response_time, results, notable, reason, headers, body,
        body_cut, called_at, answered_at)
      select id, run_id, call, kind, http_status, hash, response_time, results, notable, answer_reason, headers, body, body_cut,
        coalesce(called_at, clock_timestamp()), clock_timestamp()
      from input
      on conflict (delivery_id, call) do nothing
    ),${leftByAnswers}, remembered as (
      insert into people (service, source, person_key, last_outcome, last_run, employee_id, refusals, fingerprint, firstname,
        lastname, email, telephone, groups, force_sync, given_at, given_run)
      select e.service, r.source, e.person_key, e.known, e.run_id, m.employee_id, case when e.refused then 1 else 0 end, given.*
      from ended e
      join runs r on r.id = e.run_id
      join members m on m.run_id = e.run_id and m.person_key = e.person_key
      left join lateral (
        select g.fingerprint, m.firstname, m.lastname, m.email, m.telephone, g.groups, ${isForced}, clock_timestamp(), e.run_id
        from ${withOtherRows} g
      ) given on e.outcome = 'succeeded'
      where e.known is not null
      ${orReplaced}
    ) select id from ended`;
  await supersedeOvertaken(
    db,
    records.flatMap(({ id, end }) => ('waitMs' in end ? [id] : [])),
  );
  return records.filter(({ id }) => !settled.includes(id));
}

/** An answer as the columns of a receipt; what is absent is null. */
function receiptOf(answer: Answer) {
  const { httpStatus, headers = {}, body, bodyCut = false } = ('response' in answer && answer.response) || {};
  const response = { kind: answer.kind, http_status: httpStatus, headers, body, body_cut: bodyCut };
  if (answer.kind !== 'accepted') return { ...response, results: [], notable: true, answer_reason: answer.reason };
  const { hash, responseTime, results } = answer;
  const notable = results.some(({ status, warnings }) => status !== 'success' || warnings > 0);
  return { ...response, hash, response_time: responseTime, results, notable, answer_reason: '' };
}

/**
 * Records what a call brought whose process has ended since. Where others have meanwhile taken the delivery back, to
 * repeat the call, and have not begun to, it counts as if they had not: whoever has claimed it finds out at its last look.
 * @returns whether the ledger has the delivery: one that was restored from a copy counts on from there, and the number may be
 *   somebody else's
 */
export async function recordLate(db: Database, worker: string, record: CallRecord): Promise<boolean> {
  const rows = await rowsOf(db)`
    select 1 from deliveries
    where id = ${record.id} and (${record.run ?? null}::text is null or run_id = ${record.run ?? null})`;
  if (rows.length === 0) return false;
  const isMissing = sql<boolean>`not exists (
    select 1 from receipts r where r.delivery_id = d.id and r.call = ${record.call})`;
  await settleTakenBack(db, worker, record, isMissing);
  return true;
}

/**
 * Settles a delivery whose receipt came when others had taken it back: this process had been silent, and
 * seemed dead. As long as nobody has begun to call again, nobody does.
 */
export async function settleTakenBack(
  db: Database,
  worker: string,
  record: CallRecord,
  which = sql<boolean>`true`,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`
      with missing as (
        select d.* from deliveries d
        where d.id = ${record.id} and d.calls = ${record.call} and d.state = 'due' and ${which}
        for no key update
      ), claimed as (
        insert into in_hand (service, person_key, delivery_id, run_id, worker, call, called_at)
        select service, person_key, id, run_id, ${worker}, calls, clock_timestamp() from missing
        on conflict (service, person_key) do update set worker = excluded.worker, call = excluded.call, called_at = excluded.called_at
          where in_hand.delivery_id = excluded.delivery_id and in_hand.called_at is null
        returning delivery_id
      )
      update deliveries d set calls = d.calls - 1, repeated = d.repeated and d.calls > 1 from claimed c
        where d.id = c.delivery_id`.execute(transaction);
    await recordAnswers(transaction, [record]);
    await forgetTotals(
      transaction,
      ...(await valuesOf<string>(transaction)`select run_id from deliveries where id = ${record.id}`),
    );
  });
}
