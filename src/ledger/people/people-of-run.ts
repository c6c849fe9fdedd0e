// The people of a run, page by page: what is planned, what holds it, how it ended; and who may have been invited.
import type { z } from 'zod';
import type { Dated } from '../../core/plain.ts';
import type { PeopleOfRun } from '../../acts/shapes/people-of-run.ts';
import type { InvitedPerson } from '../../acts/shapes/run.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Day } from '../../core/cells/days.ts';
import type { Outcome } from '../../core/call/outcome.ts';
import type { Member } from '../../core/person/member.ts';
import type { Trip } from '../../core/guards/trip.ts';
import type { Cause } from '../../core/run/cause.ts';
import type { Action } from '../../core/run/run.ts';
import { countOf, type Database, rowsOf } from '../database/database.ts';
import type { RunOfSource } from '../runs/runs.ts';
import { isFailure } from '../runs/failures.ts';
import { isStopped } from '../runs/holds.ts';
import { outcomeOf } from '../runs/reading.ts';
import { memberOf } from '../planning/staging.ts';
import { listedRows } from '../planning/unchanged-people.ts';
import { isForced } from './left-behind.ts';
import { hasSearchTexts, keysWith, mentions } from './search-texts.ts';

/** A person of a run: what would be done, what they would be given, what this source gave them last, and what has happened. */
export interface PersonOfRun extends Omit<Dated<z.output<typeof PeopleOfRun>['people'][number]>, 'now' | 'before'> {
  key: string;
  action: Action;
  now: Member & { forceSync: boolean };
  /** Null where this source has given them nothing yet. */
  before: (Member & { forceSync: boolean }) | null;
  startsOn: Day | null;
  /** An unchanged person who is sent again, by `refresh`. */
  resend: boolean;
  /** They still have groups that the roster does not name any more. */
  leftBehind: boolean;
}

/** Which people of a run are listed; what is absent leaves nobody out. */
export interface PeopleFilter {
  actions?: readonly Action[];
  /** None who is unchanged, unless sent again. */
  isSent?: boolean;
  outcomes?: readonly Outcome[];
  /** Only those whose delivery has not ended. */
  isOpen?: boolean;
  cause?: Cause;
  group?: string;
  /** Only those whom this guard stops. */
  stoppedBy?: Trip;
  /** In their name or address, in any case. */
  text?: string;
}

/** What people may be sorted by; it takes a look at everybody. */
export const peopleOrderNames = ['name', 'address', 'line'] as const;
export type PeopleOrder = { by: (typeof peopleOrderNames)[number]; isDown?: boolean };

/** Which part of the list: in the order of keys, after a key and a number of people behind it; in another order; or those who ended last. */
export type PeoplePlace = { limit: number } & (
  | { from?: number; after?: string }
  | ({ from: number } & PeopleOrder)
  | { latest: true }
);

/** How many there are, up to a number. */
export async function countPeopleOfRun(
  db: Database,
  of: RunOfSource,
  filter: PeopleFilter,
  most: number,
): Promise<number> {
  const isPacked = Boolean(filter.text) && (await hasSearchTexts(db, of.runId));
  return countOf(db)`select count(*) as count from (${pageOf(of, filter, { limit: most }, isPacked)}) found`;
}

export async function peopleOfRun(
  db: Database,
  of: RunOfSource,
  filter: PeopleFilter,
  place: PeoplePlace,
): Promise<PersonOfRun[]> {
  const { runId, service, source } = of;
  const isPacked = Boolean(filter.text) && !('latest' in place) && (await hasSearchTexts(db, runId));
  return rowsOf<PersonOfRun>(db)`
    with page as materialized (${pageOf(of, filter, place, isPacked)})
    select page.person_key as key, coalesce(m.action, 'unchanged') as action, page.file, page.line, m.starts_on,
      coalesce(m.resend, false) as resend, coalesce(m.left_behind, false) as left_behind,
      case when d.id is not null then ${outcomeOf} end as outcome, coalesce(d.reason, '') as reason, coalesce(d.state = 'held', false) as is_held, d.ended_at, last.item as answer,
      case when m.run_id is null then ${given} else ${memberOf('m', isForced)} end as now,
      case when p.fingerprint is null then null else ${given} end as before
    from page
    join runs r on r.id = ${runId}
    left join members m on m.run_id = r.id and m.person_key = page.person_key
    left join deliveries d on d.run_id = r.id and d.person_key = page.person_key
    left join people p on p.service = ${service} and p.source = ${source} and p.person_key = page.person_key
    left join lateral (
      select jsonb_build_object('inserts', coalesce(sum((g->>'inserts')::integer), 0), 'warnings', coalesce(sum((g->>'warnings')::integer), 0),
        'refused', coalesce(jsonb_agg(g->>'group') filter (where g->>'status' <> 'success'), '[]')) as item
      from (select results from receipts where delivery_id = d.id and kind = 'accepted' order by call desc limit 1) c
      cross join lateral jsonb_array_elements(c.results) g
      having count(*) > 0
    ) last on d.outcome is not null
    order by page.place, page.person_key`;
}

const given = memberOf('p', sql`p.force_sync`);

