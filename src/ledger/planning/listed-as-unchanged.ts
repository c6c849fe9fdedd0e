// SQL fragments for people who are listed as unchanged.
import { type RawBuilder, sql } from 'kysely';

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
