// Cuts many rows into ranges of their keys, so that no statement holds an embedded database for long.
import { type RawBuilder, sql } from 'kysely';
import { type Database, rowsOf } from '../database/database.ts';

/** Whether a key is in a range. */
export type KeyRange = (key: RawBuilder<unknown>) => RawBuilder<boolean>;

/** The number of rows in a range: others wait as long as a statement about this number takes. */
export const rowsInRange = 10_000;

const everyKey: KeyRange = () => sql`true`;

/** Ranges of keys that together hold every key, each with `rowsInRange` rows of a table but the last; none where it has no rows. */
export async function rangesOf(
  db: Database,
  column: RawBuilder<unknown>,
  rows: RawBuilder<unknown>,
): Promise<KeyRange[]> {
  const cut = await rowsOf<{ bound: string | number }>(db)`
    select max(key) as bound from (
      select ${column} as key, (row_number() over (order by ${column}) - 1) / ${rowsInRange} as part from ${rows}
    ) keys group by part order by part`;
  const bounds = cut.map(({ bound }) => bound);
  return bounds.map((bound, at) => (key) => {
    const isAfter = at === 0 ? sql`true` : sql`${key} > ${bounds[at - 1]}`;
    return at === bounds.length - 1 ? sql`(${isAfter})` : sql`(${isAfter} and ${key} <= ${bound})`;
  });
}

/** Ranges of the people of a run; one of everybody where it has few. */
export async function keyRanges(db: Database, runId: string): Promise<KeyRange[]> {
  const ranges = await rangesOf(db, sql`person_key`, sql`members where run_id = ${runId}`);
  return ranges.length > 1 ? ranges : [everyKey];
}

/** The sums of what a statement counts in each range. */
export async function sumOver<Counts extends { [Name in keyof Counts]: number }>(
  db: Database,
  ranges: readonly KeyRange[],
  statement: (isInRange: KeyRange) => RawBuilder<Counts>,
): Promise<Counts> {
  let sums: [string, number][] = [];
  for (const range of ranges) {
    const { rows } = await statement(range).execute(db);
    const counted = Object.entries<number>(rows[0] ?? {});
    sums = counted.map(([name, value], at) => [name, value + (sums[at]?.[1] ?? 0)]);
  }
  return Object.fromEntries(sums) as Counts;
}
