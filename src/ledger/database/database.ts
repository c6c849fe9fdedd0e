// Opens kysely over a pool, for PGlite and PostgreSQL alike; executes statements; makes texts and JSON storable.
import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';

/** The ledger over PGlite or PostgreSQL. Statements are SQL, the same on both; the tables are in the migrations. */
export type Database = Kysely<unknown>;

/** Databases with one session. */
const ofOneSession = new WeakSet<Database>();

/** Opens kysely over a pool; the opener of the pool closes it. */
export function databaseOver(pool: PostgresPool & { options?: { max?: number } }): Database {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  if (pool.options?.max === 1) ofOneSession.add(db);
  return db;
}

/** Does what needs one session for several statements, such as a cursor. Where there is only one, others use it in between. */
export function inOneSession(db: Database, act: (session: Database) => Promise<void>): Promise<void> {
  return ofOneSession.has(db) ? act(db) : db.connection().execute(act);
}

/** Does something in one transaction: in the one that is open, or in its own. */
export function inTransaction<Result>(db: Database, work: (transaction: Database) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}

type Statement = [text: TemplateStringsArray, ...values: unknown[]];

/** The rows that a statement gives: ``rowsOf<Run>(db)`select …` ``. */
export const rowsOf =
  <Row>(db: Database) =>
  async (...statement: Statement): Promise<Row[]> =>
    (await sql<Row>(...statement).execute(db)).rows;

/** The first row that a statement gives. */
export const rowOf =
  <Row>(db: Database) =>
  async (...statement: Statement): Promise<Row | undefined> =>
    (await rowsOf<Row>(db)(...statement))[0];

/** Whether a statement gives any row. */
export const isThere =
  (db: Database) =>
  async (...statement: Statement): Promise<boolean> =>
    (await rowsOf(db)(...statement)).length > 0;

/** What a statement counts as `count`. */
export const countOf =
  (db: Database) =>
  async (...statement: Statement): Promise<number> =>
    (await rowOf<{ count: number }>(db)(...statement))?.count ?? 0;

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

function withStorableKeys(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [storableText(key), value as unknown]));
}

/** A text that PostgreSQL can store. Parameters are made so by the client; what is compared with stored texts is not. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
