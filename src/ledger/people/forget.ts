// Erases a person, or lets one who was erased be sent again.
import type { z } from 'zod';
import type { Erasure } from '../../acts/shapes/upkeep.ts';
import { type RawBuilder, sql } from 'kysely';
import { BusyError } from '../../core/errors.ts';
import type { RunStatus } from '../../core/run/states.ts';
import { type Database, changed, countOf, rowOf, rowsInRange, rowsOf, theRow } from '../database/database.ts';
import { cancelDeliveries } from '../moves/supersede.ts';
import { erasePushed } from '../pushed/pushed.ts';
import { eraseFromSearchTexts, isNamedIn, mentionOf, speaksOf } from './search-texts.ts';

/** What was erased, in rows. */
export type Erased = z.output<typeof Erasure>['erased'] & {
  /** Runs whose rejects are no longer what they were. */
  runsWithRejects: string[];
};

/** What a ledger knows of a person. */
export interface Known extends Omit<Erased, 'cancelled' | 'mentions' | 'runsWithRejects'> {
  /** Services at which something was given or sent. */
  services: string[];
  /** Other addresses that `resolve` said were this person's. */
  otherAddresses: string[];
  /** Runs that prevent it: they are being planned, or wait for an approval, with this person in them. */
  inTheWay: { id: string; source: string; status: RunStatus }[];
  /** Calls that are being made at this moment. */
  inFlight: number;
  /** Deliveries that were not sent yet. */
  unsent: number;
}

/** Somebody whom an event carries: the event, their place in it, from 0, and their ids as far as it has any. */
export interface OtherPerson {
  event: number;
  place: number;
  ids: readonly string[];
}

/** Lets people be sent again, by the next run of any source. Returns how many of them were not to be. */
export async function unblockPeople(db: Database, digests: readonly string[]): Promise<number> {
  // An unchanged source would be skipped.
  await sql`delete from source_states`.execute(db);
  return changed(db)`delete from forgotten where digest = any (${digests}::text[])`;
}

/** What is known about the person with this key. */
export async function whatIsKnownOf(db: Database, key: string): Promise<Known> {
  const found = await theRow<Omit<Known, 'inTheWay' | 'rejects'>>(db)`
    with theirs as (select * from deliveries where person_key = ${key})
    select
      (select coalesce(jsonb_agg(service order by service), '[]') from (
        select service from people where person_key = ${key} union select service from theirs
        union select service from person_answers where person_key = ${key}) s) as services,
      (select count(*) from people where person_key = ${key}) as sources,
      (select count(*) from theirs) as deliveries,
      (select count(*) from receipts where delivery_id in (select id from theirs)) as answers,
      (select count(*) from person_answers where person_key = ${key}) as "storyAnswers",
      (select coalesce(jsonb_agg(distinct case when old_key = ${key} then new_key else old_key end), '[]')
        from resolutions where ${key} in (old_key, new_key) and old_key <> new_key) as "otherAddresses",
      (select count(*) from in_hand where person_key = ${key} and called_at is not null) as "inFlight",
      (select count(*) from theirs d where d.state = 'due' and not exists (
        select 1 from in_hand h where h.delivery_id = d.id and h.called_at is not null)) as unsent`;
  const inTheWay = await rowsOf<Known['inTheWay'][number]>(db)`
    select r.id, r.source, r.status from runs r
    where (r.status in ('planning', 'held') and (
        exists (select 1 from members m where m.run_id = r.id and m.person_key = ${key})
        or exists (select 1 from unchanged_people u where u.run_id = r.id and u.keys @> array[${key}]::text[])))
      or (r.status not in ('cancelled', 'failed') and exists (
        select 1 from deliveries d where d.run_id = r.id and d.person_key = ${key} and d.state = 'held'))
    order by r.number`;
  const rejects = await countOf(db)`
    select count(*) as count from rejects j join runs r on r.id = j.run_id where ${speaksOf(key)}`;
  return { ...found, inTheWay, rejects };
}

