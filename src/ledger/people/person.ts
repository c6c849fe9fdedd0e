// Reads what is known about one person, table by table.
import { sql } from 'kysely';
import type { PersonHistory } from '../../acts/shapes/person.ts';
import type { Dated } from '../../core/plain.ts';
import { type Database, rowsOf, valuesOf } from '../database/database.ts';
import { listedRows } from '../planning/unchanged-people.ts';
import { outcomeOf } from '../runs/reading.ts';
import { storyAnswersOf } from '../story/answers.ts';
import { whenForgotten } from './kept-out.ts';
import { leftBehindAt } from './left-behind-list.ts';
import { isNamedIn, speaksOf } from './search-texts.ts';

type Known = Dated<PersonHistory>;
type Run = Known['runs'][number];

/**
 * Everything that is known about the person with this key, for the person themselves and for an auditor, also under their other
 * addresses. Runs in which nothing changed for them keep no row of theirs.
 */
export async function personHistory(db: Database, key: string): Promise<Omit<Known, 'asked'>> {
  const addresses = await addressesOf(db, key);
  const inRuns = await runsOf(db, addresses);
  const calls = await callsOf(
    db,
    inRuns.flatMap(({ deliveryId }) => deliveryId ?? []),
  );
  const deeds = await deedsOf(db, [...new Set(inRuns.map(({ run }) => run))]);
  const callsByDelivery = Map.groupBy(calls, ({ deliveryId }) => deliveryId);
  const deedsByRun = Map.groupBy(deeds, ({ run }) => run);
  return {
    addresses,
    forgottenAt: await whenForgotten(db, key),
    given: await givenTo(db, addresses),
    leftBehind: await leftBehindAt(db, addresses),
    runs: inRuns.map(({ deliveryId, ...run }) => ({
      ...run,
      calls: (callsByDelivery.get(deliveryId ?? 0) ?? []).map(({ deliveryId: _own, ...call }) => call),
      deeds: (deedsByRun.get(run.run) ?? []).map(({ run: _same, ...deed }) => deed),
    })),
    rejects: await rejectsOf(db, addresses),
    moves: await movesOf(db, addresses),
    departures: await departuresOf(db, addresses),
    events: await eventsOf(db, addresses),
    answers: await storyAnswersOf(db, addresses),
  };
}

/** The addresses that are this person's, as resolved moves and employee ids say; the one asked for is the first. */
async function addressesOf(db: Database, key: string): Promise<string[]> {
  const known = [key];
  for (let at = 0; at < known.length; at++) {
    const others = await valuesOf<string>(db)`
      select case when old_key = ${known[at]} then new_key else old_key end from resolutions
      where ${known[at]} in (old_key, new_key) and old_key <> new_key
      union
      select other.person_key from people p
      join people other on other.service = p.service and other.source = p.source and other.employee_id = p.employee_id
      where p.person_key = ${known[at]} and p.employee_id is not null
      order by 1`;
    for (const other of others) if (!known.includes(other)) known.push(other);
  }
  return known;
}

/** What was last given to a person, by each source at each service. */
async function givenTo(db: Database, keys: readonly string[]) {
  return rowsOf<Known['given'][number]>(db)`
    select service, source, person_key as address, firstname, lastname, email, telephone, groups,
      force_sync, employee_id, given_at, given_run, last_outcome, last_run
    from people where person_key = any (${keys}::text[]) order by service, source, person_key`;
}

