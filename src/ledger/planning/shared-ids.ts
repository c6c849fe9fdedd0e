// Tells whose an employee id of several addresses is: of several people, or of one.
import { type RawBuilder, sql } from 'kysely';
import { type Database, rowsOf, valuesOf } from '../database/database.ts';
import type { RunOfSource } from '../runs/runs.ts';
import { listedRows } from './unchanged-people.ts';

/** First and last name of somebody, as `foldName` folds them. */
const nameOf = (table: 'm' | 'p') => sql`lower(regexp_replace(
  normalize(${sql.ref(`${table}.firstname`)} || ' ' || ${sql.ref(`${table}.lastname`)}, NFKD), '[\\u0300-\\u036f]', '', 'g'))`;

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
    found as materialized (
      select m.employee_id as id, m.person_key as key, ${nameOf('m')} as name from members m
      where m.run_id = ${runId} and m.employee_id in (select id from ids)
      union all
      select p.employee_id, p.person_key, ${nameOf('p')} from people p
      where p.service = ${service} and p.source = ${source} and p.employee_id in (select id from ids)
        and p.person_key in (select u.key from ${listedRows(runId)} u)),
    holders as materialized (select *, count(*) over (partition by id) as people from found),
    shared as materialized (
      select id from (
        select h.id, h.people, count(distinct h.key) as with_word
        from holders h cross join lateral string_to_table(h.name, ' ') as w (word) group by h.id, h.people, w.word
      ) counted group by id having max(with_word) < max(people)),
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
  const isGiven = (found: RawBuilder<unknown>) => sql`exists (
    select 1 from people p where p.service = ${service} and ${found} and (p.fingerprint is not null or p.last_outcome <> 'failed'))`;
  const isDecided = sql`exists (
    select 1 from resolutions d where d.service = ${service} and d.new_key = h.person_key and d.decision = 'new-account')`;
  // Step by step, since the database may not know yet how many members there are.
  return rowsOf<TwoAddresses>(db)`
    with found as materialized (
      select m.employee_id, m.person_key, m.file, m.lines, m.email, ${nameOf('m')} as name from members m
      where m.run_id = ${runId} and m.employee_id in (select unnest(${ids}::text[]))),
    holders as materialized (
      select *, count(*) over same as people, min(name) over same = max(name) over same as is_one from found
      window same as (partition by employee_id)),
    known as materialized (
      select *, ${isGiven(sql`p.person_key = h.person_key`)} or ${isDecided} as is_known,
        ${isGiven(sql`p.source = ${source} and p.employee_id = h.employee_id`)} as has_id
      from holders h where people > 1 and is_one)
    select employee_id,
      jsonb_agg(jsonb_build_object('key', person_key, 'file', file, 'lines', lines, 'email', email)) filter (where not is_known) as addresses,
      jsonb_agg(jsonb_build_object('file', file, 'line', lines->0) order by (lines->0)::integer) as rows
    from known group by 1 having not bool_or(has_id) and not bool_and(is_known) order by 1`;
}
