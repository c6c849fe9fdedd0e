// The people of a source's last roster, those who left it, how two runs of it differ; people found by a text.
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { LastRoster as LastRosterOfSource } from '../../acts/shapes/story.ts';
import type { Dated } from '../../core/plain.ts';
import type { RosterPerson } from '../../core/story/completion.ts';
import { type Database, rowsOf, theRow } from '../database/database.ts';
import type { SourceAt } from '../runs/runs.ts';
import { isStillThere } from './left-behind.ts';
import type { CompareDocument, FoundPeople } from '../../acts/shapes/requests.ts';

/** The roster that a source last gave: a whole one, and what came after it of some of its people. */
export type LastRoster = Dated<z.output<typeof LastRosterOfSource>>;

/** The last released roster of a source, even if guards hold some of it; undefined if there is none. */
export async function lastRoster(db: Database, { service, source }: SourceAt): Promise<LastRoster | undefined> {
  const rows = await rowsOf<Omit<LastRoster, 'runIds'> & { id: string }>(db)`
    select id, created_at as at, (roster->'counts'->>'members')::integer as members, snapshot as is_snapshot,
      roster_removed_at is not null as is_removed
    from runs
    where service = ${service} and source = ${source} and roster is not null and released_at is not null
      and number >= coalesce((
        select max(w.number) from runs w
        where w.service = ${service} and w.source = ${source} and not (w.roster->>'partial')::boolean
          and w.released_at is not null), 0)
    order by number`;
  const [first] = rows;
  if (first === undefined) return undefined;
  const { id: _, ...whole } = first;
  return { runIds: rows.map(({ id }) => id), ...whole };
}

/**
 * A page of the people of a source's last roster, in the order of their keys: those whom its runs hold, and those who were
 * unchanged in it, of whom the ledger knows only what they were given before.
 */
export async function rosterPeople(
  db: Database,
  { service, source, runIds }: SourceAt & { runIds: readonly string[] },
  after: string,
  limit: number,
): Promise<RosterPerson[]> {
  const runs = sql`(${sql.join(runIds)})`;
  return rowsOf<RosterPerson>(db)`
    select * from (
      (select distinct on (m.person_key) m.person_key as key, m.firstname, m.lastname, m.email, m.groups,
        case when d.id is null then m.action = 'unchanged' else coalesce(d.outcome = 'succeeded', false) end as given
      from members m join runs r on r.id = m.run_id
      left join deliveries d on d.run_id = m.run_id and d.person_key = m.person_key
      where m.run_id in ${runs} and m.person_key > ${after} and m.action is distinct from 'departed'
      order by m.person_key, r.number desc limit ${limit})
      union all
      (select p.person_key, p.firstname, p.lastname, p.email, p.groups, true
      from people p
      where p.service = ${service} and p.source = ${source} and p.person_key > ${after}
        and p.fingerprint is not null and p.missing_runs = 0
        and not exists (select 1 from members m where m.run_id in ${runs} and m.person_key = p.person_key)
      order by p.person_key limit ${limit})
    ) known order by key limit ${limit}`;
}

export interface DepartedPerson extends Omit<RosterPerson, 'given'> {
  /** Everything they still have: what this source gave them last, and what was left behind before. */
  groups: string[];
  /** When their absence was first noted; null if this run is the first. */
  since: Date | null;
  isFresh: boolean;
}

/** What person `p`, who left, still has: a list without what was taken out, by a call or by hand. */
const hadByLeaver = sql`(
  select coalesce(jsonb_agg(h.name order by h.place, h.name), '[]') from (
    select g.name, g.place from jsonb_array_elements_text(p.groups) with ordinality as g (name, place)
    where not exists (
      select 1 from left_behind l
      where l.service = p.service and l.person_key = p.person_key and l.group_name = g.name and not ${isStillThere})
    union all
    select l.group_name, null from left_behind l
    where l.service = p.service and l.person_key = p.person_key and not p.groups ? l.group_name and ${isStillThere}
  ) h)`;

/** A page of those who left the source of a run, in the order of their keys, `from` of them passed over: as it is known now, and by this run. */
export async function listDeparted(db: Database, runId: string, after: string, limit: number, from = 0) {
  return rowsOf<DepartedPerson>(db)`
    select p.person_key as key, p.firstname, p.lastname, p.email, ${hadByLeaver} as groups, p.missing_since as since,
      d.person_key is not null as is_fresh
    from runs r
    join people p on p.service = r.service and p.source = r.source and p.person_key > ${after} and p.fingerprint is not null
    left join departures d on d.run_id = r.id and d.person_key = p.person_key and d.is_fresh
    where r.id = ${runId} and (p.missing_runs > 0 or d.person_key is not null)
    order by p.person_key offset ${from} limit ${limit}`;
}

export type ComparedPerson = z.output<typeof CompareDocument>['people'][number] & { key: string };

/**
 * A page of the people of runs of a source, by their numbers: those after `from`, up to `to`; in the order of their keys. A roster is not kept whole: what happened to somebody in the runs that were
 * released between, and in the last one, is taken together. Who came and left again is none of them. `isRemoved`: retention
 * has removed some of it.
 */