/** Every run that has a row or a delivery of a person, the oldest first. */
async function runsOf(db: Database, keys: readonly string[]) {
  // Run by run, since both tables are found by run and person: neither is read as a whole.
  return rowsOf<Omit<Run, 'calls' | 'deeds'> & { deliveryId: number | null }>(db)`
    select r.id as run, r.source, r.service, r.trigger, r.status, r.created_at as started_at, r.finished_at, r.settings,
      k.key as address, case when m.run_id is not null then jsonb_build_object('file', m.file, 'lines', m.lines, 'firstname', m.firstname,
        'lastname', m.lastname, 'email', m.email, 'telephone', m.telephone, 'groups', m.groups, 'employeeId', m.employee_id)
      when u.key is not null then jsonb_build_object('file', u.file, 'lines', jsonb_build_array(u.line), 'firstname', p.firstname,
        'lastname', p.lastname, 'email', p.email, 'telephone', p.telephone, 'groups', p.groups, 'employeeId', p.employee_id) end as row,
      coalesce(d.action, m.action, case when u.key is not null then 'unchanged' end) as action, d.id as delivery_id, case when d.state = 'due' and d.stage > r.stage then 'waiting' else d.state end as state, case when d.id is not null then ${outcomeOf} end as outcome, coalesce(d.reason, '') as reason,
      coalesce(d.repeated, false) as repeated, d.ended_at
    from runs r
    cross join unnest(${keys}::text[]) as k (key)
    left join lateral (select * from members where run_id = r.id and person_key = k.key offset 0) m on true
    left join lateral (select * from deliveries where run_id = r.id and person_key = k.key offset 0) d on true
    left join lateral (select * from ${listedRows(sql<string>`r.id`)} l where l.key = k.key offset 0) u on m.run_id is null
    left join people p on u.key is not null and p.service = r.service and p.source = r.source and p.person_key = u.key
    where m.run_id is not null or d.id is not null or u.key is not null
    order by r.number, k.key`;
}

/** Every call of these deliveries, in order. */
async function callsOf(db: Database, deliveryIds: readonly number[]) {
  return rowsOf<Run['calls'][number] & { deliveryId: number }>(db)`
    select delivery_id, call, called_at, answered_at, kind, http_status, hash, response_time, results, reason, body
    from receipts where delivery_id = any (${deliveryIds}::bigint[]) order by delivery_id, call`;
}

/** The rejected rows that hold one of a person's addresses, or their employee id. */
async function rejectsOf(db: Database, keys: readonly string[]) {
  const spoken = sql.join(keys.map(speaksOf), sql` or `);
  return rowsOf<Known['rejects'][number]>(db)`
    select r.id as run, r.source, r.created_at as started_at, j.file, j.line, j.column_name as "column", j.value, j.reason, j.cells
    from rejects j join runs r on r.id = j.run_id where ${spoken} order by r.number, j.line, j.id`;
}

/** Moves that were decided of any of these addresses, the oldest first. */
async function movesOf(db: Database, keys: readonly string[]) {
  return rowsOf<Known['moves'][number]>(db)`
    select service, source, old_key as "from", new_key as "to", decision, employee_id, decided_at
    from resolutions where old_key = any (${keys}::text[]) or new_key = any (${keys}::text[]) order by id`;
}

/** Events that name one of a person's addresses, or their employee id, the oldest first. */
async function eventsOf(db: Database, keys: readonly string[]) {
  const named = keys.map((key) => isNamedIn(sql`concat_ws(' ', e.key, e.body, e.people::text)`, key));
  return rowsOf<Known['events'][number]>(db)`
    select e.source, e.received_at, e.kind, e.state, e.run_id as run, e.body from events e
    where ${sql.join(named, sql` or `)} or exists (
      select 1 from people p
      where p.source = e.source and p.person_key = any(${keys}::text[]) and e.employees @> jsonb_build_array(p.employee_id))
    order by e.id`;
}

/** Who approved, started or steered these runs, the oldest first. */
async function deedsOf(db: Database, runIds: readonly string[]) {
  return rowsOf<Run['deeds'][number] & { run: string }>(db)`
    select run_id as run, at, approved_by as by, 'approve' as did, note from approvals where run_id = any(${runIds}::text[])
    union all
    select run_id, at, by, action, '' from audit where run_id = any(${runIds}::text[])
    order by 2`;
}

/** When a person was found to have left: no longer in a whole roster, or their row said so. */
async function departuresOf(db: Database, keys: readonly string[]) {
  return rowsOf<Known['departures'][number]>(db)`
    select r.id as run, r.source, r.created_at as at, d.by_row
    from departures d join runs r on r.id = d.run_id
    where d.person_key = any(${keys}::text[]) order by r.number`;
}