/** Everybody of a run `m`, also who is only listed as unchanged: they are as they were given. */
const withListed = ({ runId, service, source }: RunOfSource): RawBuilder<unknown> => sql`(
  select run_id, person_key, action, file, lines, resend, firstname, lastname, email, groups from members where run_id = ${runId}
  union all
  select ${runId}, p.person_key, 'unchanged', u.file, jsonb_build_array(u.line), false, p.firstname, p.lastname, p.email, p.groups
  from ${listedRows(runId)} u
  join people p on p.service = ${service} and p.source = ${source} and p.person_key = u.key and p.fingerprint is not null
) m`;

/** What a name is sorted by: without case and accents, numbers by their value. */
function sortable(name: RawBuilder<unknown>): RawBuilder<string> {
  const letters = sql`lower(regexp_replace(normalize(${name}, NFD), '[\\u0300-\\u036f]', '', 'g'))`;
  const padded = sql`regexp_replace(${letters}, '(\\d+)', '000000000\\1', 'g')`;
  return sql<string>`regexp_replace(${padded}, '\\d*(\\d{10})', '\\1', 'g') collate "C"`;
}

const orders: Record<PeopleOrder['by'], readonly RawBuilder<unknown>[]> = {
  name: [sortable(sql`m.lastname`), sortable(sql`m.firstname`), sql`m.person_key`],
  address: [sql`m.person_key`],
  line: [sql`m.file`, sql`(m.lines->0)::integer`, sql`m.person_key`],
};

const orderOf = ({ by, isDown = false }: PeopleOrder): RawBuilder<unknown> =>
  sql.join(isDown ? orders[by].map((part) => sql`${part} desc`) : orders[by]);

/** The keys of a page; what is joined to a person is joined only for them. */
function pageOf(of: RunOfSource, filter: PeopleFilter, place: PeoplePlace, isPacked: boolean): RawBuilder<unknown> {
  const { runId } = of;
  const { actions, isSent = false, outcomes, isOpen, cause, group, stoppedBy, text } = filter;
  const conditions = [
    actions && sql<boolean>`m.action = any (${actions}::text[])`,
    isSent && sql<boolean>`(m.action <> 'unchanged' or m.resend)`,
    outcomes && sql<boolean>`d.outcome = any (${outcomes}::text[])`,
    isOpen && sql<boolean>`d.id is not null and d.outcome is null`,
    cause && isFailure({ cause }),
    group === undefined ? undefined : sql<boolean>`m.groups ? ${group}`,
    stoppedBy && isStopped([stoppedBy]),
    text && !isPacked ? mentions(text) : undefined,
    'after' in place && place.after && sql<boolean>`m.person_key > ${place.after}`,
  ].filter((each) => each instanceof Object);
  const where = sql.join([sql`m.run_id = ${runId}`, ...conditions], sql` and `);
  if ('latest' in place) {
    return sql`
      select d.person_key, m.file, (m.lines->0)::integer as line, -extract(epoch from d.ended_at) as place from deliveries d
      join members m on m.run_id = d.run_id and m.person_key = d.person_key
      where d.run_id = ${runId} and d.state = 'done' and ${where} order by d.ended_at desc limit ${place.limit}`;
  }
  const needsDelivery = outcomes !== undefined || cause !== undefined || isOpen === true;
  const join = needsDelivery ? sql`join deliveries d on d.run_id = m.run_id and d.person_key = m.person_key` : sql``;
  const { from = 0 } = place;
  // Nothing is sent to who is only listed: no guard stops them.
  const everybody = actions?.includes('unchanged') && !isSent && !stoppedBy ? withListed(of) : sql`members m`;
  // In the order of keys, too, and read only until the page is full.
  const [members, usual] =
    text && isPacked
      ? [sql`(${keysWith(runId, text)}) k join ${everybody} on m.person_key = k.person_key`, sql`k.place, k.nth`]
      : [everybody, sql`m.person_key`];
  const order = 'by' in place ? orderOf(place) : usual;
  return sql`
    select m.person_key, m.file, (m.lines->0)::integer as line, row_number() over (order by ${order}) as place
    from ${members} ${join} where ${where}
    order by ${order} offset ${from} limit ${place.limit}`;
}

/** A person who was sent with `invite`, and whom no delivery before gave anything: the service may have e-mailed them. */
export type Invited = Dated<z.output<typeof InvitedPerson>> & {
  /** Its delivery: where the next page goes on. */
  id: number;
};

/** A page of those from `since` on and before `until`, the oldest delivery first. */
export async function listInvited(
  db: Database,
  { since = new Date(0), until = new Date(8.64e15) }: { since?: Date; until?: Date },
  after: number,
  limit: number,
): Promise<Invited[]> {
  const gave = sql`('succeeded', 'partial')`;
  return rowsOf<Invited>(db)`
    select d.id, d.ended_at as at, coalesce(m.email, d.person_key) as email, m.firstname, m.lastname, r.source,
      r.id as run, d.outcome, d.service
    from deliveries d join runs r on r.id = d.run_id
    left join members m on m.run_id = d.run_id and m.person_key = d.person_key
    where d.id > ${after} and d.outcome in ('succeeded', 'partial', 'unknown') and (r.settings->>'invite')::boolean
      and d.ended_at >= ${since} and d.ended_at < ${until}
      and (d.action = 'new' or d.action = 'again' and not exists (
        select 1 from deliveries e where e.service = d.service and e.person_key = d.person_key and e.id < d.id and e.outcome in ${gave}))
    order by d.id limit ${limit}`;
}
