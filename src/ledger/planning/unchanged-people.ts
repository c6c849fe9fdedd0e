// Lists unchanged people of a roster without staging them.
import { type RawBuilder, sql } from 'kysely';
import { comparedCharacters } from '../../core/hashing/text-set.ts';
import { type Database, rowsOf } from '../database/database.ts';
import { isCalled } from '../moves/feed.ts';
import type { SourceAt } from '../runs/runs.ts';

/*
 * Most people of a roster are, to the letter, as they were given last time. A member of the run for each of them would
 * cost more than all the rest of planning; so they are only listed. A person is in that list or among the members of a
 * run, never in both.
 */

/** A whole roster on its way into the ledger, and what its people are compared with. */
export interface Compared extends SourceAt {
  /** Who was last given something longer ago than this is sent again, also unchanged. */
  refreshMs?: number;
}

/** The number of blocks of the table of people read at a time: some 5,000 people, in a text that is small enough to be forgotten soon. */
const blocksAtOnce = 128;

/**
 * A page, from 0, of the people to whom nothing is to be given if their row is as it was, as `GivenPeople` takes them, with the
 * number of all pages. The whole table is read: that takes a fifth of the time of finding each person by key. Somebody
 * whose row moves meanwhile may be missing, and is then staged; so is who was renamed at the service, where the fingerprint is still
 * that of the address of before.
 */
export async function givenPeople(db: Database, { service, source, refreshMs }: Compared, page: number) {
  const from = page * blocksAtOnce;
  const rows = await rowsOf<{ lines: string | null; blocks: number }>(db)`
    select string_agg(left(p.fingerprint, ${comparedCharacters}::integer) || coalesce(p.employee_id, ''), E'\n') as lines,
      pg_relation_size('people') / current_setting('block_size')::bigint as blocks
    from people p
    where p.ctid >= ${`(${from},0)`}::tid and p.ctid < ${`(${from + blocksAtOnce},0)`}::tid and p.service = ${service} and p.source = ${source}
      and p.last_outcome not in ('partial', 'failed', 'unknown') and p.missing_runs = 0 and p.fingerprint not like '%:done'
      and not ${isCalled(sql`p.service`, sql`p.source`, sql`p.person_key`)}
      and (p.person_key = p.email or p.person_key = lower(p.email))
      and (p.firstname, p.lastname, p.email, p.groups) is not null
      and (p.given_at < clock_timestamp() - ${refreshMs ?? null}::double precision * interval '1 millisecond') is not true`;
  const [{ lines, blocks } = { lines: null, blocks: 0 }] = rows;
  return { lines: lines ?? '', pages: Math.ceil(blocks / blocksAtOnce) };
}

/**
 * Lists the rows of people to whom nothing is to be given: `GivenPeople` has them. Of no person may any row have been staged or
 * listed before.
 */
export async function listUnchanged(db: Database, runId: string, files: readonly ListedRows[]): Promise<void> {
  for (const { file, keys, lines } of files) {
    await sql`
      insert into unchanged_people (run_id, file, keys, lines)
      values (${runId}, ${file}, string_to_array(${keys}, E'\n'), ${`{${lines.join(',')}}`}::integer[])`.execute(db);
  }
}

/** Rows of a file whose people are unchanged. */
export interface ListedRows {
  file: string;
  /** A line each: an address has no line break, and a text of lines is taken apart faster than an array. */
  keys: string;
  /** Where they stand, in the order of the keys. */
  lines: readonly number[];
}

/** Where a row of a roster stands. */
export interface RowPlace {
  file: string;
  line: number;
}

/**
 * Makes members of those who were listed and of whom more has shown since: another row, a row that says that they left, with
 * `forceSync` a row that was rejected, or another with their employee id, which may be, or something that another run gave
 * them meanwhile. When all rows are staged.
 * @returns rows that must be read again and staged, since what they say is known no longer
 */