export async function compareRuns(
  db: Database,
  { service, source, from: first, to: last }: SourceAt & { from: number; to: number },
  {
    change,
    from = 0,
    after,
    limit,
  }: { change?: ComparedPerson['change']; from?: number; after: string; limit: number },
): Promise<{ counts: Record<ComparedPerson['change'], number>; people: ComparedPerson[]; isRemoved: boolean }> {
  const compared = await theRow<{ counts: Record<string, number>; people: ComparedPerson[]; isRemoved: boolean }>(db)`
    with between_them as (
      select id, number, coalesce(roster_removed_at, receipts_removed_at) as removed_at from runs
      where service = ${service} and source = ${source} and number > ${first} and number <= ${last}
        and (released_at is not null or number = ${last})
    ), happened as (
      select b.number, m.person_key as key, m.action as what, m.email, m.firstname, m.lastname, m.groups
      from between_them b join members m on m.run_id = b.id where m.action in ('new', 'changed')
      union all
      select b.number, d.person_key, 'gone', p.email, p.firstname, p.lastname, p.groups
      from between_them b join departures d on d.run_id = b.id and d.is_fresh
      join people p on p.service = ${service} and p.source = ${source} and p.person_key = d.person_key
    ), compared as (
      select distinct on (key) key, email, firstname, lastname, groups,
        case when what = 'gone' then 'gone' when first_value(what) over whole = 'new' then 'new' else 'changed' end as change,
        first_value(what) over whole = 'new' and what = 'gone' as is_passing
      from happened
      window whole as (partition by key order by number)
      order by key, number desc
    )
    select (select jsonb_object_agg(change, people) from (
        select change, count(*) as people from compared where not is_passing group by change) c) as counts,
      (select coalesce(jsonb_agg(to_jsonb(page) - 'is_passing' order by key), '[]') from (
        select * from compared where not is_passing and key > ${after} and (${change ?? null}::text is null or change = ${change ?? null})
        order by key offset ${from} limit ${limit}) page) as people,
      exists (select 1 from between_them where removed_at is not null) as is_removed`;
  return { ...compared, counts: { new: 0, gone: 0, changed: 0, ...compared.counts } };
}

/** Somebody whom a source was to give something: who they are there, and what they were given. */
type FoundPerson = z.output<typeof FoundPeople>['people'][number];

/** People that one statement reads: embedded, on two busy cores, that takes 0.15 s. */
const readAtOnce = 10_000;
const place = ['service', 'person_key', 'source'] as const;

type Read = FoundPerson & Record<'service' | 'personKey', string> & { nth: number; matches: boolean };

/** Whether a word is in a text, in any case. A database of the locale C has no other letters than those of ASCII in lower case. */
function isIn(text: RawBuilder<unknown>, word: string): RawBuilder<boolean> {
  const lower = word.toLowerCase();
  const ways = [lower, word.toUpperCase(), lower.replace(/^./u, (first) => first.toUpperCase())];
  const others = /^[ -~]*$/.test(word) ? [] : ways.map((way) => sql` or strpos(${text}, ${way}) > 0`);
  return sql<boolean>`(strpos(lower(${text}), ${lower}) > 0${sql.join([sql``, ...others], sql``)})`;
}

/**
 * Those whose name and address have all words of a text in them, in any case; once for each source that knows them. Reads one
 * part of the people after the other, so that nothing else waits for long.
 * @param limit the most to find
 */
export async function findPeople(db: Database, text: string, limit: number): Promise<FoundPerson[]> {
  const told = sql`concat_ws(' ', coalesce(p.firstname, m.firstname), coalesce(p.lastname, m.lastname), p.person_key)`;
  const words = text.split(/\s+/).filter((word) => word !== '');
  const matches = sql.join([sql`true`, ...words.map((word) => isIn(told, word))], sql` and `);
  const columns = sql.join(place.map((name) => sql.ref(name)));
  const found: FoundPerson[] = [];
  for (let after: Record<string, string> = { service: '', personKey: '', source: '' }; ;) {
    const rows = await rowsOf<Read>(db)`
      with part as materialized (
        select *, row_number() over (order by ${columns}) as nth from people
        where (${columns}) > (${after['service']}, ${after['personKey']}, ${after['source']})
        order by ${columns} limit ${readAtOnce}
      ), judged as (
        select p.service, p.person_key, p.source, p.nth, coalesce(p.email, m.email, p.person_key) as email,
          coalesce(p.firstname, m.firstname, '') as firstname, coalesce(p.lastname, m.lastname, '') as lastname,
          coalesce(p.groups, '[]') as groups, p.last_outcome, ${matches} as matches
        from part p left join members m on p.firstname is null and m.run_id = p.last_run and m.person_key = p.person_key
      )
      select * from judged where matches or nth = ${readAtOnce} order by nth limit ${limit + 1}`;
    for (const { email, firstname, lastname, source, groups, lastOutcome, matches: isOne } of rows) {
      if (isOne) found.push({ email, firstname, lastname, source, groups, lastOutcome });
    }
    const last = rows.at(-1);
    if (found.length >= limit || last?.nth !== readAtOnce) return found.slice(0, limit);
    after = { service: last.service, personKey: last.personKey, source: last.source };
  }
}
