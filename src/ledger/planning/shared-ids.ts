// Tells whose an employee id of several addresses is: of several people, or of one.
import { sql } from 'kysely';
import { type Database, rowsOf, valuesOf } from '../database/database.ts';
import type { RunOfSource } from '../runs/runs.ts';
import { listedRows } from './unchanged-people.ts';

/** First and last name of somebody, as `foldName` folds them. */
const nameOf = (table: 'm' | 'p') => sql`lower(regexp_replace(
  normalize(${sql.ref(`${table}.firstname`)} || ' ' || ${sql.ref(`${table}.lastname`)}, NFKD), '[\\u0300-\\u036f]', '', 'g'))`;

/** Whether somebody was given anything, or may have been. */
const isKnown = (table: 'own' | 'p') =>
  sql`(${sql.ref(`${table}.fingerprint`)} is not null or ${sql.ref(`${table}.last_outcome`)} <> 'failed')`;

/**
 * Of these employee ids, those of people whose names have no word in common, such as `EXT`: no member of the run has such an
 * id any more, so that they are matched by their addresses alone. Before the rows of one person are merged.
 */
export async function forgetSharedIds(
  db: Database,
  { runId, service, source }: RunOfSource,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  return valuesOf<string>(db)`
    with ids as materialized (select unnest(${ids}::text[]) as id),
    holders as materialized (
      select m.employee_id as id, m.person_key as key, ${nameOf('m')} as name from members m
      where m.run_id = ${runId} and m.employee_id in (select id from ids)
      union all
      select p.employee_id, p.person_key, ${nameOf('p')} from people p
      where p.service = ${service} and p.source = ${source} and p.employee_id in (select id from ids)
        and p.person_key in (select u.key from ${listedRows(runId)} u)),
    shared as materialized (
      select id from (select id, count(*) as people from holders group by 1) all_of_them join (
        select h.id, count(distinct h.key) as people
        from holders h cross join lateral string_to_table(h.name, ' ') as w (word) group by h.id, w.word
      ) with_a_word using (id)
      group by id having max(with_a_word.people) < max(all_of_them.people)),
    first_rows as (
      update members set employee_id = null where run_id = ${runId} and employee_id in (select id from shared)),
    later_rows as (
      update duplicate_rows set member = member - 'employeeId'
      where run_id = ${runId} and member->>'employeeId' in (select id from shared))
    select id from shared order by id`;
}

/** A person who would be invited at a second address. No address with their employee id is known to the source. */
export interface TwoAddresses {
  employeeId: string;
  /** Without those that this source knows; with all lines. */
  addresses: { key: string; file: string; lines: number[]; email: string }[];
  /** The first row of each address, also of one that is known. */
  rows: { file: string; line: number }[];
}

/** Of these employee ids, those of members with one name and several addresses. */
export async function peopleWithTwoAddresses(
  db: Database,
  { runId, service, source }: RunOfSource,
  ids: readonly string[],
): Promise<TwoAddresses[]> {
  if (ids.length === 0) return [];
  return rowsOf<TwoAddresses>(db)`
    select m.employee_id,
      jsonb_agg(jsonb_build_object('key', m.person_key, 'file', m.file, 'lines', m.lines, 'email', m.email))
        filter (where own.person_key is null) as addresses,
      jsonb_agg(jsonb_build_object('file', m.file, 'line', m.lines->0) order by (m.lines->0)::integer) as rows
    from members m left join people own
      on own.service = ${service} and own.source = ${source} and own.person_key = m.person_key
        and ${isKnown('own')}
    where m.run_id = ${runId} and m.employee_id in (select unnest(${ids}::text[])) and not exists (
      select 1 from people p
      where p.service = ${service} and p.source = ${source} and p.employee_id = m.employee_id and ${isKnown('p')})
    group by 1
    having count(*) > 1 and count(own.person_key) < count(*) and min(${nameOf('m')}) = max(${nameOf('m')})
    order by 1`;
}
