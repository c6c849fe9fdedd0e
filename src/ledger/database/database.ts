// Opens kysely over a pool; executes statements, long ones in ranges of keys; makes texts and JSON storable.
import { Kysely, PostgresDialect, type PostgresPool, sql, type RawBuilder } from 'kysely';

/** The ledger over PGlite or PostgreSQL. Statements are SQL, the same on both; the tables are in the migrations. */
export type Database = Kysely<unknown>;

/** Opens kysely over a pool; the opener of the pool closes it. */
export function databaseOver(pool: PostgresPool): Database {
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
}

/** Does something in one transaction: in the one that is open, or in its own. */
export function inTransaction<Result>(db: Database, work: (transaction: Database) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}

type Statement = [text: TemplateStringsArray, ...values: unknown[]];

/** Rows with their columns named as properties are: `given_at` is `givenAt`. */
function named<Row>(rows: Row[]): Row[] {
  const columns = Object.keys(rows[0] ?? {});
  if (!columns.some((column) => column.includes('_'))) return rows;
  const names = columns.map((column) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
  return rows.map(
    (row) => Object.fromEntries(Object.values(row as object).map((value, at) => [names[at], value])) as Row,
  );
}

/** The rows that a statement gives, `run_id` as `runId`: ``rowsOf<Run>(db)`select …` ``. */
export const rowsOf =
  <Row>(db: Database) =>
  async (...statement: Statement): Promise<Row[]> =>
    named((await sql<Row>(...statement).execute(db)).rows);

/** The first row that a statement gives. */
export const rowOf =
  <Row>(db: Database) =>
  async (...statement: Statement): Promise<Row | undefined> =>
    (await rowsOf<Row>(db)(...statement))[0];

/** The values of a statement with one column: ``valuesOf<string>(db)`select id …` ``. */
export const valuesOf =
  <Value>(db: Database) =>
  async (...statement: Statement): Promise<Value[]> =>
    (await sql<Record<string, Value>>(...statement).execute(db)).rows.flatMap(Object.values<Value>);

/** The row of a statement that always gives one, as counts and sums do. */
export const theRow =
  <Row>(db: Database) =>
  async (...statement: Statement): Promise<Row> => {
    const row = await rowOf<Row>(db)(...statement);
    if (row === undefined) throw new Error('the ledger gave no row where there is always one');
    return row;
  };

/** Whether a statement gives any row. */
export const isThere =
  (db: Database) =>
  async (...statement: Statement): Promise<boolean> =>
    (await rowsOf(db)(...statement)).length > 0;

/** What a statement counts as `count`. */
export const countOf =
  (db: Database) =>
  async (...statement: Statement): Promise<number> =>
    (await theRow<{ count: number }>(db)(...statement)).count;

/** Executes a statement; how many rows it changed. */
export const changed =
  (db: Database) =>
  async (...statement: Statement): Promise<number> =>
    Number((await sql(...statement).execute(db)).numAffectedRows ?? 0n);

/** What PostgreSQL cannot store as text: NUL, and halves of surrogate pairs. */
const unstorable = /\\u(?:0000|d[89a-f][0-9a-f]{2})/i;

/** JSON for `jsonb`. What it cannot store becomes U+FFFD: one odd character must not stop everybody. */
export function toJson(value: unknown): string {
  const json = JSON.stringify(value);
  // In well-formed JSON only NUL and lone halves are written like this; a text that speaks of them costs a second pass.
  if (!unstorable.test(json)) return json;
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? storableText(part) : withStorableKeys(part),
  );
}

/** The beginning of a statement that inserts rows into a table: objects with the same columns. */
export function inserting(table: string, rows: readonly Readonly<Record<string, unknown>>[]): RawBuilder<unknown> {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.id(column)));
  return sql`insert into ${sql.table(table)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${toJson(rows)}::jsonb)`;
}

function withStorableKeys(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [storableText(key), value as unknown]));
}

/** A text that PostgreSQL can store. Parameters are made so by the client; what is compared with stored texts is not. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** Whether a key is in a range. */
export type KeyRange = (key: RawBuilder<unknown>) => RawBuilder<boolean>;

/** The number of rows in a range: others wait as long as a statement about this number takes. */
export const rowsInRange = 1000;

/** Ranges of keys that together hold every key, each with so many rows of a table but the last; none where it has no rows. */
export async function rangesOf(
  db: Database,
  column: RawBuilder<unknown>,
  rows: RawBuilder<unknown>,
  size = rowsInRange,
): Promise<KeyRange[]> {
  const cut = await rowsOf<{ bound: string | number }>(db)`
    select max(key) as bound from (
      select ${column} as key, (row_number() over (order by ${column}) - 1) / ${size} as part from ${rows}
    ) keys group by part order by part`;
  return cut.length === 0 ? [] : rangesBetween(cut.slice(0, -1).map(({ bound }) => bound));
}

/** Ranges of the people of a run; one of everybody where it has few. Each bound is looked up by itself, in the order of the keys. */
export async function keyRanges(db: Database, runId: string): Promise<KeyRange[]> {
  const bounds: string[] = [];
  for (;;) {
    const [bound] = await valuesOf<string>(db)`
      select person_key from members where run_id = ${runId} and person_key > ${bounds.at(-1) ?? ''}
      order by person_key offset ${rowsInRange - 1} limit 1`;
    if (bound === undefined) return rangesBetween(bounds);
    bounds.push(bound);
  }
}

/** The ranges that these bounds part every key into. */
function rangesBetween(bounds: readonly (string | number)[]): KeyRange[] {
  return [...bounds, undefined].map((bound, at) => (key) => {
    const isAfter = at === 0 ? sql`true` : sql`${key} > ${bounds[at - 1]}`;
    return bound === undefined ? sql`(${isAfter})` : sql`(${isAfter} and ${key} <= ${bound})`;
  });
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