/**
 * Erases a person, in one transaction, and then what others' rows say of them, range by range: if this dies in between, a second
 * time does the rest. What was given to others stays, and so do the totals of runs: deliveries and
 * receipts remain, without the person they belonged to. What was not sent yet is cancelled. Call `blockPeople` first: runs
 * that are planned after it leave the person out.
 * @throws BusyError while a call for this person is being made, waits for an approval, or any run is being planned: it
 *   may have read who is kept out before this person was
 * @param instead what replaces their address in what remains; never used before
 * @param others people of events who may be named together with them, and stay
 */
export async function erasePerson(
  db: Database,
  { key, instead, others = [] }: { key: string; instead: string; others?: readonly OtherPerson[] },
): Promise<Erased> {
  const erased = await db.transaction().execute(async (transaction) => {
    const cancelled = await cancelDeliveries(transaction, key);
    if (cancelled === undefined) {
      throw new BusyError(
        'A call for this person is being made at this moment: try again in a minute. Nothing was erased.',
      );
    }
    await refuseWhilePlanned(transaction, key);
    const rejects = await rowsOf<{ runId: string }>(transaction)`
      delete from rejects where id in (
        select j.id from rejects j join runs r on r.id = j.run_id
          where ${speaksOf(key)}) returning run_id`;
    const answers = await changed(transaction)`
      update receipts set body = null, headers = '{}', reason = '', hash = null
      where delivery_id in (select id from deliveries where person_key = ${key})`;
    await eraseFromEvents(transaction, key, others);
    await sql`delete from members where person_key = ${key}`.execute(transaction);
    const isNamed = isNamedIn(sql`concat_ws(' ', was, value)`, key);
    await sql`delete from corrections where person_key = ${key} or ${isNamed}`.execute(transaction);
    await eraseFromSearchTexts(transaction, key);
    await erasePushed(transaction, key);
    await sql`delete from departures where person_key = ${key}`.execute(transaction);
    await sql`delete from resolutions where ${key} in (old_key, new_key)`.execute(transaction);
    const storyAnswers = await changed(transaction)`delete from person_answers where person_key = ${key}`;
    await sql`delete from left_behind where person_key = ${key}`.execute(transaction);
    const sources = await changed(transaction)`delete from people where person_key = ${key}`;
    const deliveries = await changed(transaction)`
      update deliveries set person_key = ${instead}, reason = '' where person_key = ${key}`;
    return {
      sources,
      deliveries,
      answers,
      rejects: rejects.length,
      storyAnswers,
      cancelled,
      runsWithRejects: [...new Set(rejects.map(({ runId }) => runId))],
    };
  });
  return { ...erased, mentions: await replaceMentions(db, key, instead) };
}

async function refuseWhilePlanned(db: Database, key: string): Promise<void> {
  const run = await rowOf<{ id: string; source: string; status: RunStatus }>(db)`
    select r.id, r.source, r.status from runs r
    where r.status = 'planning' or (r.status not in ('cancelled', 'failed') and exists (
      select 1 from deliveries d where d.run_id = r.id and d.person_key = ${key} and d.state = 'held'))
    order by r.number limit 1`;
  if (run === undefined) return;
  const what =
    run.status === 'planning'
      ? 'began to be planned a moment ago. Try again when it has finished.'
      : 'now holds something for this person. Approve or cancel it first.';
  throw new BusyError(`Run ${run.id} of ${run.source} ${what} Nothing was erased.`);
}

/**
 * Takes a person out of the events of HR systems: of those that speak of them by address or employee id, the body goes;
 * of those that carry people, this one, and all who name them but `others`.
 */
