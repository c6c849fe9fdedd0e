// Cuts the people of a run into ranges, so that no statement about all of them holds an embedded database for long.
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Whether a person's key is in a range. */
export type KeyRange = (key: RawBuilder<unknown>) => RawBuilder<boolean>;

/** The number of a run's members in a range: others wait as long as a statement about this number takes. */
const peopleInRange = 10_000;

const everyKey: KeyRange = () => sql`true`;

/** Ranges of keys that together hold every key, each with at most `peopleInRange` of the run's `members`. */
export async function keyRanges(db: Database, runId: string, members: number): Promise<KeyRange[]> {
  if (members <= peopleInRange) return [everyKey];
  const { rows } = await sql<{ key: string }>`
    select person_key as key from (
      select person_key, row_number() over (order by person_key) as place from members where run_id = ${runId}
    ) m where place % ${peopleInRange} = 0 order by place`.execute(db);
  const bounds = rows.map((row) => row.key);
  return [undefined, ...bounds].map((after, at) => (key) => {
    const upTo = bounds[at];
    const isAfter = after === undefined ? sql`true` : sql`${key} > ${after}`;
    return upTo === undefined ? sql`(${isAfter})` : sql`(${isAfter} and ${key} <= ${upTo})`;
  });
}