export async function stageListed(db: Database, runId: string, forceSync: boolean): Promise<RowPlace[]> {
  const doubtful = sql`
    select person_key from duplicate_rows where run_id = ${runId}
    union select person_key from departures where run_id = ${runId}
    union select person_key from rejects where run_id = ${runId} and ${forceSync}::boolean
    union select p.person_key from runs r
      join people p on p.service = r.service and p.source = r.source and ${forceSync}::boolean
      join (
        select employee_id, person_key from rejects where run_id = ${runId}
        union select employee_id, person_key from members where run_id = ${runId}
        union select member->>'employeeId', person_key from duplicate_rows where run_id = ${runId}
      ) said on lower(said.employee_id) = lower(p.employee_id) and said.person_key is distinct from p.person_key
      where r.id = ${runId}
    union select d.person_key from runs own
      join runs r on r.service = own.service and r.source = own.source and r.id <> own.id
      join deliveries d on d.run_id = r.id and d.state = 'done' and d.ended_at >= own.created_at
      where own.id = ${runId}`;
  return db.transaction().execute(async (transaction) => {
    const rows = await rowsOf<RowPlace & { key: string; isStaged: boolean }>(transaction)`
      with doubtful as materialized (${doubtful}), listed as materialized (
        select u.file, u.key, u.line from ${listedRows(runId)} u
        where exists (select from doubtful) and u.key in (select person_key from doubtful)
      ), staged as (
        insert into members (run_id, person_key, file, lines, firstname, lastname, email, telephone, groups, employee_id, fingerprint)
        select r.id, p.person_key, u.file, jsonb_build_array(u.line), p.firstname, p.lastname, p.email, p.telephone, p.groups,
          p.employee_id, p.fingerprint
        from listed u join runs r on r.id = ${runId}
        join people p on p.service = r.service and p.source = r.source and p.person_key = u.key
        where (p.given_at >= r.created_at) is not true and (p.fingerprint, p.firstname, p.lastname, p.email, p.groups) is not null
        returning person_key
      )
      select u.key, u.file, u.line, s.person_key is not null as "isStaged"
      from listed u left join staged s on s.person_key = u.key`;
    await strikeOut(
      transaction,
      runId,
      rows.map(({ key }) => key),
    );
    return rows.filter(({ isStaged }) => !isStaged).map(({ file, line }) => ({ file, line }));
  });
}

/** Takes people out of the list of a run. */
async function strikeOut(db: Database, runId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    with struck as materialized (select unnest(${keys}::text[]) as key)
    update unchanged_people u set (keys, lines) = (
      select coalesce(array_agg(k.key), '{}'), coalesce(array_agg(k.line), '{}')
      from unnest(u.keys, u.lines) as k (key, line) where k.key not in (select key from struck))
    where u.run_id = ${runId} and exists (
      select 1 from unnest(u.keys) as k (key) where k.key in (select key from struck))`.execute(db);
}

/** Rows that were taken for later ones of their person and are the first become members after all: hashes may be equal. */
export async function stageOrphans(db: Database, runId: string): Promise<void> {
  await sql`
    with orphans as (
      delete from duplicate_rows d where d.ctid in (
        select distinct on (o.person_key) o.ctid from duplicate_rows o
        where o.run_id = ${runId}
          and not exists (select 1 from members m where m.run_id = o.run_id and m.person_key = o.person_key)
        order by o.person_key, o.line
      ) returning d.member
    )
    insert into members (run_id, person_key, file, lines, firstname, lastname, email, telephone, groups, employee_id, fingerprint, starts_on)
    select ${runId}, o.member->>'key', o.member->>'file', jsonb_build_array(o.member->'line'), m->>'firstname', m->>'lastname', m->>'email',
      m->>'telephone', m->'groups', o.member->>'employeeId', o.member->>'fingerprint', (o.member->>'startsOn')::integer
    from orphans o cross join lateral (select o.member->'member' as m) as inner_member`.execute(db);
}

/** Who is listed as unchanged in a run, with file and line, as a table. */
export function listedRows(runId: string | RawBuilder<string>): RawBuilder<unknown> {
  return sql`(
    select l.file, k.key, k.line from unchanged_people l cross join lateral unnest(l.keys, l.lines) as k (key, line)
    where l.run_id = ${runId})`;
}

/** How many people are listed as unchanged in a run, as a part of a statement. */
export function listedCount(runId: string): RawBuilder<number> {
  return sql<number>`(select coalesce(sum(cardinality(lines)), 0)::bigint from unchanged_people where run_id = ${runId})`;
}