async function eraseFromEvents(db: Database, key: string, others: readonly OtherPerson[]): Promise<void> {
  const named = sql`(${isNamedIn(sql`concat_ws(' ', e.key, e.people::text, e.leavers::text)`, key)}
    or ${isNamedIn(sql`e.body`, key, mentionOf(key, true))})`;
  await sql`
    update events e
    set body = null, people = (
      select coalesce(jsonb_agg(one order by nth), '[]') from jsonb_array_elements(e.people) with ordinality p (one, nth)
      where one::text !~* ${mentionOf(key)} or exists (
        select 1 from jsonb_to_recordset(${JSON.stringify(others)}::jsonb) as o (event bigint, place integer, ids jsonb)
        where o.event = e.id and o.place = nth - 1 and not exists (
          select 1 from people k where k.source = e.source and k.person_key = ${key} and o.ids @> jsonb_build_array(k.employee_id))))
    where e.people is not null and ${named}`.execute(db);
  await sql`
    update events e set body = null, employees = case when e.state = 'waiting' then e.employees end,
      leavers = e.leavers - ${key}::text - array(
        select p.employee_id from people p where p.source = e.source and p.person_key = ${key} and p.employee_id is not null)
    where ${named} or exists (
      select 1 from people p
      where p.source = e.source and p.person_key = ${key}
        and (e.employees @> jsonb_build_array(p.employee_id) or e.leavers @> jsonb_build_array(p.employee_id)))`.execute(
    db,
  );
}

/**
 * Replaces what still names a person in any text of any table: a reason, the body of an event, an answer about somebody
 * else. It asks the database for its tables, so that none is forgotten.
 */
async function replaceMentions(db: Database, key: string, instead: string): Promise<number> {
  const tables = await rowsOf<{ table: string; columns: { name: string; type: string }[]; primary: string[] | null }>(
    db,
  )`
    select c.oid::regclass::text as "table",
      jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, null))) as columns,
      (select array_agg(k.attname::text order by array_position(i.indkey::smallint[], k.attnum)) from pg_index i join pg_attribute k on k.attrelid = i.indrelid and k.attnum = any (i.indkey)
        where i.indrelid = c.oid and i.indisprimary) as "primary"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = any (select oid from pg_namespace where nspname = any (current_schemas(false)))
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and a.atttypid = any ('{text,jsonb,json,varchar,text[]}'::regtype[])
    group by c.oid`;
  let mentions = 0;
  for (const { table, columns, primary } of tables) {
    const textOf = (some: typeof columns) =>
      sql`concat_ws(' ', ${sql.join([sql`''`, ...some.map(({ name }) => sql`${sql.id(name)}::text`)])})`;
    const [sent, written] = [columns.filter(isBody), columns.filter((column) => !isBody(column))];
    const inBody = mentionOf(key, true);
    const isNamed = sql`(${isNamedIn(textOf(written), key)} or ${isNamedIn(textOf(sent), key, inBody)})`;
    const replaced = columns.map((column) => {
      const [name, mention] = [sql.id(column.name), isBody(column) ? inBody : mentionOf(key)];
      return sql`${name} = regexp_replace(${name}::text, ${mention}, ${instead}, 'gi')::${sql.raw(column.type)}`;
    });
    for (const isInRange of await rangesOfTable(db, table, primary ?? []))
      mentions += await changed(db)`
        update ${sql.raw(table)} set ${sql.join(replaced)} where ${isInRange} and ${isNamed}`;
  }
  return mentions;
}

/** What others sent, in any form. */
const isBody = ({ name }: { name: string }): boolean => name === 'body';

/** Ranges of the primary key of a table that together hold every row, also those that change meanwhile. */
async function rangesOfTable(db: Database, table: string, primary: readonly string[]): Promise<RawBuilder<boolean>[]> {
  if (primary.length === 0) return [sql`true`];
  const key = sql.join(primary.map((column) => sql.id(column)));
  const cuts = await rowsOf<{ at: string[] }>(db)`
    select array[${sql.join(primary.map((column) => sql`${sql.id(column)}::text`))}] as at
    from (select ${key}, row_number() over (order by ${key}) as nth from ${sql.raw(table)}) keys
    where nth % ${rowsInRange} = 0 order by nth`;
  const bounds = [undefined, ...cuts.map(({ at }) => sql`(${sql.join(at)})`), undefined];
  return bounds.slice(1).map((bound, at) => {
    const before = bounds[at];
    return sql`(${before ? sql`(${key}) > ${before}` : sql`true`} and ${bound ? sql`(${key}) <= ${bound}` : sql`true`})`;
  });
}
